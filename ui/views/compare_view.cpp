#include "ui/views/compare_view.h"

#include "core/base/bytes.h"
#include "ui/format/format.h"
#include "ui/theme/theme.h"
#include "ui/views/raw_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {

enum Column { Sign, Field, Left, Right };

constexpr int kDifferenceRole = Qt::UserRole + 1;

std::string_view view(const QByteArray &bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

QString signFor(const JsonDifference &row)
{
    if (row.change == JsonChange::Same)
        return QStringLiteral("=");
    return row.isVolatile ? QStringLiteral("~") : QStringLiteral("≠");
}

} // namespace

CompareView::CompareView(QWidget *parent)
    : QWidget(parent)
    , m_tasks([]() -> Result<std::unique_ptr<StoreReader>> {
        return fail(ErrorCode::Internal, "comparing reads no store");
    })
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    m_header = new QLabel;
    m_header->setTextFormat(Qt::PlainText);
    m_header->setWordWrap(true);
    QFont bold = m_header->font();
    bold.setBold(true);
    m_header->setFont(bold);
    layout->addWidget(m_header);

    m_pages = new QStackedWidget;
    layout->addWidget(m_pages, 1);
    m_table = new QTableWidget(0, Right + 1);
    m_table->setAccessibleName(tr("Differences, field by field"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setTabKeyNavigation(false);
    m_table->setFont(monospaceFont(font()));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(Sign, QHeaderView::Fixed);
    m_table->horizontalHeader()->setSectionResizeMode(Left, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(Right, QHeaderView::Stretch);
    m_pages->addWidget(m_table);

    auto *sides = new QWidget;
    auto *columns = new QHBoxLayout(sides);
    columns->setContentsMargins(0, 0, 0, 0);
    for (int i = 0; i < 2; ++i) {
        auto *column = new QVBoxLayout;
        m_titles[i] = new QLabel;
        m_titles[i]->setTextFormat(Qt::PlainText);
        m_texts[i] = new QPlainTextEdit;
        m_texts[i]->setReadOnly(true);
        m_texts[i]->setTabChangesFocus(true);
        m_texts[i]->setFont(monospaceFont(font()));
        m_texts[i]->setAccessibleName(i == 0 ? tr("Left side") : tr("Right side"));
        column->addWidget(m_titles[i]);
        column->addWidget(m_texts[i], 1);
        columns->addLayout(column);
    }
    m_pages->addWidget(sides);
    clear();
}

CompareView::~CompareView() = default;

void CompareView::clear()
{
    m_channel.abandon();
    m_left.reset();
    m_right.reset();
    m_differences = 0;
    m_header->setText(tr("Nothing to compare is selected."));
    m_table->setRowCount(0);
    m_pages->setCurrentIndex(0);
}

QString CompareView::headerText() const
{
    return m_header->text();
}

void CompareView::setSides(const QString &leftTitle, std::optional<QByteArray> left,
    const QString &rightTitle, std::optional<QByteArray> right, const QStringList &volatilePointers)
{
    clear();
    m_leftTitle = leftTitle;
    m_rightTitle = rightTitle;
    m_left = std::move(left);
    m_right = std::move(right);
    m_table->setHorizontalHeaderLabels({QString(), tr("Field"), leftTitle, rightTitle});
    if (!m_left || !m_right) {
        m_header->setText(!m_left && !m_right ? tr("Neither side has a recorded result.")
                : m_left                      ? tr("%1: none recorded").arg(rightTitle)
                                              : tr("%1: none recorded").arg(leftTitle));
        showTexts();
        return;
    }
    m_header->setText(tr("Comparing …"));
    JsonDiffOptions options;
    for (const QString &pointer : volatilePointers)
        options.volatilePointers.push_back(pointer.toStdString());
    m_channel.run<JsonDiff>(
        m_tasks, Lane::Quick, QString(),
        [options, one = *m_left, other = *m_right](TaskContext &context) {
            JsonDiffOptions own = options;
            own.stop = context.stopFlag();
            return diffPayloads(view(one), view(other), own);
        },
        [this](Result<JsonDiff> diff) {
            if (diff)
                showDiff(*diff);
            else
                m_header->setText(visible(diff.error().text()));
        });
}

void CompareView::showDiff(const JsonDiff &diff)
{
    m_differences = static_cast<int>(diff.differences);
    m_header->setText(visible(diff.header)
        + (diff.cut ? tr("; the first %1 rows are shown")
                          .arg(countText(static_cast<std::int64_t>(diff.rows.size())))
                    : QString()));
    if (diff.basis == DiffBasis::Bytes || diff.rows.empty()) {
        showTexts();
        return;
    }
    const Tokens &tokens = tokensFor(palette());
    m_table->setRowCount(static_cast<int>(diff.rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const JsonDifference &difference = diff.rows[static_cast<std::size_t>(row)];
        const bool differs = difference.change != JsonChange::Same;
        const auto cell = [&](int column, const QString &text) {
            auto *item = new QTableWidgetItem(text);
            item->setToolTip(text);
            item->setData(kDifferenceRole, differs);
            if (difference.isVolatile)
                item->setForeground(tokens.muted);
            if (differs && !difference.isVolatile) {
                QFont bold = m_table->font();
                bold.setBold(true);
                item->setFont(bold);
            }
            m_table->setItem(row, column, item);
        };
        cell(Sign, signFor(difference));
        cell(Field, difference.pointer.empty() ? tr("(whole)") : visible(difference.pointer));
        cell(Left, difference.left.empty() ? dash() : visible(difference.left));
        cell(Right, difference.right.empty() ? dash() : visible(difference.right));
    }
    m_table->setColumnWidth(Sign, fontMetrics().horizontalAdvance(QStringLiteral("≠")) + 24);
    m_table->setColumnWidth(Field, fontMetrics().averageCharWidth() * 28);
    m_pages->setCurrentIndex(0);
    if (m_differences > 0)
        nextDifference();
}

void CompareView::showTexts()
{
    const std::optional<QByteArray> *bodies[2] = {&m_left, &m_right};
    const QString titles[2] = {m_leftTitle, m_rightTitle};
    for (int i = 0; i < 2; ++i) {
        m_titles[i]->setText(titles[i]);
        const auto &body = *bodies[i];
        if (!body) {
            m_texts[i]->setPlainText(tr("none recorded"));
            continue;
        }
        const QByteArray part = body->first(qMin(body->size(), RawView::kBytesShown));
        m_texts[i]->setPlainText(
            isValidUtf8(view(*body)) ? visibleBlock(view(part)) : hexDump(part));
    }
    m_pages->setCurrentIndex(1);
}

void CompareView::nextDifference()
{
    step(1);
}
void CompareView::previousDifference()
{
    step(-1);
}

void CompareView::step(int direction)
{
    const int rows = m_table->rowCount();
    const int from
        = m_table->selectedItems().isEmpty() ? (direction > 0 ? -1 : rows) : m_table->currentRow();
    for (int i = 1; i <= rows; ++i) {
        const int row = ((from + direction * i) % rows + rows) % rows;
        if (m_table->item(row, Sign)->data(kDifferenceRole).toBool()) {
            m_table->selectRow(row);
            m_table->scrollToItem(m_table->item(row, Sign));
            return;
        }
    }
}

} // namespace reprise::ui

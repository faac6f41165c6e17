#include "ui/views/data_table.h"

#include "ui/models/columns_model.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QSettings>

namespace reprise::ui {

namespace {

constexpr int kRowPadding = 8;
constexpr int kCellPadding = 10;
constexpr int kCellSlack = 4;
constexpr int kRowsMeasured = 40;
/// A column that gives way keeps at least this width.
constexpr int kNarrowest = 90;
const QString kSettingsGroup = QStringLiteral("tables/");

} // namespace

DataTable::DataTable(const QString &accessibleName, QWidget *parent)
    : QTableView(parent)
{
    setAccessibleName(accessibleName);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowPadding);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(
        horizontalHeader(), &QWidget::customContextMenuRequested, this, &DataTable::chooseColumns);
    connect(this, &QTableView::doubleClicked, this,
        [this](const QModelIndex &at) { Q_EMIT rowActivated(at.row()); });
}

DataTable::~DataTable()
{
    if (!m_layoutName.isEmpty() && model() != nullptr && m_remembered)
        QSettings().setValue(kSettingsGroup + m_layoutName, horizontalHeader()->saveState());
}

void DataTable::useModel(QAbstractItemModel *model, const QString &layoutName)
{
    setModel(model);
    m_layoutName = layoutName;
    for (int column = 0; column < model->columnCount(); ++column)
        setColumnHidden(column, model->headerData(column, Qt::Horizontal, HiddenRole).toBool());
    if (!layoutName.isEmpty())
        m_remembered = horizontalHeader()->restoreState(
            QSettings().value(kSettingsGroup + layoutName).toByteArray());
    // From now on a width, a place or a hidden column is somebody's wish.
    const auto wish = [this] {
        if (horizontalHeader()->underMouse())
            m_remembered = true;
    };
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, wish);
    connect(horizontalHeader(), &QHeaderView::sectionMoved, this, wish);
}

int DataTable::titleWidth(int column) const
{
    const QString title = model()->headerData(column, Qt::Horizontal).toString();
    return horizontalHeader()->fontMetrics().horizontalAdvance(title) + kCellPadding;
}

int DataTable::widthFor(int column) const
{
    const QHeaderView *header = horizontalHeader();
    // Only the sorted column needs room for the arrow.
    int width = header->isSortIndicatorShown() && header->sortIndicatorSection() == column
        ? header->sectionSizeHint(column)
        : titleWidth(column);
    const int rows = qMin(model()->rowCount(), kRowsMeasured);
    for (int row = 0; row < rows; ++row)
        width = qMax(width, sizeHintForIndex(model()->index(row, column)).width() + kCellSlack);
    return width;
}

void DataTable::fitColumns(int widthMax)
{
    if (model() == nullptr || m_remembered)
        return;
    m_wanted.clear();
    for (int column = 0; column < model()->columnCount(); ++column)
        m_wanted.append(qMin(widthFor(column), widthMax));
    distribute();
}

void DataTable::distribute()
{
    if (model() == nullptr || m_remembered || m_wanted.size() != model()->columnCount())
        return;
    int over = -viewport()->width();
    int slackTotal = 0;
    QList<int> slack(m_wanted.size(), 0);
    for (int column = 0; column < m_wanted.size(); ++column) {
        if (isColumnHidden(column))
            continue;
        over += m_wanted[column];
        if (model()->headerData(column, Qt::Horizontal, GivesWayRole).toBool())
            slack[column] = qMax(m_wanted[column] - qMax(kNarrowest, titleWidth(column)), 0);
        slackTotal += slack[column];
    }
    // Each gives of what it can spare, so that none is cut alone.
    const int take = qBound(0, over, slackTotal);
    for (int column = 0; column < m_wanted.size(); ++column)
        setColumnWidth(
            column, m_wanted[column] - (slackTotal > 0 ? slack[column] * take / slackTotal : 0));
}

void DataTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        distribute();
}

void DataTable::selectRow(int row)
{
    if (model() != nullptr && row >= 0 && row < model()->rowCount())
        setCurrentIndex(model()->index(row, 0));
}

QString DataTable::rowText() const
{
    QStringList cells;
    if (currentIndex().isValid())
        for (int column = 0; column < model()->columnCount(); ++column)
            if (!isColumnHidden(column))
                cells.append(model()->index(currentRow(), column).data().toString());
    return cells.join(QLatin1Char('\t'));
}

void DataTable::keyPressEvent(QKeyEvent *event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(rowText());
        return;
    }
    if (enter && currentIndex().isValid()
        && (event->modifiers() & ~Qt::KeypadModifier) == Qt::ShiftModifier) {
        Q_EMIT rowActivatedInWindow(currentRow());
        return;
    }
    if ((event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier) {
        switch (event->key()) {
        case Qt::Key_J:
            selectRow(currentRow() + 1);
            return;
        case Qt::Key_K:
            selectRow(currentRow() - 1);
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (currentIndex().isValid())
                Q_EMIT rowActivated(currentRow());
            return;
        default:
            break;
        }
    }
    // Letters belong to the actions of the page; the view's own type-ahead would take them.
    if (!event->text().isEmpty() && event->text().at(0).isPrint()) {
        event->ignore();
        return;
    }
    QTableView::keyPressEvent(event);
}

void DataTable::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    if (current.row() != previous.row() || current.model() != previous.model())
        Q_EMIT rowChanged(current.row());
}

void DataTable::contextMenuEvent(QContextMenuEvent *event)
{
    const QModelIndex at = indexAt(event->pos());
    if (!at.isValid())
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString cell = at.data().toString();
    constexpr int kCellChars = 40;
    QString shown = cell.left(kCellChars);
    menu->addAction(tr("Copy \"%1\"").arg(shown.replace(QLatin1Char('&'), QLatin1String("&&"))),
        this, [cell] { QGuiApplication::clipboard()->setText(cell); });
    menu->addAction(
        tr("Copy the row"), this, [this] { QGuiApplication::clipboard()->setText(rowText()); });
    if (const QString token = at.data(FilterRole).toString(); !token.isEmpty())
        menu->addAction(
            tr("Runs with %1").arg(token), this, [this, token] { Q_EMIT filterWanted(token); });
    menu->popup(event->globalPos());
}

void DataTable::chooseColumns(const QPoint &at)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < model()->columnCount(); ++column) {
        QAction *action = menu->addAction(model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        connect(action, &QAction::toggled, this, [this, column](bool shown) {
            setColumnHidden(column, !shown);
            m_remembered = true;
        });
    }
    menu->popup(horizontalHeader()->mapToGlobal(at));
}

} // namespace reprise::ui

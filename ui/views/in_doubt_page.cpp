#include "ui/views/in_doubt_page.h"

#include "ui/format/format.h"
#include "ui/theme/theme.h"
#include "ui/views/data_table.h"

#include <QFileInfo>
#include <QLabel>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {

constexpr std::int64_t kRowsMax = 10'000;

QString waysToSettle(const ActionDetail &detail)
{
    QStringList ways;
    if (detail.imported)
        return InDoubtPage::tr("A record of another system: the provider's statement decides.");
    if (detail.contract.forwarding)
        ways.append(
            InDoubtPage::tr("executing it again within %1 of the first dispatch: the provider "
                            "honours the key")
                .arg(QString::fromStdString(
                    reprise::durationText(detail.contract.forwarding->retentionUs))));
    if (!detail.contract.probe.empty())
        ways.append(
            InDoubtPage::tr("executing it again: the provider is asked by its look-up first"));
    if (detail.contract.repeatable)
        ways.append(InDoubtPage::tr("executing it again: the tool is safe to repeat"));
    ways.append(InDoubtPage::tr("an operator, with evidence"));
    return InDoubtPage::tr("Can settle it: %1.").arg(ways.join(InDoubtPage::tr("; or ")));
}

} // namespace

InDoubtPage::InDoubtPage(StoreSession &session, QWidget *parent)
    : StorePage(parent)
    , m_session(session)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    m_model = makeInDoubtModel(session.suspects(), session.clock(), this);
    m_table = new DataTable(tr("Actions in doubt"));
    m_table->useModel(m_model, QStringLiteral("in-doubt"));
    connect(m_table, &DataTable::filterWanted, this, &StorePage::filterWanted);
    connect(m_table, &DataTable::rowActivatedInWindow, this, [this](int row) {
        if (const ActionRow *action = m_model->row(row); action != nullptr)
            Q_EMIT windowWanted(QString::fromStdString(action->runId), action->seq);
    });
    connect(&session.suspects(), &SuspectSearch::changed, m_table->viewport(),
        qOverload<>(&QWidget::update));
    connect(m_table, &DataTable::rowChanged, this, &InDoubtPage::showSelected);
    connect(m_table, &DataTable::rowActivated, this, [this](int row) {
        if (const ActionRow *action = m_model->row(row); action != nullptr)
            Q_EMIT seqActivated(QString::fromStdString(action->runId), action->seq);
    });
    m_empty = new QLabel(tr("No action is in doubt."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    layout->addWidget(m_stack, 1);
    m_detail = new QLabel;
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setWordWrap(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_detail->setAccessibleName(tr("What is known of the selected action"));
    layout->addWidget(m_detail);
}

QWidget *InDoubtPage::mainView() const
{
    return m_table;
}

std::optional<SelectedAction> InDoubtPage::selectedAction() const
{
    const ActionRow *action = m_model->row(m_table->currentRow());
    return action == nullptr
        ? std::nullopt
        : std::optional(SelectedAction {QString::fromStdString(action->runId), action->seq});
}

ReportScope InDoubtPage::reportScope() const
{
    const ActionRow *action = m_model->row(m_table->currentRow());
    return action == nullptr ? ReportScope {} : ReportScope {action->runId, {}};
}

Facts InDoubtPage::facts() const
{
    return m_shown ? factsOf(*m_shown) : Facts {};
}

void InDoubtPage::retranslateTimes()
{
    m_table->fitColumns();
}

void InDoubtPage::reload()
{
    m_loading.run<std::vector<ActionRow>>(
        m_session.runner(), Lane::Quick, QString(),
        [](TaskContext &context) -> Result<std::vector<ActionRow>> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            return reader->actionsInDoubt(kRowsMax);
        },
        [this](Result<std::vector<ActionRow>> rows) {
            if (!rows) {
                m_empty->setText(visible(rows.error().text()));
                m_stack->setCurrentIndex(1);
                return;
            }
            m_model->setRows(*rows);
            m_stack->setCurrentIndex(rows->empty() ? 1 : 0);
            m_table->fitColumns();
            m_table->selectRow(0);
        });
}

void InDoubtPage::selectAction(const QString &runId, qint64 seq)
{
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (const ActionRow *action = m_model->row(row);
            QString::fromStdString(action->runId) == runId && action->seq == seq)
            m_table->selectRow(row);
}

void InDoubtPage::showSelected(int row)
{
    const ActionRow *action = m_model->row(row);
    if (action == nullptr) {
        m_detail->clear();
        m_shown.reset();
        Q_EMIT factsChanged();
        return;
    }
    m_detailing.run<ActionDetail>(
        m_session.runner(), Lane::Quick, QString(),
        [key = action->key](TaskContext &context) -> Result<ActionDetail> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            ASSIGN_OR_RETURN(auto detail, reader->action(key));
            if (!detail)
                return fail(
                    ErrorCode::NotFound, "no such action in this store", "key " + key.hex());
            return std::move(*detail);
        },
        [this](Result<ActionDetail> detail) {
            if (detail)
                showDetail(*detail);
        });
}

/// One word for a POSIX shell, whatever the text holds.
static QString shellWord(const QString &text)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:@%+=-]+$"));
    if (plain.match(text).hasMatch())
        return text;
    QString quoted = text;
    quoted.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
    return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

void InDoubtPage::showDetail(const ActionDetail &detail)
{
    QString text = tr("Run %1, seq %2: %3")
                       .arg(visible(detail.row.runId))
                       .arg(detail.row.seq)
                       .arg(detail.row.reason.empty() ? tr("no outcome was recorded")
                                                      : visible(detail.row.reason));
    if (detail.ownerAlive)
        text += *detail.ownerAlive ? tr(" Its executor is alive: wait for it.")
                                   : tr(" Its executor is dead.");
    text += QLatin1Char('\n') + waysToSettle(detail);
    if (!detail.imported) {
        const QString common
            = QStringLiteral("reprise settle %1 --run %2 --seq %3 --expect %4 --by NAME "
                             "--reason TEXT --evidence REF --decision ")
                  .arg(shellWord(QFileInfo(m_session.path()).absoluteFilePath()),
                      shellWord(visible(detail.row.runId)))
                  .arg(detail.row.seq)
                  .arg(QString::fromStdString(detail.stateHash.hex()));
        text += tr("\nIt landed:\n    ") + common + QStringLiteral("landed --reference REFERENCE");
        text += tr("\nIt did not land, allow one call more:\n    ") + common
            + QStringLiteral("retry");
        text += tr("\nIt did not land, and shall not:\n    ") + common + QStringLiteral("failed");
    }
    m_detail->setText(text);
    m_shown = detail;
    Q_EMIT factsChanged();
}

} // namespace reprise::ui

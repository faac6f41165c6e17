#include "ui/views/run_page.h"

#include "ui/format/format.h"
#include "ui/views/compare_view.h"
#include "ui/views/data_table.h"
#include "ui/views/raw_view.h"

#include <QLabel>
#include <QListWidget>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {

/// As many actions and attempts as a page loads at once; a run beyond that says so.
constexpr std::int64_t kActionsMax = 5'000;
constexpr int kFilterLink = Qt::UserRole;
constexpr int kSuspectLink = Qt::UserRole + 1;
constexpr int kColumnMax = 200;
constexpr int kAttemptColumnMax = 320;

QLabel *plainLabel(const QString &name)
{
    auto *label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAccessibleName(name);
    return label;
}

std::optional<QByteArray> toBytes(const std::optional<std::string> &body)
{
    return body ? std::optional(QByteArray::fromStdString(*body)) : std::nullopt;
}

Result<std::optional<std::string>> read(StoreReader &reader, const std::optional<Digest> &digest)
{
    return digest ? reader.body(*digest) : Result<std::optional<std::string>>(std::nullopt);
}

QString acceptanceText(const std::optional<std::string> &document)
{
    if (!document)
        return {};
    const auto json = Json::parse(*document);
    if (!json)
        return {};
    QStringList checks;
    for (const Json &check : (*json)["checks"].items())
        checks.append((check["ok"].boolean() ? QStringLiteral("✔ ") : QStringLiteral("✖ "))
            + visible(check["what"].text()));
    return ((*json)["accepted"].boolean() ? RunPage::tr("An agent would accept this record: ")
                                          : RunPage::tr("An agent would not accept this record: "))
        + checks.join(QStringLiteral(" · "));
}

/// State, reason, and who recorded the result.
QString stateText(const ActionDetail &detail)
{
    QString facts = badgeFor(detail.row).text();
    if (!detail.row.reason.empty())
        facts += QStringLiteral(": ") + visible(detail.row.reason);
    if (detail.ownerAlive)
        facts += *detail.ownerAlive ? RunPage::tr(" · its executor is alive")
                                    : RunPage::tr(" · its executor is dead");
    if (!detail.recordedBy.empty() && detail.result)
        facts += RunPage::tr(" · recorded %1 by %2 (%3)")
                     .arg(timeText(detail.result->recordedAt), visible(detail.recordedBy),
                         sourceWord(detail.result->source));
    return facts;
}

} // namespace

RunPage::RunPage(StoreSession &session, QWidget *parent)
    : StorePage(parent)
    , m_session(session)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    m_header = plainLabel(tr("The run"));
    QFont bold = m_header->font();
    bold.setBold(true);
    m_header->setFont(bold);
    layout->addWidget(m_header);

    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->setChildrenCollapsible(false);
    m_seqsModel = makeSeqsModel(session.suspects(), this);
    m_seqs = new DataTable(tr("Actions of the run"));
    m_seqs->useModel(m_seqsModel, QStringLiteral("seqs"));
    connect(m_seqs, &DataTable::filterWanted, this, &StorePage::filterWanted);
    connect(m_seqs, &DataTable::rowActivated, this, [this] { showCompare(); });
    connect(m_seqs, &DataTable::rowActivatedInWindow, this,
        [this] { Q_EMIT windowWanted(m_runId, selectedSeq()); });
    connect(m_seqs, &DataTable::rowChanged, this, &RunPage::loadDetail);
    splitter->addWidget(m_seqs);

    auto *lower = new QWidget;
    auto *lowerLayout = new QVBoxLayout(lower);
    lowerLayout->setContentsMargins(0, 0, 0, 0);
    m_chain = plainLabel(tr("Key, attempts, string sent and provider reference"));
    lowerLayout->addWidget(m_chain);
    m_facts = plainLabel(tr("Facts of the action"));
    lowerLayout->addWidget(m_facts);
    m_tabs = new QTabWidget;
    m_compare = new CompareView;
    m_attemptsModel = makeAttemptsModel(this);
    m_attempts = new DataTable(tr("Attempts of the action"));
    m_attempts->useModel(m_attemptsModel, QStringLiteral("attempts"));
    connect(m_attempts, &DataTable::rowChanged, this, &RunPage::showAttempt);
    connect(m_attempts, &DataTable::rowActivated, this, [this] { showCompare(); });
    m_raw = new RawView;
    m_args = new RawView;
    m_tabs->addTab(m_attempts, tr("A&ttempts"));
    m_tabs->addTab(m_compare, tr("&Compare"));
    m_tabs->addTab(m_raw, tr("&Raw result"));
    m_tabs->addTab(m_args, tr("Ar&gs"));
    m_links = new QListWidget;
    m_links->setAccessibleName(tr("What else belongs to this action"));
    connect(m_links, &QListWidget::itemActivated, this, &RunPage::follow);
    m_tabs->addTab(m_links, tr("&Links"));
    connect(&session.suspects(), &SuspectSearch::changed, this, [this] {
        m_seqsModel->columnChanged(kSeqSuspectColumn);
        fillLinks();
    });
    lowerLayout->addWidget(m_tabs, 1);
    splitter->addWidget(lower);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    layout->addWidget(splitter, 1);
}

void RunPage::showRun(const QString &runId, qint64 seq)
{
    m_wantedSeq = seq;
    if (runId == m_runId && m_seqsModel->rowCount() > 0) {
        selectSeq(seq);
        return;
    }
    m_runId = runId;
    m_header->setText(tr("Loading run %1 …").arg(visible(runId.toStdString())));
    m_loading.run<Loaded>(
        m_session.runner(), Lane::Quick, QString(),
        [id = runId.toStdString()](TaskContext &context) -> Result<Loaded> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            ASSIGN_OR_RETURN(const RunId run, RunId::parse(id));
            ASSIGN_OR_RETURN(const auto row, reader->run(run));
            if (!row)
                return fail(
                    ErrorCode::NotFound, "no such run in this store", "run " + printable(id));
            Loaded loaded;
            loaded.run = *row;
            ASSIGN_OR_RETURN(loaded.actions, reader->actions(run, -1, kActionsMax));
            loaded.cut = row->actions > static_cast<std::int64_t>(loaded.actions.size());
            for (const ActionRow &action : loaded.actions) {
                if (context.stopped())
                    return fail(ErrorCode::Cancelled, "stopped");
                ASSIGN_OR_RETURN(auto detail, reader->action(action.key));
                loaded.attempts.push_back(
                    detail ? std::move(detail->attempts) : std::vector<AttemptRow>());
            }
            return loaded;
        },
        [this](Result<Loaded> loaded) {
            if (loaded)
                showLoaded(*loaded);
            else
                m_header->setText(visible(loaded.error().text()));
        });
}

void RunPage::showLoaded(const Loaded &loaded)
{
    const RunRow &run = loaded.run;
    QString header = tr("Run %1").arg(visible(run.run.runId));
    if (!run.run.label.empty())
        header += QStringLiteral(" · ") + visible(run.run.label);
    if (run.firstAt && run.lastAt)
        header += QStringLiteral(" · ") + durationText(run.lastAt->us - run.firstAt->us);
    header += tr(" · %1 · %2 executed · %3 replayed · %4 again · %5 in doubt")
                  .arg(run.actions == 1 ? tr("1 seq") : tr("%1 seqs").arg(countText(run.actions)),
                      countText(run.executed), countText(run.replayed),
                      countText(run.executedAgain), countText(run.inDoubt));
    if (run.inFlight > 0)
        header += tr(" · %1 in flight").arg(countText(run.inFlight));
    if (run.run.imported)
        header += tr(" · imported (%1): keys were derived at import, not planned")
                      .arg(visible(run.source));
    if (loaded.cut)
        header += tr(" · the first %1 actions are listed")
                      .arg(countText(static_cast<std::int64_t>(loaded.actions.size())));
    m_header->setText(header);
    m_detail.reset();
    m_seqsModel->setRows(seqRows(loaded.actions, loaded.attempts));
    m_seqs->fitColumns(kColumnMax);
    Q_EMIT runLoaded(loaded.actions, loaded.attempts);
    selectSeq(m_wantedSeq);
}

qint64 RunPage::selectedSeq() const
{
    const SeqRow *row = m_seqsModel->row(m_seqs->currentRow());
    return row == nullptr ? -1 : row->action.seq;
}

void RunPage::selectSeq(qint64 seq)
{
    int wanted = 0;
    for (int row = 0; row < m_seqsModel->rowCount(); ++row)
        if (m_seqsModel->row(row)->action.seq == seq)
            wanted = row;
    m_seqs->selectRow(wanted);
}

void RunPage::loadDetail(int row)
{
    const SeqRow *selected = m_seqsModel->row(row);
    if (selected == nullptr)
        return;
    const ActionRow *action = &selected->action;
    Q_EMIT seqSelected(action->seq);
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
            else
                m_chain->setText(visible(detail.error().text()));
        });
}

void RunPage::showDetail(const ActionDetail &detail)
{
    m_detail = detail;
    fillLinks();
    Q_EMIT factsChanged();
    std::string sent;
    for (const AttemptRow &attempt : detail.attempts)
        if (!attempt.sentKey.empty())
            sent = attempt.sentKey;
    const auto attempts = static_cast<int>(detail.attempts.size());
    m_chain->setText(tr("key %1 → %2 → sent %3 → provider reference %4")
                         .arg(QString::fromStdString(detail.row.key.hex()))
                         .arg(attempts == 1 ? tr("1 attempt") : tr("%1 attempts").arg(attempts))
                         .arg(sent.empty() ? tr("— (not recorded)") : visible(sent),
                             visibleOrDash(detail.row.reference)));
    m_facts->setText(stateText(detail));
    m_attemptsModel->setRows(detail.attempts);
    m_attempts->fitColumns(kAttemptColumnMax);
    // The newest answer after the original is what an operator wants to compare first.
    int row = static_cast<int>(detail.attempts.size()) - 1;
    m_attempts->selectRow(qMax(row, 0));
    if (detail.attempts.empty())
        loadBodies(-1);
}

void RunPage::showAttempt(int row)
{
    if (m_detail && row >= 0)
        loadBodies(row);
}

void RunPage::loadBodies(int attemptRow)
{
    const ActionDetail &detail = *m_detail;
    std::optional<Digest> original = detail.result ? detail.result->body : std::nullopt;
    std::optional<Digest> later;
    // The answer that was recorded is the original; it is never compared with itself.
    if (const AttemptRow *attempt = m_attemptsModel->row(attemptRow);
        attempt != nullptr && attempt->result && !attempt->original)
        later = attempt->result->body;
    m_bodies.run<Bodies>(
        m_session.runner(), Lane::Quick, QString(),
        [args = detail.row.args, original, later, acceptance = detail.acceptance](
            TaskContext &context) -> Result<Bodies> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            Bodies bodies;
            ASSIGN_OR_RETURN(bodies.args, reader->body(args));
            ASSIGN_OR_RETURN(bodies.original, read(*reader, original));
            ASSIGN_OR_RETURN(bodies.later, read(*reader, later));
            ASSIGN_OR_RETURN(bodies.acceptance, read(*reader, acceptance));
            return bodies;
        },
        [this, attemptRow](Result<Bodies> bodies) {
            if (bodies) {
                showBodies(*bodies, attemptRow);
                return;
            }
            m_compare->setSides(
                tr("Original result"), std::nullopt, tr("Later answer"), std::nullopt, {});
            m_facts->setText(visible(bodies.error().text()));
        });
}

void RunPage::showBodies(const Bodies &bodies, int attemptRow)
{
    if (!m_detail)
        return;
    const AttemptRow *attempt = m_attemptsModel->row(attemptRow);
    QStringList ignored;
    for (const std::string &pointer : m_detail->contract.ignore)
        ignored.append(QString::fromStdString(pointer));
    const bool original = attempt != nullptr && attempt->original;
    QString laterTitle = tr("Later answers: none recorded");
    if (attempt != nullptr && !original)
        laterTitle = tr("Attempt %1: %2").arg(attempt->n).arg(badgeFor(attempt->kind).word);
    else if (original && m_detail->attempts.size() > 1)
        laterTitle = tr("Attempt %1 is the original; choose another").arg(attempt->n);
    m_compare->setSides(tr("Original result"), toBytes(bodies.original), laterTitle,
        toBytes(bodies.later), ignored);
    const auto shown = attempt != nullptr && attempt->result ? attempt->result : m_detail->result;
    m_raw->setBody(toBytes(attempt != nullptr && !original ? bodies.later : bodies.original),
        shown && shown->body ? QString::fromStdString(shown->body->hex()) : dash(),
        shown ? QString::fromStdString(shown->contentType) : QString());
    m_args->setBody(toBytes(bodies.args), QString::fromStdString(m_detail->row.args.hex()),
        QStringLiteral("application/json"));
    if (const QString accepted = acceptanceText(bodies.acceptance); !accepted.isEmpty()) {
        QString facts = m_facts->text().section(QLatin1Char('\n'), 0, 0);
        m_facts->setText(facts + QLatin1Char('\n') + accepted);
    }
}

QWidget *RunPage::mainView() const
{
    return m_seqs;
}

QList<QWidget *> RunPage::panes() const
{
    return {m_seqs,
        m_tabs->currentWidget()->focusPolicy() == Qt::NoFocus ? static_cast<QWidget *>(m_tabs)
                                                              : m_tabs->currentWidget()};
}

std::optional<SelectedAction> RunPage::selectedAction() const
{
    const qint64 seq = selectedSeq();
    return seq < 0 ? std::nullopt : std::optional(SelectedAction {m_runId, seq});
}

ReportScope RunPage::reportScope() const
{
    return m_runId.isEmpty() ? ReportScope {} : ReportScope {m_runId.toStdString(), {}};
}

Facts RunPage::facts() const
{
    return m_detail ? factsOf(*m_detail) : Facts {};
}

void RunPage::retranslateTimes()
{
    m_seqs->fitColumns(kColumnMax);
    m_attempts->fitColumns(kAttemptColumnMax);
    if (m_detail)
        m_facts->setText(stateText(*m_detail));
}

void RunPage::showAttempts()
{
    m_tabs->setCurrentWidget(m_attempts);
    m_attempts->setFocus();
}

void RunPage::showCompare()
{
    m_tabs->setCurrentWidget(m_compare);
}

void RunPage::nextDifference()
{
    showCompare();
    m_compare->nextDifference();
}

void RunPage::previousDifference()
{
    showCompare();
    m_compare->previousDifference();
}

void RunPage::fillLinks()
{
    m_links->clear();
    if (!m_detail)
        return;
    const ActionRow &row = m_detail->row;
    const auto add = [this](const QString &text, const QString &filter, const QString &suspect) {
        auto *item = new QListWidgetItem(text, m_links);
        item->setData(kFilterLink, filter);
        item->setData(kSuspectLink, suspect);
    };
    for (const Cluster *cluster : m_session.suspects().of(row.runId, row.seq)) {
        const QString id = QString::fromStdString(cluster->id);
        add(tr("Suspect %1, %2: %3")
                .arg(id, badgeFor(cluster->severity).text(),
                    cluster->rules.empty() ? dash()
                                           : QString::fromStdString(cluster->rules.front().title)),
            {}, id);
    }
    const auto runsWith = [&](const QString &name, const std::string &value) {
        if (!value.empty()) {
            const QString token = filterToken(name, QString::fromStdString(value));
            add(tr("Runs with %1").arg(visible(token.toStdString())), token, {});
        }
    };
    runsWith(QStringLiteral("order"), row.business.order);
    runsWith(QStringLiteral("payee"), row.business.payee);
    runsWith(QStringLiteral("tool"), row.tool);
    runsWith(QStringLiteral("key"), row.key.hex());
    m_links->setCurrentRow(0);
}

void RunPage::follow(const QListWidgetItem *link)
{
    if (const QString suspect = link->data(kSuspectLink).toString(); !suspect.isEmpty())
        Q_EMIT suspectWanted(suspect);
    else
        Q_EMIT filterWanted(link->data(kFilterLink).toString());
}

QString RunPage::chainText() const
{
    return m_chain->text();
}

} // namespace reprise::ui

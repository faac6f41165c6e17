#include "core/inspect/show_text.h"
#include "core/inspect/text_table.h"
#include "core/report/parts.h"
#include "core/report/visible_text.h"

#include <algorithm>

namespace reprise {

namespace {

/// One line of a timeline before sorting. Events without a time keep their order at the end.
struct TimelineEvent
{
    std::optional<Time> at;
    const ActionRow *row = nullptr;
    std::int64_t attempt = 0;
    std::string what;
};

std::string withReason(const std::string &what, const std::string &reason)
{
    return reason.empty() ? what : what + ": " + reason;
}

std::string outcomeWords(OutcomeClass outcome)
{
    switch (outcome) {
    case OutcomeClass::Succeeded:
        return "succeeded";
    case OutcomeClass::Declined:
        return "declined";
    case OutcomeClass::NotSent:
        return "not sent";
    case OutcomeClass::Unknown:
        return "outcome not known";
    }
    return {};
}

bool isCall(AttemptKind kind)
{
    return kind == AttemptKind::Executed || kind == AttemptKind::ExecutedAgain
        || kind == AttemptKind::InDoubt;
}

/// What an attempt that called nothing was.
std::string answerWords(const AttemptRow &attempt)
{
    switch (attempt.kind) {
    case AttemptKind::Replayed:
        return attempt.sameAsOriginal && !*attempt.sameAsOriginal
            ? "replayed, with other bytes than the original"
            : "replayed from the record, the tool was not called";
    case AttemptKind::Conflict:
        return "conflict: asked with other args, refused";
    case AttemptKind::Busy:
        return "busy: another owner had the claim";
    case AttemptKind::Refused:
        return withReason("refused, nothing was sent", attempt.reason);
    case AttemptKind::Settled:
        return withReason(
            "settled by " + (attempt.owner.empty() ? "a rule" : attempt.owner), attempt.reason);
    case AttemptKind::LateReport:
        return withReason("late report of an old owner", attempt.note);
    case AttemptKind::Executed:
    case AttemptKind::ExecutedAgain:
    case AttemptKind::InDoubt:
        break;
    }
    return words(attempt.kind);
}

void addEvents(std::vector<TimelineEvent> &events, const ActionDetail &detail)
{
    for (const AttemptRow &attempt : detail.attempts) {
        const auto add = [&](const std::optional<Time> &at, const std::string &what) {
            events.push_back({at, &detail.row, attempt.n, what});
        };
        if (!isCall(attempt.kind)) {
            add(attempt.startedAt ? attempt.startedAt : attempt.endedAt, answerWords(attempt));
            continue;
        }
        add(attempt.startedAt,
            attempt.kind == AttemptKind::ExecutedAgain ? "dispatched again under the same key"
                                                       : "dispatched");
        if (attempt.outcome)
            add(attempt.endedAt, withReason(outcomeWords(*attempt.outcome), attempt.reason));
        else
            add(attempt.endedAt, "no outcome recorded");
    }
}

/// Names of the columns that say which action a row is about.
void addActionColumns(ReportTable &table)
{
    table.columns.push_back({"run_id", "Run", ColumnKind::Code});
    table.columns.push_back({"seq", "Seq", ColumnKind::Number});
}

std::string noteOf(const AttemptRow &attempt)
{
    std::string note = attempt.reason;
    for (const std::string &more : {attempt.note, attempt.locator})
        if (!more.empty())
            note += (note.empty() ? "" : "; ") + more;
    return note;
}

ReportCell sameCell(const AttemptRow &attempt)
{
    if (!attempt.sameAsOriginal)
        return {};
    return std::string(*attempt.sameAsOriginal ? "same bytes" : "other bytes");
}

ReportTable inDoubtTable(const ReportEvidence &evidence)
{
    ReportTable table;
    table.id = "in_doubt";
    table.title = "Now in doubt or in flight";
    table.whenEmpty = "no action of this scope.";
    addActionColumns(table);
    for (ReportColumn column : std::initializer_list<ReportColumn> {
             {"tool", "Tool", ColumnKind::Code}, {"state", "State", ColumnKind::Word},
             {"owner", "Owner", ColumnKind::Text}, {"amount", "Amount", ColumnKind::Money},
             {"payee", "Payee", ColumnKind::Text}, {"order", "Order", ColumnKind::Text},
             {"dispatched_at", "First dispatched", ColumnKind::Time},
             {"reason", "Reason", ColumnKind::Text, true}, {"key", "Key", ColumnKind::Code, true}})
        table.columns.push_back(std::move(column));
    for (const ActionRow &row : evidence.inDoubt) {
        const ActionDetail *detail = evidence.find(row.key);
        ReportCell owner;
        if (detail != nullptr && detail->ownerAlive)
            owner = std::string(*detail->ownerAlive ? "alive" : "dead");
        table.rows.push_back({textCell(row.runId), row.seq, textCell(row.tool), words(row.state),
            owner, moneyCell(row.business.amount), textCell(row.business.payee),
            textCell(row.business.order), timeCell(row.firstAt), textCell(row.reason),
            row.key.hex()});
    }
    return table;
}

ReportTable decisionsTable(const ReportEvidence &evidence)
{
    ReportTable table;
    table.id = "decisions";
    table.title = "Decisions that settled doubt";
    table.whenEmpty = "none in this scope.";
    addActionColumns(table);
    for (ReportColumn column : std::initializer_list<ReportColumn> {
             {"at", "Time", ColumnKind::Time}, {"decision", "Decision", ColumnKind::Text},
             {"by", "By", ColumnKind::Text}, {"reason", "Reason", ColumnKind::Text},
             {"evidence", "Evidence", ColumnKind::Text, true},
             {"provider_ref", "Provider reference", ColumnKind::Code, true},
             {"result_sha256", "Result SHA-256", ColumnKind::Code, true}})
        table.columns.push_back(std::move(column));
    for (const DecisionRow &row : evidence.decisions) {
        const Settled &settled = row.settled;
        const char *decision = "it did not land: failed";
        if (settled.decision == Decision::Landed)
            decision = "it landed, and this is its result";
        else if (settled.decision == Decision::Retry)
            decision = "it did not land: one more call allowed";
        table.rows.push_back({textCell(row.runId), row.seq, row.at, std::string(decision),
            textCell((settled.byProbe ? "probe " : "") + settled.by), textCell(settled.reason),
            textCell(settled.evidence),
            settled.result ? textCell(settled.result->reference) : ReportCell(),
            settled.result ? digestCell(settled.result->body) : ReportCell()});
    }
    return table;
}

ReportTable actionsTable(const ReportEvidence &evidence, const std::string &run)
{
    ReportTable table;
    table.id = "actions";
    table.title = "Actions";
    table.whenEmpty = "this run has 0 actions.";
    addActionColumns(table);
    for (ReportColumn column :
        std::initializer_list<ReportColumn> {{"tool", "Tool", ColumnKind::Code},
            {"state", "State", ColumnKind::Word}, {"amount", "Amount", ColumnKind::Money},
            {"payee", "Payee", ColumnKind::Text}, {"order", "Order", ColumnKind::Text},
            {"provider_ref", "Provider reference", ColumnKind::Code, true},
            {"executed", "Executed", ColumnKind::Number},
            {"replayed", "Replayed", ColumnKind::Number},
            {"executed_again", "Again", ColumnKind::Number},
            {"conflicts", "Conflicts", ColumnKind::Number},
            {"first_at", "First dispatched", ColumnKind::Time},
            {"key", "Key", ColumnKind::Code, true}})
        table.columns.push_back(std::move(column));
    for (const ActionDetail &detail : evidence.actions) {
        const ActionRow &row = detail.row;
        if (row.runId != run)
            continue;
        table.rows.push_back({textCell(row.runId), row.seq, textCell(row.tool), words(row.state),
            moneyCell(row.business.amount), textCell(row.business.payee),
            textCell(row.business.order), textCell(row.reference), row.executed, row.replayed,
            row.executedAgain, row.conflicts, timeCell(row.firstAt), row.key.hex()});
    }
    return table;
}

std::vector<const ActionDetail *> actionsOfRun(
    const ReportEvidence &evidence, const std::string &run)
{
    std::vector<const ActionDetail *> actions;
    for (const ActionDetail &detail : evidence.actions)
        if (detail.row.runId == run)
            actions.push_back(&detail);
    return actions;
}

} // namespace

ReportTable timelineTable(const ReportEvidence &evidence,
    const std::vector<const ActionDetail *> &actions, const std::string &id,
    const std::string &subject)
{
    std::vector<TimelineEvent> events;
    for (const ActionDetail *detail : actions) {
        const auto planned = evidence.planned.find(detail->row.key);
        // The journal of an imported record tells when it was imported, not when it was planned.
        if (planned != evidence.planned.end() && !detail->imported)
            events.push_back({planned->second.at, &detail->row, 0, "planned"});
        addEvents(events, *detail);
    }
    std::stable_sort(
        events.begin(), events.end(), [](const TimelineEvent &a, const TimelineEvent &b) {
            return a.at && (!b.at || *a.at < *b.at);
        });
    ReportTable table;
    table.id = id;
    table.title = "Timeline";
    table.subject = subject;
    table.whenEmpty = "nothing has happened yet.";
    table.columns = {{"at", "Time", ColumnKind::Time}, {"gap", "Gap", ColumnKind::Duration}};
    addActionColumns(table);
    table.columns.push_back({"tool", "Tool", ColumnKind::Code});
    table.columns.push_back({"attempt", "Attempt", ColumnKind::Number});
    table.columns.push_back({"event", "What happened", ColumnKind::Text});
    std::optional<Time> previous;
    std::int64_t withoutTime = 0;
    for (const TimelineEvent &event : events) {
        table.rows.push_back({timeCell(event.at), spanCell(previous, event.at),
            textCell(event.row->runId), event.row->seq, textCell(event.row->tool),
            event.attempt == 0 ? ReportCell() : ReportCell(event.attempt), textCell(event.what)});
        withoutTime += event.at ? 0 : 1;
        previous = event.at ? event.at : previous;
    }
    if (withoutTime > 0)
        table.note = counted(withoutTime, "event has", "events have")
            + " no recorded time; within an attempt they stand in order.";
    return table;
}

ReportTable attemptsTable(const std::vector<const ActionDetail *> &actions, const std::string &id,
    const std::string &subject)
{
    ReportTable table;
    table.id = id;
    table.title = "Retry proof: each attempt and what it was answered with";
    table.subject = subject;
    table.whenEmpty = "no attempt yet.";
    addActionColumns(table);
    for (ReportColumn column : std::initializer_list<ReportColumn> {{"n", "n", ColumnKind::Number},
             {"kind", "Kind", ColumnKind::Word}, {"outcome", "Outcome", ColumnKind::Word},
             {"started_at", "Started", ColumnKind::Time}, {"took", "Took", ColumnKind::Duration},
             {"owner", "By", ColumnKind::Text},
             {"sent_key", "Key sent downstream", ColumnKind::Code, true},
             {"provider_ref", "Provider reference", ColumnKind::Code, true},
             {"result_sha256", "Result SHA-256", ColumnKind::Code, true},
             {"same_as_original", "Against the original", ColumnKind::Text},
             {"note", "Note", ColumnKind::Text, true}})
        table.columns.push_back(std::move(column));
    std::int64_t calls = 0;
    std::int64_t answers = 0;
    for (const ActionDetail *detail : actions) {
        for (const AttemptRow &attempt : detail->attempts) {
            ++(isCall(attempt.kind) ? calls : answers);
            table.rows.push_back(
                {textCell(detail->row.runId), detail->row.seq, attempt.n, words(attempt.kind),
                    attempt.outcome ? textCell(outcomeWords(*attempt.outcome)) : ReportCell(),
                    timeCell(attempt.startedAt), spanCell(attempt.startedAt, attempt.endedAt),
                    textCell(attempt.owner), textCell(attempt.sentKey),
                    attempt.result ? textCell(attempt.result->reference) : ReportCell(),
                    attempt.result ? digestCell(attempt.result->body) : ReportCell(),
                    sameCell(attempt), textCell(noteOf(attempt))});
        }
    }
    if (!table.rows.empty())
        table.note = "The tool was called " + counted(calls, "time", "times") + "; "
            + counted(answers, "attempt was", "attempts were") + " answered without a call.";
    return table;
}

ReportSection inDoubtSection(const ReportEvidence &evidence)
{
    ReportSection section;
    section.title = "Doubt and decisions";
    section.blocks.emplace_back(inDoubtTable(evidence));
    section.blocks.emplace_back(decisionsTable(evidence));
    return section;
}

ReportSection runSection(const ReportEvidence &evidence)
{
    const RunRow &run = *evidence.run;
    ReportSection section;
    section.title = "The run";
    std::string plan = "revision " + std::to_string(run.run.revision);
    for (const auto &[on, text] : {std::pair {run.run.ordered, ", ordered"},
             std::pair {run.run.dryRun, ", dry run"}, std::pair {run.run.closed, ", closed"}})
        plan += on ? text : "";
    ReportFacts facts;
    facts.facts = {{"Run", run.run.runId}, {"Label", run.run.label}, {"Account", run.run.account},
        {"Environment", run.run.environment}, {"Plan", plan},
        {"First and last attempt", humanTime(run.firstAt) + " to " + humanTime(run.lastAt)}};
    if (run.run.imported)
        facts.facts.emplace_back("Imported from",
            run.source + "; keys were derived at import, no planner assigned them");
    section.blocks.emplace_back(std::move(facts));
    section.blocks.emplace_back(actionsTable(evidence, run.run.runId));
    const auto actions = actionsOfRun(evidence, run.run.runId);
    section.blocks.emplace_back(timelineTable(evidence, actions, "timeline", {}));
    section.blocks.emplace_back(attemptsTable(actions, "attempts", {}));
    return section;
}

ReportSection runsSection(const ReportEvidence &evidence)
{
    ReportSection section;
    section.title = "Runs";
    ReportTable table;
    table.id = "runs";
    table.title = "Runs, newest first";
    table.whenEmpty = "this store has 0 runs.";
    table.columns = {{"run_id", "Run", ColumnKind::Code}, {"label", "Label", ColumnKind::Text},
        {"first_at", "Started", ColumnKind::Time}, {"span", "Span", ColumnKind::Duration},
        {"actions", "Actions", ColumnKind::Number}, {"executed", "Executed", ColumnKind::Number},
        {"replayed", "Replayed", ColumnKind::Number},
        {"executed_again", "Again", ColumnKind::Number},
        {"in_doubt", "In doubt", ColumnKind::Number},
        {"conflicts", "Conflicts", ColumnKind::Number},
        {"source", "Imported from", ColumnKind::Text}};
    for (const RunRow &row : evidence.runs)
        table.rows.push_back({textCell(row.run.runId), textCell(row.run.label),
            timeCell(row.firstAt), spanCell(row.firstAt, row.lastAt), row.actions, row.executed,
            row.replayed, row.executedAgain, row.inDoubt, row.conflicts, textCell(row.source)});
    const auto listed = static_cast<std::int64_t>(evidence.runs.size());
    table.note = listed < evidence.totals.runs
        ? humanCount(listed) + " of " + counted(evidence.totals.runs, "run", "runs")
            + " are listed; the totals above cover all of them."
        : "All " + counted(listed, "run", "runs") + " of the store.";
    section.blocks.emplace_back(std::move(table));
    return section;
}

} // namespace reprise

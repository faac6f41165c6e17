#include "core/store/projector.h"

#include "core/model/contract.h"

#include <algorithm>

namespace reprise {

namespace {

/// What the projector has to know of an action before it changes it.
struct ActionNow
{
    std::int64_t id = 0;
    std::int64_t run = 0;
    ActionState state = ActionState::Planned;
    std::int64_t attempts = 0;
    std::int64_t calls = 0;
    bool hasResult = false;
    std::int64_t result = 0;
};

struct Columns
{
    std::string_view kind {};
    std::optional<std::string_view> outcome {};
    std::optional<std::int64_t> epoch {};
    std::optional<std::int64_t> startedAt {};
    std::optional<std::int64_t> endedAt {};
    std::optional<std::int64_t> owner {};
    std::string_view who {};
    std::string_view sentKey {};
    std::string_view permit {};
    std::optional<std::int64_t> result {};
    std::optional<Digest> args {};
    std::string_view reason {};
    std::string_view note {};
    std::string_view locator {};
    std::optional<Digest> toolLog {};
};

bool isOpen(ActionState state)
{
    return state == ActionState::InFlight || state == ActionState::InDoubt;
}

std::optional<std::int64_t> us(const std::optional<Time> &time)
{
    return time ? std::optional(time->us) : std::nullopt;
}

/// Applies one event; holds what the handlers share.
class Application
{
public:
    Application(SqliteDatabase &database, Projector::OwnerRow &owner, Time at, std::int64_t entry)
        : m_database(database)
        , m_ownerRow(owner)
        , m_at(at)
        , m_entry(entry)
    {
    }

    Result<void> operator()(const StoreCreated &event)
    {
        return run("INSERT INTO store (id, store_id, kind, created_at) VALUES (1, ?, ?, ?)",
            event.storeId, name(event.kind), m_at.us);
    }

    Result<void> operator()(const ContractBound &event)
    {
        ASSIGN_OR_RETURN(const Json json, Json::parse(event.text, "contract"));
        ASSIGN_OR_RETURN(const ToolContract contract, ToolContract::fromJson(json, "contract"));
        return run("INSERT INTO contract (sha256, tool, version, timeout_ms, text) "
                   "VALUES (?, ?, ?, ?, ?)",
            event.digest, event.tool, event.version, contract.timeoutMs, event.text);
    }

    Result<void> operator()(const RunPlanned &event)
    {
        if (event.revision == 1)
            RETURN_IF_ERROR(run("INSERT INTO run (run_id, revision, seq_max, label, ordered, "
                                "environment, account, dry_run, imported, source) "
                                "VALUES (?, 1, -1, ?, ?, ?, ?, ?, ?, ?)",
                event.runId, event.label, event.ordered, event.environment, event.account,
                event.dryRun, event.imported, event.source));
        else
            RETURN_IF_ERROR(
                run("UPDATE run SET revision = ? WHERE run_id = ?", event.revision, event.runId));
        return run("INSERT INTO plan_revision (run, revision, content, planned_at) "
                   "SELECT id, revision, ?, ? FROM run WHERE run_id = ?",
            event.content, m_at.us, event.runId);
    }

    Result<void> operator()(const ActionPlanned &event)
    {
        const Business &business = event.business;
        const auto currency = business.amount
            ? std::optional<std::string_view>(business.amount->currency)
            : std::nullopt;
        const auto minor = business.amount ? std::optional(business.amount->minor) : std::nullopt;
        RETURN_IF_ERROR(run("INSERT INTO action (run, seq, revision, key, key_derived_at_import, "
                            "tool, side_effect, "
                            "contract, fingerprint, args, state, state_entry, business_kind, "
                            "currency, amount_minor, "
                            "payee, order_ref, undoes) "
                            "SELECT run.id, ?, run.revision, ?, ?, ?, ?, contract.id, ?, ?, "
                            "'planned', ?, ?, ?, ?, ?, "
                            "?, ? FROM run, contract WHERE run.run_id = ? AND contract.sha256 = ?",
            event.seq, event.key.digest, event.keyDerivedAtImport, event.tool, event.sideEffect,
            event.fingerprint, event.args, m_entry, name(business.kind), currency, minor,
            business.payee, business.order, business.undoes, event.runId, event.contract));
        if (m_database.changes() != 1)
            return fail(ErrorCode::StoreDamaged,
                "an action was planned without its run or contract",
                "entry " + std::to_string(m_entry));
        return run(
            "UPDATE run SET actions = actions + 1, seq_max = max(seq_max, ?) WHERE run_id = ?",
            event.seq, event.runId);
    }

    Result<void> operator()(const Claimed &event)
    {
        ASSIGN_OR_RETURN(const ActionNow action, load(event.key));
        ASSIGN_OR_RETURN(const std::int64_t owner, ownerRow(event.owner));
        ASSIGN_OR_RETURN(const bool again, wasCalled(action));
        const auto pid = event.toolProcess ? std::optional(event.toolProcess->pid) : std::nullopt;
        const auto ticks
            = event.toolProcess ? std::optional(event.toolProcess->startTicks) : std::nullopt;
        RETURN_IF_ERROR(run("UPDATE action SET state = 'in_flight', reason = '', state_entry = ?, "
                            "attempts = attempts + 1, calls = calls + 1, next_permit = NULL, "
                            "executed = executed + ?, executed_again = executed_again + ?, "
                            "claim_attempt = ?, claim_epoch = ?, claim_owner = ?, claim_pid = ?, "
                            "claim_ticks = ?, claim_sent_key = ?, claim_at = ?, "
                            "first_at = coalesce(first_at, ?) WHERE id = ?",
            m_entry, !again, again, event.attempt, event.epoch, owner, pid, ticks, event.sentKey,
            m_at.us, m_at.us, action.id));
        Columns attempt;
        attempt.kind = name(again ? AttemptKind::ExecutedAgain : AttemptKind::Executed);
        attempt.epoch = event.epoch;
        attempt.startedAt = m_at.us;
        attempt.owner = owner;
        attempt.sentKey = event.sentKey;
        attempt.permit = name(event.permit);
        RETURN_IF_ERROR(insertAttempt(action, attempt));
        RunChange change = changeOfState(action.state, ActionState::InFlight);
        change.executed = again ? 0 : 1;
        change.executedAgain = again ? 1 : 0;
        change.firstAt = m_at.us;
        change.lastAt = m_at.us;
        return changeRun(action, change);
    }

    Result<void> operator()(const OutcomeRecorded &event)
    {
        ASSIGN_OR_RETURN(const ActionNow action, load(event.key));
        ASSIGN_OR_RETURN(const auto result, resultRow(event.result));
        const bool unknown = event.outcome == OutcomeClass::Unknown;
        // An attempt whose outcome is not known is one in doubt, whatever it was when it began.
        RETURN_IF_ERROR(
            run("UPDATE attempt SET outcome = ?, ended_at = ?, reason = ?, result = ?, "
                "tool_log = ?, kind = iif(?, 'in_doubt', kind) WHERE action = ? AND n = ?",
                name(event.outcome), m_at.us, event.reason, result, event.toolLog, unknown,
                action.id, event.attempt));
        // A call that was authorised while an earlier one was in doubt says nothing about that one
        // unless it succeeded: the doubt stays.
        bool doubtStays = false;
        if (event.outcome == OutcomeClass::NotSent || event.outcome == OutcomeClass::Declined) {
            ASSIGN_OR_RETURN(doubtStays, claimedOutOfDoubt(action, event.attempt));
        }
        if (event.outcome == OutcomeClass::NotSent) {
            // It did not happen: it does not count as a call of the tool.
            ASSIGN_OR_RETURN(const bool again, attemptWas(action, event.attempt, "executed_again"));
            RETURN_IF_ERROR(count(action, again ? "executed_again" : "executed", -1));
            if (!doubtStays) {
                RETURN_IF_ERROR(permitNext(action, Permit::NotSent));
                return moveTo(action, ActionState::Planned, event.reason);
            }
        }
        if (doubtStays)
            return moveTo(action, ActionState::InDoubt,
                "an earlier call is still in doubt; the call that was made again was "
                    + std::string(event.outcome == OutcomeClass::NotSent ? "not sent" : "declined")
                    + (event.reason.empty() ? "" : ": " + event.reason));
        if (unknown)
            return moveTo(action, ActionState::InDoubt, event.reason);
        const ActionState state = event.outcome == OutcomeClass::Succeeded ? ActionState::Succeeded
                                                                           : ActionState::Failed;
        RETURN_IF_ERROR(run("UPDATE action SET state = ?, reason = ?, state_entry = ?, result = ?, "
                            "outcome_at = ?, acceptance = ?, "
                            "recorded_by = coalesce((SELECT host || ':' || pid FROM owner "
                            "WHERE owner.id = action.claim_owner), '') WHERE id = ?",
            name(state), event.reason, m_entry, result, m_at.us, event.acceptance, action.id));
        RunChange change = changeOfState(action.state, state);
        change.lastAt = m_at.us;
        return changeRun(action, change);
    }

    Result<void> operator()(const DoubtRaised &event)
    {
        ASSIGN_OR_RETURN(const ActionNow action, load(event.key));
        RETURN_IF_ERROR(run("UPDATE attempt SET outcome = 'unknown', kind = 'in_doubt', reason = ? "
                            "WHERE action = ? AND n = ?",
            event.reason, action.id, event.attempt));
        return moveTo(action, ActionState::InDoubt, event.reason);
    }

    Result<void> operator()(const AttemptAnswered &event)
    {
        ASSIGN_OR_RETURN(const ActionNow action, load(event.key));
        Columns attempt;
        attempt.kind = name(event.kind);
        attempt.startedAt = m_at.us;
        attempt.endedAt = m_at.us;
        attempt.args = event.args;
        attempt.note = event.note;
        if (event.by) {
            ASSIGN_OR_RETURN(attempt.owner, ownerRow(*event.by));
        }
        if (event.kind == AttemptKind::Replayed && action.hasResult)
            attempt.result = action.result;
        RETURN_IF_ERROR(insertAttempt(action, attempt));
        RunChange change;
        change.replayed = event.kind == AttemptKind::Replayed ? 1 : 0;
        change.conflicts = event.kind == AttemptKind::Conflict ? 1 : 0;
        change.firstAt = m_at.us;
        change.lastAt = m_at.us;
        RETURN_IF_ERROR(run("UPDATE action SET attempts = attempts + 1, replayed = replayed + ?, "
                            "conflicts = conflicts + ? WHERE id = ?",
            change.replayed, change.conflicts, action.id));
        return changeRun(action, change);
    }

    Result<void> operator()(const Settled &event)
    {
        ASSIGN_OR_RETURN(const ActionNow action, load(event.key));
        ASSIGN_OR_RETURN(const auto result, resultRow(event.result));
        Columns attempt;
        attempt.kind = name(AttemptKind::Settled);
        const bool landed = event.decision == Decision::Landed;
        attempt.outcome = name(landed               ? OutcomeClass::Succeeded
                : event.decision == Decision::Retry ? OutcomeClass::NotSent
                                                    : OutcomeClass::Declined);
        attempt.startedAt = m_at.us;
        attempt.endedAt = m_at.us;
        attempt.who = event.by;
        attempt.result = result;
        attempt.reason = event.reason;
        const std::string note = std::string(name(event.decision))
            + (event.evidence.empty() ? "" : "; evidence: " + event.evidence);
        attempt.note = note;
        RETURN_IF_ERROR(addAttempt(action, attempt));
        if (event.decision == Decision::Retry) {
            RETURN_IF_ERROR(
                permitNext(action, event.byProbe ? Permit::NotApplied : Permit::Operator));
            return moveTo(action, ActionState::Planned, event.reason);
        }
        RETURN_IF_ERROR(run("UPDATE action SET result = ?, outcome_at = ?, acceptance = ?, "
                            "recorded_by = ? WHERE id = ?",
            result, m_at.us, event.acceptance, event.by, action.id));
        return moveTo(action, landed ? ActionState::Succeeded : ActionState::Failed, event.reason);
    }

    Result<void> operator()(const ReportedLate &event)
    {
        ASSIGN_OR_RETURN(const ActionNow action, load(event.key));
        ASSIGN_OR_RETURN(const auto result, resultRow(event.result));
        Columns attempt;
        attempt.kind = name(AttemptKind::LateReport);
        attempt.outcome = name(event.outcome);
        attempt.epoch = event.epoch;
        attempt.startedAt = m_at.us;
        attempt.endedAt = m_at.us;
        attempt.result = result;
        attempt.note = event.note;
        return addAttempt(action, attempt);
    }

    Result<void> operator()(const ActionCancelled &event)
    {
        ASSIGN_OR_RETURN(const ActionNow action, load(event.key));
        RETURN_IF_ERROR(run("UPDATE action SET recorded_by = ?, outcome_at = ? WHERE id = ?",
            event.by, m_at.us, action.id));
        return moveTo(action, ActionState::Cancelled, {});
    }

    Result<void> operator()(const RunClosed &event)
    {
        return run("UPDATE run SET closed = 1 WHERE run_id = ?", event.runId);
    }

    Result<void> operator()(const AttemptImported &event)
    {
        ASSIGN_OR_RETURN(const ActionNow action, load(event.key));
        ASSIGN_OR_RETURN(const auto result, resultRow(event.result));
        Columns attempt;
        attempt.kind = name(event.kind);
        attempt.outcome = name(event.outcome);
        attempt.startedAt = us(event.startedAt);
        attempt.endedAt = us(event.endedAt);
        attempt.sentKey = event.sentKey;
        attempt.result = result;
        attempt.reason = event.reason;
        attempt.note = event.note;
        attempt.locator = event.locator;
        RETURN_IF_ERROR(addAttempt(action, attempt));
        const bool replayed = event.kind == AttemptKind::Replayed;
        const bool again = event.kind == AttemptKind::ExecutedAgain;
        // What was not sent did not happen: it does not count as a call of the tool.
        if (event.outcome != OutcomeClass::NotSent)
            RETURN_IF_ERROR(count(action,
                replayed    ? "replayed"
                    : again ? "executed_again"
                            : "executed",
                1));
        if (!replayed)
            RETURN_IF_ERROR(
                run("UPDATE action SET calls = calls + 1, first_at = coalesce(first_at, ?) "
                    "WHERE id = ?",
                    us(event.startedAt), action.id));
        // The first success is the record; what came later stands in the attempts. A replay whose
        // original is not in the record proves that there was one.
        if (action.state == ActionState::Succeeded || event.outcome == OutcomeClass::NotSent)
            return {};
        if (event.outcome == OutcomeClass::Unknown)
            return moveTo(action, ActionState::InDoubt, event.reason);
        // A later refusal says nothing about an earlier call that may have landed.
        if (event.outcome == OutcomeClass::Declined && action.state == ActionState::InDoubt)
            return {};
        RETURN_IF_ERROR(run("UPDATE action SET result = ?, outcome_at = ? WHERE id = ?", result,
            us(event.endedAt), action.id));
        return moveTo(action,
            event.outcome == OutcomeClass::Succeeded ? ActionState::Succeeded : ActionState::Failed,
            event.reason);
    }

private:
    template <typename... Values> Result<void> run(const char *sql, const Values &...values)
    {
        ASSIGN_OR_RETURN(SqliteStatement statement, m_database.prepare(sql));
        (statement.bind(values), ...);
        return statement.run();
    }

    Result<ActionNow> load(const Key &key)
    {
        ASSIGN_OR_RETURN(SqliteStatement statement,
            m_database.prepare("SELECT id, run, state, attempts, calls, result FROM action "
                               "WHERE key = ?"));
        statement.bind(key.digest);
        ASSIGN_OR_RETURN(const bool row, statement.step());
        const auto state = row ? actionStateFrom(statement.text(2)) : std::nullopt;
        if (!state)
            return fail(ErrorCode::StoreDamaged, "an event names an action that was never planned",
                "entry " + std::to_string(m_entry) + ", key " + key.hex());
        return ActionNow {statement.integer(0), statement.integer(1), *state, statement.integer(3),
            statement.integer(4), !statement.isNull(5), statement.integer(5)};
    }

    /// Has the tool been called under this key before, as far as anybody knows?
    Result<bool> wasCalled(const ActionNow &action)
    {
        if (action.calls == 0)
            return false;
        ASSIGN_OR_RETURN(SqliteStatement statement,
            m_database.prepare(
                "SELECT 1 FROM attempt WHERE action = ? AND kind IN ('executed', "
                "'executed_again', 'in_doubt') AND outcome IS NOT 'not_sent' LIMIT 1"));
        statement.bind(action.id);
        return statement.step();
    }

    Result<bool> attemptWas(const ActionNow &action, std::int64_t n, const char *kind)
    {
        ASSIGN_OR_RETURN(SqliteStatement statement,
            m_database.prepare("SELECT 1 FROM attempt WHERE action = ? AND n = ? AND kind = ?"));
        statement.bind(action.id).bind(n).bind(kind);
        return statement.step();
    }

    /// Was attempt `n` authorised by a rule that lets a call be made again although an earlier one
    /// may have landed?
    Result<bool> claimedOutOfDoubt(const ActionNow &action, std::int64_t n)
    {
        ASSIGN_OR_RETURN(SqliteStatement statement,
            m_database.prepare("SELECT 1 FROM attempt WHERE action = ? AND n = ? "
                               "AND permit IN ('forwarding', 'repeatable')"));
        statement.bind(action.id).bind(n);
        return statement.step();
    }

    Result<std::int64_t> ownerRow(const Owner &owner)
    {
        if (m_ownerRow.ownerId == owner.id)
            return m_ownerRow.id;
        RETURN_IF_ERROR(run("INSERT INTO owner (owner_id, host, boot_id, pid, start_ticks) "
                            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (owner_id) DO NOTHING",
            owner.id, owner.host, owner.bootId, owner.pid, owner.startTicks));
        ASSIGN_OR_RETURN(SqliteStatement statement,
            m_database.prepare("SELECT id FROM owner WHERE owner_id = ?"));
        statement.bind(owner.id);
        ASSIGN_OR_RETURN(const bool row, statement.step());
        if (row)
            m_ownerRow = {owner.id, statement.integer(0)};
        return m_ownerRow.id;
    }

    Result<std::optional<std::int64_t>> resultRow(const std::optional<RecordedResult> &result)
    {
        if (!result)
            return std::optional<std::int64_t>();
        RETURN_IF_ERROR(run("INSERT INTO result (status, content_type, complete, body, body_bytes, "
                            "reference, recorded_at, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            result->status, result->contentType, result->complete, result->body, result->bodyBytes,
            result->reference, result->recordedAt.us, name(result->source)));
        return std::optional(m_database.lastInsertRowId());
    }

    Result<void> insertAttempt(const ActionNow &action, const Columns &a)
    {
        return run("INSERT INTO attempt (action, n, kind, outcome, epoch, started_at, "
                   "ended_at, owner, who, sent_key, permit, result, args, reason, note, "
                   "locator, tool_log) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            action.id, action.attempts + 1, a.kind, a.outcome, a.epoch, a.startedAt, a.endedAt,
            a.owner, a.who, a.sentKey, a.permit, a.result, a.args, a.reason, a.note, a.locator,
            a.toolLog);
    }

    /// The attempt, the action's number of attempts and the run's time span.
    Result<void> addAttempt(const ActionNow &action, const Columns &a)
    {
        RETURN_IF_ERROR(insertAttempt(action, a));
        RETURN_IF_ERROR(run("UPDATE action SET attempts = attempts + 1 WHERE id = ?", action.id));
        if (!a.startedAt)
            return {};
        RunChange change;
        change.firstAt = a.startedAt;
        change.lastAt = std::max(*a.startedAt, a.endedAt.value_or(*a.startedAt));
        return changeRun(action, change);
    }

    /// What one event adds to the summary of a run.
    struct RunChange
    {
        int executed = 0;
        int executedAgain = 0;
        int replayed = 0;
        int conflicts = 0;
        int inDoubt = 0;
        int failed = 0;
        std::optional<std::int64_t> firstAt {};
        std::optional<std::int64_t> lastAt {};
    };

    static RunChange changeOfState(ActionState from, ActionState to)
    {
        RunChange change;
        change.inDoubt = int(isOpen(to)) - int(isOpen(from));
        change.failed = int(to == ActionState::Failed) - int(from == ActionState::Failed);
        return change;
    }

    /// One statement for every event, so that a run's row is written once. `first_at`, which has an
    /// index, is only touched where it changes: writing an index costs a page, equal value or not.
    Result<void> changeRun(const ActionNow &action, const RunChange &change)
    {
        if (change.executedAgain != 0 || change.conflicts != 0)
            RETURN_IF_ERROR(run("UPDATE run SET executed_again = executed_again + ?, "
                                "conflicts = conflicts + ? WHERE id = ?",
                change.executedAgain, change.conflicts, action.run));
        if (change.firstAt)
            RETURN_IF_ERROR(run("UPDATE run SET first_at = ? "
                                "WHERE id = ? AND (first_at IS NULL OR first_at > ?)",
                *change.firstAt, action.run, *change.firstAt));
        if (change.executed == 0 && change.replayed == 0 && change.inDoubt == 0
            && change.failed == 0 && !change.lastAt)
            return {};
        return run("UPDATE run SET executed = executed + ?, replayed = replayed + ?, "
                   "in_doubt = in_doubt + ?, failed = failed + ?, "
                   "last_at = coalesce(max(coalesce(last_at, ?), ?), last_at) WHERE id = ?",
            change.executed, change.replayed, change.inDoubt, change.failed, change.lastAt,
            change.lastAt, action.run);
    }

    /// Adds to a counter of the action and of its run. `column` is one of our own words, never
    /// data.
    Result<void> count(const ActionNow &action, const std::string &column, int change)
    {
        const std::string set = " SET " + column + " = " + column + " + ? WHERE id = ?";
        RETURN_IF_ERROR(run(("UPDATE action" + set).c_str(), change, action.id));
        return run(("UPDATE run" + set).c_str(), change, action.run);
    }

    Result<void> permitNext(const ActionNow &action, Permit permit)
    {
        return run("UPDATE action SET next_permit = ? WHERE id = ?", name(permit), action.id);
    }

    Result<void> moveTo(const ActionNow &action, ActionState state, std::string_view reason)
    {
        RETURN_IF_ERROR(run("UPDATE action SET state = ?, reason = ?, state_entry = ? WHERE id = ?",
            name(state), reason, m_entry, action.id));
        return changeRun(action, changeOfState(action.state, state));
    }

    SqliteDatabase &m_database;
    Projector::OwnerRow &m_ownerRow;
    Time m_at;
    std::int64_t m_entry;
};

} // namespace

Result<void> Projector::apply(const Event &event, std::int64_t entry)
{
    return std::visit(Application(m_database, m_owner, event.at, entry), event.body);
}

} // namespace reprise

#include "core/executor/executor.h"

#include "core/base/sha256.h"
#include "core/executor/liveness_lock.h"
#include "core/executor/plan.h"
#include "core/executor/process.h"
#include "core/executor/recording.h"
#include "core/executor/settlement.h"
#include "core/executor/spool.h"
#include "core/key/key.h"
#include "core/store/liveness.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>

namespace reprise {

namespace {

/// How often a decision is taken again because the action changed meanwhile.
constexpr int kRoundsMax = 1000;
/// How often an action that no plan holds is planned, while others plan in the same run.
constexpr int kPlanTriesMax = 100;
/// How often the outcome is offered to a store that does not take it, and the pause between.
constexpr int kOutcomeTriesMax = 20;
constexpr int kOutcomePauseMs = 50;
/// The pause between two looks at another owner's action.
constexpr int kWaitPauseMs = 10;

void pauseMs(int ms)
{
    ::poll(nullptr, 0, ms);
}

/// Part of a forwarding window that is not used: the provider's clock and ours may differ, and the
/// request takes time to arrive.
std::int64_t windowMarginUs(std::int64_t retentionUs)
{
    constexpr std::int64_t kMarginUsMax = 5LL * 60 * 1'000'000;
    return std::min(kMarginUsMax, retentionUs / 10);
}

class ExecutorImpl final : public Executor
{
public:
    ExecutorImpl(Store &store, ToolRunner &runner, ExecutorOptions options, Owner owner,
        Result<LivenessLock> lock)
        : m_store(store)
        , m_runner(runner)
        , m_options(std::move(options))
        , m_owner(std::move(owner))
        , m_lock(std::move(lock))
        , m_processId(::getpid())
    {
    }

    [[nodiscard]] ExecuteReport execute(const ExecuteRequest &request) override
    {
        ExecuteReport report {answers::Refused {}, deriveKey(request.run, request.seq), {}, 0, {}};
        if (::getpid() != m_processId) {
            report.answer = answers::Refused {{ErrorCode::Internal,
                "this executor belongs to the process that made it, not to a child of it", {}, {}}};
            return report;
        }
        Round round {request, report, {}, {}};
        if (request.args) {
            auto parsed = Json::parse(*request.args, "args");
            if (!parsed) {
                report.answer = answers::Refused {parsed.error()};
                return report;
            }
            round.args = std::move(*parsed);
        }
        const auto deadline = std::chrono::steady_clock::now()
            + std::chrono::milliseconds(std::max<std::int64_t>(request.waitMsMax, 0));
        for (int i = 0; i < kRoundsMax; ++i) {
            if (decide(round, std::chrono::steady_clock::now() >= deadline))
                return report;
        }
        refuse(round,
            {ErrorCode::StoreBusy,
                "the action changed " + std::to_string(kRoundsMax)
                    + " times while it was looked at",
                place(request), "try again"});
        return report;
    }

    [[nodiscard]] const Owner &owner() const override { return m_owner; }

private:
    struct Round
    {
        const ExecuteRequest &request;
        ExecuteReport &report;
        std::optional<Json> args; ///< what the agent asks for now
        std::optional<ToolAnswer> called; ///< the tool was called in this round, and answered this
    };

    static std::string place(const ExecuteRequest &request)
    {
        return "run " + printable(request.run.bytes(), 80) + ", seq "
            + std::to_string(request.seq.value());
    }

    /// "Refused" says that nothing was sent; once the tool was called, that can never be the
    /// answer.
    static bool refuse(Round &round, Error error)
    {
        if (round.called) {
            round.report.answer
                = answers::ExecutedUnrecorded {std::move(*round.called), std::move(error)};
            return true;
        }
        round.report.answer = answers::Refused {std::move(error)};
        return true;
    }

    /// One look and one step by the table of design section 4. True when the report is complete;
    /// false when the action changed and has to be looked at again.
    bool decide(Round &round, bool lastLook)
    {
        auto found = m_store.find(round.report.key);
        if (!found)
            return refuse(round, found.error());
        if (!*found)
            return planUnseen(round);
        const ActionRecord &record = **found;
        round.report.state = record.state;
        round.report.attempt = record.attempts;
        if (record.claim)
            round.report.sentKey = record.claim->sentKey;
        if (const auto conflict = conflictWith(round, record)) {
            if (!conflict->has_value())
                return refuse(round, conflict->error());
            return answerConflict(round, record, **conflict);
        }
        switch (record.state) {
        case ActionState::Planned:
            return claimAndCall(round, record, record.nextPermit.value_or(Permit::First));
        case ActionState::InFlight:
            return lookAtOwner(round, record, lastLook);
        case ActionState::Succeeded:
        case ActionState::Failed:
        case ActionState::Cancelled:
            return replay(round, record);
        case ActionState::InDoubt:
            return tryToSettle(round, record);
        }
        return refuse(round, {ErrorCode::Internal, "unknown state", place(round.request), {}});
    }

    /// An action that no plan holds is planned now, if the agent says what it is; then it is looked
    /// at again like any other.
    bool planUnseen(Round &round)
    {
        if (!round.request.tool || !round.request.args)
            return refuse(round,
                {ErrorCode::NotFound, "no plan in this store holds this action",
                    place(round.request), "plan it first"});
        // Somebody else may plan the same revision meanwhile: then the next one is tried.
        for (int i = 0; i < kPlanTriesMax; ++i) {
            const auto known = m_store.findRun(round.request.run);
            if (!known)
                return refuse(round, known.error());
            Plan plan;
            plan.runId = round.request.run.bytes();
            plan.revision = *known ? (*known)->revision + 1 : 1;
            if (*known) {
                plan.label = (*known)->label;
                plan.ordered = (*known)->ordered;
                plan.environment = (*known)->environment;
                plan.account = (*known)->account;
                plan.dryRun = (*known)->dryRun;
            }
            plan.actions.push_back(
                {round.request.seq.value(), *round.request.tool, *round.request.args});
            const auto written = writePlan(m_store, m_options.clock, plan,
                m_options.tools == nullptr ? ToolSet {} : *m_options.tools);
            if (written)
                return false;
            if (written.error().code != ErrorCode::Conflict)
                return refuse(round, written.error());
            const auto record = m_store.find(round.report.key);
            if (!record)
                return refuse(round, record.error());
            if (*record)
                return false;
            const auto now = m_store.findRun(round.request.run);
            if (!now)
                return refuse(round, now.error());
            if (*now && (*now)->revision < plan.revision)
                return refuse(round, written.error()); // nobody was faster: the run takes no more
        }
        return refuse(round,
            {ErrorCode::StoreBusy, "others planned actions of this run all the time",
                place(round.request), "try again"});
    }

    /// Nothing where the request means the recorded action; else how it differs.
    std::optional<Result<answers::Conflict>> conflictWith(Round &round, const ActionRecord &record)
    {
        const std::string tool = round.request.tool.value_or(record.tool);
        if (!round.args && tool == record.tool)
            return std::nullopt;
        const auto recordedBytes = m_store.body(record.args);
        if (!recordedBytes)
            return tl::unexpected(recordedBytes.error());
        std::optional<Json> recorded;
        if (*recordedBytes) {
            auto parsed = Json::parse(**recordedBytes, "recorded args");
            if (parsed)
                recorded = std::move(*parsed);
        }
        if (round.args) {
            const Digest given
                = fingerprint({tool, record.contract.version, record.environment, record.account,
                                  record.dryRun, record.contract.ignore},
                    *round.args);
            if (given == record.fingerprint)
                return std::nullopt;
        }
        answers::Conflict conflict;
        if (tool != record.tool)
            conflict.what = "tool recorded " + record.tool + ", given " + tool;
        if (round.args && recorded)
            conflict.differences = jsonDifferences(*recorded, *round.args, record.contract.ignore);
        for (const FieldDifference &field : conflict.differences)
            conflict.what += (conflict.what.empty() ? "" : ", ")
                + (field.pointer.empty() ? "args" : field.pointer) + " recorded " + field.recorded
                + ", given " + field.given;
        return Result<answers::Conflict>(std::move(conflict));
    }

    bool answerConflict(Round &round, const ActionRecord &record, answers::Conflict conflict)
    {
        AttemptAnswered attempt {record.key, AttemptKind::Conflict, m_owner, {}, conflict.what};
        std::vector<Body> bodies;
        if (round.request.args) {
            attempt.args = Sha256::of(*round.request.args);
            bodies.push_back({*attempt.args, *round.request.args});
        }
        note(round, record, std::move(attempt), bodies);
        round.report.answer = std::move(conflict);
        return true;
    }

    /// Records an attempt that called nothing. The answer stands even where a store cannot take the
    /// note: a replay from a read-only store is better than none.
    void note(Round &round, const ActionRecord &record, AttemptAnswered attempt,
        std::span<const Body> bodies = {})
    {
        // A power cut may take the note of an answer that authorised nothing.
        const bool lazy
            = attempt.kind == AttemptKind::Replayed || attempt.kind == AttemptKind::Busy;
        const std::array events {Event {m_options.clock.now(), std::move(attempt)}};
        const auto written = m_store.append(events, bodies, {},
            lazy && !m_options.durableReplays ? Durability::Lazy : Durability::Full);
        if (written)
            round.report.attempt = record.attempts + 1;
    }

    /// The contract to call by: the bound one, with the program of the one offered now. Refused
    /// where the offered one is missing or of another version or ignore list.
    Result<ToolContract> contractFor(const ActionRecord &record) const
    {
        if (m_options.tools == nullptr)
            return record.contract;
        const ToolContract *offered = m_options.tools->find(record.tool);
        if (offered == nullptr)
            return fail(ErrorCode::InvalidInput,
                "tool \"" + printable(record.tool, 60) + "\" is not in the tools file");
        if (offered->version != record.contract.version
            || offered->ignore != record.contract.ignore)
            return fail(ErrorCode::InvalidInput,
                "the contract of tool \"" + printable(record.tool, 60)
                    + "\" has another version or ignore list than the one bound when it was "
                      "planned",
                {}, "use the tools file that the plan was made with");
        if (record.contract.digest() == ToolContract::undeclared(record.tool).digest())
            return *offered;
        ToolContract contract = record.contract;
        contract.command = offered->command;
        contract.probe = offered->probe;
        contract.timeoutMs = offered->timeoutMs;
        return contract;
    }

    /// In a run that was declared ordered, every lower seq has to be final first.
    Result<void> checkOrder(const ActionRecord &record)
    {
        if (!record.runOrdered)
            return {};
        ASSIGN_OR_RETURN(const RunId run, RunId::parse(record.runId));
        ASSIGN_OR_RETURN(const auto seqs, m_store.seqsOf(run, 0));
        for (const std::int64_t value : seqs) {
            if (value >= record.seq)
                break;
            ASSIGN_OR_RETURN(const Seq seq, Seq::of(value));
            ASSIGN_OR_RETURN(const auto before, m_store.find(deriveKey(run, seq)));
            if (before && !isFinal(before->state))
                return fail(ErrorCode::InvalidInput,
                    "the run is ordered, and seq " + std::to_string(value) + " is "
                        + std::string(name(before->state)));
        }
        return {};
    }

    bool claimAndCall(Round &round, const ActionRecord &record, Permit permit)
    {
        const auto refuseHere = [&](Error error) {
            if (error.where.empty())
                error.where = place(round.request);
            note(round, record, {record.key, AttemptKind::Refused, m_owner, {}, error.text()});
            return refuse(round, std::move(error));
        };
        // One request makes one call, whatever has happened to its claim meanwhile.
        if (round.called)
            return refuse(round,
                {ErrorCode::Conflict,
                    "the claim was taken away while the tool worked; its answer is kept as a late "
                    "report",
                    place(round.request), "look at the action"});
        if (record.imported)
            return refuse(round,
                {ErrorCode::InvalidInput, "is a record of another system and cannot be executed",
                    place(round.request), {}});
        if (record.runClosed && record.calls == 0)
            return refuseHere({ErrorCode::InvalidInput, "the run is closed", {}, {}});
        if (const auto inOrder = checkOrder(record); !inOrder)
            return refuseHere(inOrder.error());
        const auto contract = contractFor(record);
        if (!contract)
            return refuseHere(contract.error());
        const auto args = m_store.body(record.args);
        if (!args)
            return refuseHere(args.error());
        if (!*args)
            return refuseHere({ErrorCode::StoreDamaged, "its args were pruned", {}, {}});

        if (const auto ready = readyForEffects(); !ready)
            return refuseHere(ready.error());
        const bool sendsKey = contract->sideEffect && !contract->keyEnv.empty();
        const ToolCall call {record.runId, record.seq, record.attempts + 1, **args,
            sendsKey ? formatKey(record.key, record.contract.keyForm) : std::string(), *contract};
        auto prepared = m_runner.prepare(call);
        if (!prepared) {
            note(round, record,
                {record.key, AttemptKind::Refused, m_owner, {}, prepared.error().text()});
            round.report.answer = answers::NotSent {prepared.error().text()};
            return true;
        }
        step(Step::BeforeClaim);
        // Epochs grow; the serial number keeps two callers of this executor apart, who may claim
        // from the same state.
        const std::int64_t epoch = (record.claim ? record.claim->epoch : 0) + ++m_claims;
        const Time at = m_options.clock.now();
        if (permit == Permit::Forwarding && !forwardingOpen(record, at)) {
            round.report.answer = inDoubtAnswer(record);
            return true;
        }
        const std::array claim {Event {at,
            Claimed {record.key, call.attempt, epoch, m_owner, (*prepared)->process(), call.sentKey,
                permit}}};
        const std::array seen {
            Precondition {record.key, record.stateEntry, record.attempts, record.calls == 0}};
        const auto claimed = m_store.append(claim, {}, seen);
        if (!claimed)
            return claimFailed(round, record, epoch, claimed.error());
        round.report.attempt = call.attempt;
        round.report.sentKey = call.sentKey;
        step(Step::AfterClaim);
        ToolAnswer answer {OutcomeClass::NotSent, {},
            "the claim was taken away, or the forwarding window closed, before the call", {}, {}};
        if (mayStillCall(record, permit, claimed->lastEntry)) {
            answer = (*prepared)->run();
            round.called = answer;
        }
        step(Step::AfterCall);
        const bool done
            = recordOutcome(round, record, call, epoch, claimed->lastEntry, std::move(answer));
        step(Step::AfterRecord);
        return done;
    }

    /// The last look before the call: a process that was stopped for a day may have lost its claim,
    /// or come too late for the provider. What happens after this look is the gap that stays: a
    /// process stopped between it and the first byte sent.
    bool mayStillCall(const ActionRecord &record, Permit permit, std::int64_t claimEntry)
    {
        if (permit == Permit::Forwarding && !forwardingOpen(record, m_options.clock.now()))
            return false;
        const auto now = m_store.stateEntryOf(record.key);
        return now && *now == claimEntry;
    }

    /// A claim that the store refused. Its commit may have reached the disk all the same (an I/O
    /// error says nothing about that), so the row is read again before anything is said.
    bool claimFailed(
        Round &round, const ActionRecord &record, std::int64_t epoch, const Error &error)
    {
        if (error.code == ErrorCode::Conflict)
            return false; // someone else was faster: look again
        const auto now = m_store.find(record.key);
        if (now && *now && (*now)->claim && (*now)->claim->epoch == epoch
            && (*now)->claim->owner == m_owner) {
            const std::array released {Event {m_options.clock.now(),
                OutcomeRecorded {record.key, (*now)->claim->attempt, epoch, OutcomeClass::NotSent,
                    "the store reported an error at the claim; nothing was sent", {}, {}, {}}}};
            const std::array seen {Precondition {record.key, (*now)->stateEntry}};
            ignoreError(m_store.append(released, {}, seen), "the action stays in flight: safe");
        }
        return refuse(round, error);
    }

    /// Before anything may be called: this executor is known to live, what dead owners left is
    /// taken up, and there is room on the disk for the outcome.
    Result<void> readyForEffects()
    {
        if (!m_lock)
            return tl::unexpected(m_lock.error());
        const std::lock_guard guard(m_spoolMutex);
        if (!m_spoolsTakenUp) {
            RETURN_IF_ERROR(takeUpSpools(m_store));
            m_spoolsTakenUp = true;
        }
        if (!m_spool) {
            ASSIGN_OR_RETURN(m_spool, Spool::reserve(m_store.ownersFolder(), m_owner.id));
        }
        if (m_spool->holdsOutcomes()) {
            ASSIGN_OR_RETURN(const auto recordings, Spool::read(m_spool->path()));
            for (const Recording &recording : recordings)
                RETURN_IF_ERROR(takeUpLateOutcome(m_store, recording));
            m_spool->clear();
        }
        if (m_roomGivenBack) {
            RETURN_IF_ERROR(m_spool->reserveAgain());
            m_roomGivenBack = false;
        }
        return {};
    }

    /// The store is full: what was reserved for this moment is given back to the disk.
    void giveRoomBack()
    {
        const std::lock_guard guard(m_spoolMutex);
        if (m_spool && !m_roomGivenBack) {
            m_spool->release();
            m_roomGivenBack = true;
        }
    }

    /// The tool is never called again for this: only the writing is repeated, and where it does not
    /// succeed, the outcome is kept in the spool.
    bool recordOutcome(Round &round, const ActionRecord &record, const ToolCall &call,
        std::int64_t epoch, std::int64_t claimEntry, ToolAnswer answer)
    {
        Recording recording = makeRecording(
            call.contract, answer, m_options.clock.now(), record.key, call.attempt, epoch);
        const OutcomeRecorded &outcome = recording.outcome;
        const std::array events {Event {recording.at, outcome}};
        const std::array seen {Precondition {record.key, claimEntry}};
        Result<AppendReceipt> written = m_store.append(events, recording.bodies, seen);
        for (int i = 1; i < kOutcomeTriesMax && !written; ++i) {
            if (written.error().code == ErrorCode::Conflict)
                break;
            const auto now = m_store.find(record.key);
            if (now && *now && (*now)->stateEntry != claimEntry)
                break; // an earlier try reached the disk after all, or the claim was taken away
            if (written.error().code == ErrorCode::StoreFull)
                giveRoomBack();
            else
                pauseMs(kOutcomePauseMs);
            written = m_store.append(events, recording.bodies, seen);
            if (!written && written.error().code == ErrorCode::StoreFull)
                pauseMs(kOutcomePauseMs);
        }
        if (!written) {
            const auto taken = takeUpLateOutcome(m_store, recording);
            if (!taken)
                return keepInSpool(round, recording, std::move(answer), taken.error());
            if (*taken == LateOutcome::Kept || *taken == LateOutcome::Contradiction
                || (*taken == LateOutcome::Known && !round.called))
                return false; // answered from the state as it is now
        }
        switch (outcome.outcome) {
        case OutcomeClass::Unknown:
            return answerInDoubt(round, record, recording, outcome.reason);
        case OutcomeClass::NotSent:
        case OutcomeClass::Declined:
            if (record.state == ActionState::InDoubt)
                return answerInDoubt(round, record, recording,
                    outcome.outcome == OutcomeClass::NotSent
                        ? "an earlier call is still in doubt; this one was not sent: "
                            + outcome.reason
                        : "an earlier call is still in doubt; this one was declined");
            if (outcome.outcome == OutcomeClass::NotSent) {
                round.report.state = ActionState::Planned;
                round.report.answer = answers::NotSent {outcome.reason};
                return true;
            }
            round.report.state = ActionState::Failed;
            break;
        case OutcomeClass::Succeeded:
            round.report.state = ActionState::Succeeded;
            break;
        }
        round.report.answer = answers::Executed {{*outcome.result, std::move(answer.body), false,
            m_owner.host + ":" + std::to_string(m_owner.pid)}};
        return true;
    }

    /// What this call left in doubt, said from what it knows itself: the record may have moved on.
    bool answerInDoubt(
        Round &round, const ActionRecord &before, const Recording &recording, std::string reason)
    {
        ActionRecord now = before;
        now.state = ActionState::InDoubt;
        now.reason = std::move(reason);
        now.calls = before.calls + 1;
        if (!now.firstDispatchedAt)
            now.firstDispatchedAt = recording.at;
        round.report.state = now.state;
        round.report.answer = inDoubtAnswer(now);
        return true;
    }

    bool keepInSpool(Round &round, const Recording &recording, ToolAnswer answer, Error error)
    {
        const std::lock_guard guard(m_spoolMutex);
        const auto kept = m_spool ? m_spool->keep(recording)
                                  : fail(ErrorCode::Io, "there is no spool to keep the outcome in");
        if (kept)
            error.hint = "the outcome is kept in " + m_spool->path()
                + " and taken up by the next execution";
        else
            error.what += "; and " + kept.error().text();
        // Where the tool was not called after all, that is the answer; the record catches up later.
        if (!round.called)
            return refuse(round, std::move(error));
        round.report.answer = answers::ExecutedUnrecorded {std::move(answer), std::move(error)};
        return true;
    }

    bool lookAtOwner(Round &round, const ActionRecord &record, bool lastLook)
    {
        if (record.claim && ownerAlive(m_store.ownersFolder(), record.claim->owner.id)) {
            if (!lastLook) {
                pauseMs(kWaitPauseMs);
                return false;
            }
            note(round, record,
                {record.key, AttemptKind::Busy, m_owner, {},
                    "owner " + record.claim->owner.host + ":"
                        + std::to_string(record.claim->owner.pid)});
            round.report.answer = answers::Busy {record.claim->owner, record.claim->at};
            return true;
        }
        const auto raised = raiseDoubtIfOwnerDied(m_store, m_options.clock, record);
        if (!raised && raised.error().code != ErrorCode::Conflict)
            return refuse(round, raised.error());
        return false;
    }

    bool replay(Round &round, const ActionRecord &record)
    {
        answers::Replayed replayed {record.state, {}, {}};
        if (record.state != ActionState::Succeeded) {
            replayed.reason = record.reason;
            if (!record.recordedBy.empty())
                replayed.reason
                    += (record.reason.empty() ? "" : ", ") + ("recorded by " + record.recordedBy);
        }
        if (record.result) {
            Answer answer {*record.result, {}, false, record.recordedBy};
            if (record.result->body) {
                auto bytes = m_store.body(*record.result->body);
                if (!bytes)
                    return refuse(round, bytes.error());
                answer.pruned = !bytes->has_value();
                answer.body = std::move(*bytes);
            }
            replayed.answer = std::move(answer);
        }
        note(round, record, {record.key, AttemptKind::Replayed, m_owner, {}, {}});
        round.report.answer = std::move(replayed);
        return true;
    }

    /// The contract's rules, in the order of design section 4; each use is recorded.
    bool tryToSettle(Round &round, const ActionRecord &record)
    {
        const auto stays = [&] {
            round.report.answer = inDoubtAnswer(record);
            return true;
        };
        if (record.imported || toolStillRuns(record))
            return stays();
        const auto contract = contractFor(record);
        if (!contract)
            return stays();
        if (forwardingOpen(record))
            return claimAndCall(round, record, Permit::Forwarding);
        if (!contract->probe.empty())
            return probe(round, record, *contract);
        if (record.contract.repeatable)
            return claimAndCall(round, record, Permit::Repeatable);
        return stays();
    }

    bool probe(Round &round, const ActionRecord &record, const ToolContract &contract)
    {
        const auto args = m_store.body(record.args);
        if (!args || !*args) {
            round.report.answer = inDoubtAnswer(record);
            return true;
        }
        const ToolCall call {record.runId, record.seq, record.attempts + 1, **args,
            record.claim ? record.claim->sentKey : std::string(), contract};
        const ProbeResult found = m_runner.probe(call);
        Settled settled {
            record.key, Decision::Landed, true, contract.probe[0], found.note, {}, {}, {}};
        std::vector<Body> bodies;
        if (found.answer == ProbeAnswer::Applied) {
            Recording recording = makeRecording(contract,
                {OutcomeClass::Succeeded, found.status, {}, found.body, {}}, m_options.clock.now(),
                record.key, record.attempts + 1, record.claim ? record.claim->epoch : 0);
            // A look-up whose result an agent would not accept settles nothing.
            if (recording.outcome.outcome != OutcomeClass::Succeeded) {
                round.report.answer = inDoubtAnswer(record);
                return true;
            }
            recording.outcome.result->source = ResultSource::Probe;
            settled.result = recording.outcome.result;
            settled.acceptance = recording.outcome.acceptance;
            bodies = std::move(recording.bodies);
        } else if (found.answer == ProbeAnswer::NotApplied) {
            settled.decision = Decision::Retry;
        } else {
            round.report.answer = inDoubtAnswer(record);
            return true;
        }
        const std::array events {Event {m_options.clock.now(), std::move(settled)}};
        const std::array seen {Precondition {record.key, record.stateEntry}};
        const auto written = m_store.append(events, bodies, seen);
        if (!written && written.error().code != ErrorCode::Conflict)
            return refuse(round, written.error());
        return false;
    }

    [[nodiscard]] bool forwardingOpen(const ActionRecord &record)
    {
        return forwardingOpen(record, m_options.clock.now());
    }

    /// A window that was closed once stays closed: where the clock went back, the newest time in
    /// the journal counts.
    [[nodiscard]] bool forwardingOpen(const ActionRecord &record, Time clock)
    {
        const auto &rule = record.contract.forwarding;
        if (!rule || !record.firstDispatchedAt || !record.claim || record.claim->sentKey.empty()
            || record.calls >= rule->attemptsMax)
            return false;
        if (clock.us < record.firstDispatchedAt->us)
            return false; // a clock that went back so far says nothing: closed, the safe side
        const auto latest = m_store.latestTime();
        if (!latest)
            return false;
        const std::int64_t now = std::max(clock.us, latest->us);
        const std::int64_t age = now - record.firstDispatchedAt->us;
        return age < rule->retentionUs - windowMarginUs(rule->retentionUs);
    }

    /// A tool started by an executor that died may still be at work: nothing may start a second
    /// call.
    [[nodiscard]] static bool toolStillRuns(const ActionRecord &record)
    {
        return record.claim && record.claim->toolProcess
            && processLives(*record.claim->toolProcess, record.claim->owner.bootId);
    }

    answers::InDoubt inDoubtAnswer(const ActionRecord &record)
    {
        answers::InDoubt answer;
        answer.reason = record.reason;
        if (toolStillRuns(record)) {
            answer.canSettle.push_back("wait until the tool's process "
                + std::to_string(record.claim->toolProcess->pid) + " has ended");
            return answer;
        }
        if (const auto &rule = record.contract.forwarding; rule && forwardingOpen(record))
            answer.canSettle.emplace_back("execute again: the provider honours the key");
        else if (rule && record.calls >= rule->attemptsMax)
            answer.reason += "; forwarding is over: " + std::to_string(record.calls)
                + " calls were made, and the contract allows no more";
        else if (rule && record.firstDispatchedAt)
            answer.reason += "; forwarding is over: the provider may have forgotten the key since "
                + Time {record.firstDispatchedAt->us + rule->retentionUs}.rfc3339();
        if (!record.contract.probe.empty())
            answer.canSettle.push_back("execute again: the provider is asked by the probe");
        if (record.contract.repeatable)
            answer.canSettle.push_back("execute again: the tool is safe to repeat");
        answer.canSettle.push_back("an operator settles it with evidence");
        return answer;
    }

    void step(Step at)
    {
        if (m_options.onStep)
            m_options.onStep(at);
    }

    Store &m_store;
    ToolRunner &m_runner;
    ExecutorOptions m_options;
    Owner m_owner;
    Result<LivenessLock> m_lock; ///< without one, answers come from the record alone
    pid_t m_processId;
    std::atomic<std::int64_t> m_claims {0}; ///< so far, failed ones included
    std::mutex m_spoolMutex; // guards what follows
    Result<Spool> m_spool = fail(ErrorCode::Io, "no room was reserved yet");
    bool m_roomGivenBack = false;
    bool m_spoolsTakenUp = false;
};

} // namespace

std::string_view disposition(const ExecuteAnswer &answer)
{
    struct Namer
    {
        std::string_view operator()(const answers::Executed &) { return "executed"; }
        std::string_view operator()(const answers::Replayed &replayed)
        {
            return replayed.state == ActionState::Cancelled ? "cancelled" : "replayed";
        }
        std::string_view operator()(const answers::Busy &) { return "busy"; }
        std::string_view operator()(const answers::Conflict &) { return "conflict"; }
        std::string_view operator()(const answers::InDoubt &) { return "in_doubt"; }
        std::string_view operator()(const answers::NotSent &) { return "not_sent"; }
        std::string_view operator()(const answers::Refused &) { return "refused"; }
        std::string_view operator()(const answers::ExecutedUnrecorded &)
        {
            return "executed_unrecorded";
        }
    };
    return std::visit(Namer {}, answer);
}

Result<std::unique_ptr<Executor>> Executor::create(
    Store &store, ToolRunner &runner, ExecutorOptions options)
{
    Owner owner;
    if (options.owner) {
        owner = *options.owner;
    } else {
        owner.id = options.random.hex128();
        owner.host = hostName();
        owner.bootId = bootId();
        owner.pid = ::getpid();
        owner.startTicks = processStartTicks(owner.pid).value_or(0);
    }
    // Where the folder cannot be written, nothing can be claimed; the record still answers.
    auto lock = LivenessLock::acquire(store.ownersFolder(), owner.id);
    return Result<std::unique_ptr<Executor>>(std::make_unique<ExecutorImpl>(
        store, runner, std::move(options), std::move(owner), std::move(lock)));
}

} // namespace reprise

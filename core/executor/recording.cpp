#include "core/executor/recording.h"

#include "core/base/sha256.h"
#include "core/executor/acceptance.h"

#include <array>

namespace reprise {

namespace {

/// How often a decision is taken again because the action changed meanwhile.
constexpr int kRoundsMax = 100;

bool sameAsRecorded(const ActionRecord &record, const OutcomeRecorded &outcome)
{
    const auto body = [](const std::optional<RecordedResult> &result) {
        return result ? result->body : std::optional<Digest>();
    };
    if (outcome.outcome == OutcomeClass::Succeeded)
        return record.state == ActionState::Succeeded
            && body(record.result) == body(outcome.result);
    if (outcome.outcome == OutcomeClass::Declined)
        return record.state == ActionState::Failed && body(record.result) == body(outcome.result);
    return true; // "not sent" and "unknown" say nothing against a record
}

} // namespace

Recording makeRecording(const ToolContract &contract, const ToolAnswer &answer, Time at,
    const Key &key, std::int64_t attempt, std::int64_t epoch)
{
    Recording recording {at, {key, attempt, epoch, answer.outcome, answer.reason, {}, {}, {}}, {}};
    OutcomeRecorded &outcome = recording.outcome;
    const auto keep = [&](const std::string &bytes) {
        const Digest digest = Sha256::of(bytes);
        recording.bodies.push_back({digest, bytes});
        return digest;
    };
    if (!answer.log.empty())
        outcome.toolLog = keep(answer.log);
    if (answer.outcome == OutcomeClass::NotSent)
        return recording;
    RecordedResult result;
    result.status = answer.status;
    result.contentType = contract.contentType;
    result.recordedAt = at;
    result.source = ResultSource::Call;
    if (answer.body) {
        result.body = keep(*answer.body);
        result.bodyBytes = static_cast<std::int64_t>(answer.body->size());
    }
    if (answer.outcome == OutcomeClass::Succeeded) {
        const Acceptance acceptance = checkAcceptance(contract, answer.body, answer.status);
        result.reference = acceptance.reference;
        outcome.acceptance = keep(acceptance.document.canonical());
        if (!acceptance.accepted) {
            outcome.outcome = OutcomeClass::Unknown;
            outcome.reason = acceptance.firstFailure;
        }
    }
    result.complete = outcome.outcome != OutcomeClass::Unknown;
    outcome.result = std::move(result);
    return recording;
}

Result<LateOutcome> takeUpLateOutcome(Store &store, const Recording &recording)
{
    const OutcomeRecorded &outcome = recording.outcome;
    for (int i = 0; i < kRoundsMax; ++i) {
        ASSIGN_OR_RETURN(const auto found, store.find(outcome.key));
        if (!found)
            return fail(ErrorCode::NotFound,
                "an outcome of an action that this store does not hold",
                "key " + outcome.key.hex());
        const ActionRecord &record = *found;
        const bool sameClaim = record.claim && record.claim->epoch == outcome.epoch;
        const bool open
            = record.state == ActionState::InFlight || record.state == ActionState::InDoubt;
        // What was settled as "did not land: failed" or the like under this epoch is final, too.
        if (sameClaim && isFinal(record.state) && sameAsRecorded(record, outcome))
            return LateOutcome::Known;
        if (sameClaim && open) {
            // Recorded already (a commit that failed may have reached the disk), or in doubt and
            // still not known: nothing new.
            if (record.state == ActionState::InDoubt
                && (record.claim->outcome == outcome.outcome
                    || outcome.outcome == OutcomeClass::Unknown))
                return LateOutcome::Known;
            OutcomeRecorded ends = outcome;
            if (record.state == ActionState::InDoubt && ends.result)
                ends.result->source = ResultSource::LateReport;
            const std::array events {Event {recording.at, std::move(ends)}};
            const std::array seen {Precondition {outcome.key, record.stateEntry}};
            const auto written = store.append(events, recording.bodies, seen);
            if (written)
                return LateOutcome::Recorded;
            if (written.error().code != ErrorCode::Conflict)
                return tl::unexpected(written.error());
            continue;
        }
        ReportedLate late {outcome.key, outcome.attempt, outcome.epoch, outcome.outcome,
            outcome.result, false, {}};
        const bool effect = outcome.outcome == OutcomeClass::Succeeded;
        // A success beside a record that says something else, or beside a later claim that is not
        // settled yet, is a second effect unless somebody proves otherwise.
        const bool recordedEffect = record.state == ActionState::Succeeded;
        const bool says = effect || outcome.outcome == OutcomeClass::Declined;
        late.contradiction = isFinal(record.state)
            ? says && (effect != recordedEffect || (effect && !sameAsRecorded(record, outcome)))
            : effect && record.state != ActionState::Planned;
        late.note = (late.contradiction ? "contradiction: the record says " : "the action is now ")
            + std::string(name(record.state)) + ", the call of epoch "
            + std::to_string(outcome.epoch) + " ended as " + std::string(name(outcome.outcome));
        const std::array events {Event {recording.at, late}};
        const std::array seen {Precondition {outcome.key, record.stateEntry}};
        const auto written = store.append(events, recording.bodies, seen);
        if (written)
            return late.contradiction ? LateOutcome::Contradiction : LateOutcome::Kept;
        if (written.error().code != ErrorCode::Conflict)
            return tl::unexpected(written.error());
    }
    return fail(ErrorCode::Conflict, "the action changed all the time", "key " + outcome.key.hex());
}

} // namespace reprise

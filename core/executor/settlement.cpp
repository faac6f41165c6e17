#include "core/executor/settlement.h"

#include "core/base/sha256.h"
#include "core/executor/acceptance.h"
#include "core/executor/process.h"
#include "core/store/liveness.h"

#include <array>

namespace reprise {

namespace {

std::string place(const ActionRecord &record)
{
    return "run " + printable(record.runId, 80) + ", seq " + std::to_string(record.seq);
}

Result<ActionRecord> mustFind(Store &store, const Key &key)
{
    ASSIGN_OR_RETURN(auto found, store.find(key));
    if (!found)
        return fail(ErrorCode::NotFound, "no such action in this store", "key " + key.hex());
    return std::move(*found);
}

} // namespace

Result<ActionRecord> raiseDoubtIfOwnerDied(Store &store, Clock &clock, const ActionRecord &record)
{
    if (record.state != ActionState::InFlight || !record.claim
        || ownerAlive(store.ownersFolder(), record.claim->owner.id))
        return record;
    const std::array events {Event {clock.now(),
        DoubtRaised {record.key, record.claim->attempt, record.claim->epoch,
            "crash: the executor " + record.claim->owner.host + ":"
                + std::to_string(record.claim->owner.pid)
                + " died after it had claimed the action and before it recorded an outcome"}}};
    const std::array seen {Precondition {record.key, record.stateEntry}};
    RETURN_IF_ERROR(store.append(events, {}, seen));
    return mustFind(store, record.key);
}

Result<ActionRecord> settle(Store &store, Clock &clock, const SettleRequest &request)
{
    const auto invalid = [](const std::string &what, const std::string &where) {
        return fail(ErrorCode::InvalidInput, what, where);
    };
    ASSIGN_OR_RETURN(const ActionRecord found, mustFind(store, request.key));
    // Doubt that nobody has raised yet: the owner is dead, and the operator is the first to look.
    ASSIGN_OR_RETURN(const ActionRecord record, raiseDoubtIfOwnerDied(store, clock, found));
    const std::string where = place(record);
    if (request.by.empty() || hasControlCharacter(request.by))
        return invalid("a decision needs the name of the person who takes it", where);
    if (request.reason.empty())
        return invalid("a decision needs a reason", where);
    // What the operator saw in flight is the doubt about that very call, not about a later one.
    const bool sawTheCall = request.expected == found.stateHash && found.claim && record.claim
        && found.claim->epoch == record.claim->epoch;
    if (!sawTheCall && request.expected != record.stateHash)
        return fail(ErrorCode::Conflict,
            "changed since it was looked at: it is now " + std::string(name(record.state))
                + (record.reason.empty() ? "" : " (" + record.reason + ")") + ", state hash "
                + record.stateHash.hex(),
            where, "look at it again and decide on what is there now");
    if (record.imported)
        return invalid(
            "is a record of another system; decisions on it belong in a case file", where);
    if (record.state != ActionState::InDoubt)
        return fail(
            ErrorCode::Conflict, "is " + std::string(name(record.state)) + ", not in doubt", where);
    if (record.claim && record.claim->toolProcess
        && processLives(*record.claim->toolProcess, record.claim->owner.bootId))
        return invalid("the tool's process " + std::to_string(record.claim->toolProcess->pid)
                + " is still running; its outcome may yet change",
            where);

    const Time now = clock.now();
    Settled settled {
        request.key, request.decision, false, request.by, request.reason, request.evidence, {}, {}};
    std::vector<Body> bodies;
    if (request.decision == Decision::Landed) {
        if (!request.result && request.reference.empty())
            return invalid("\"landed\" needs the result, or the provider's reference", where);
        RecordedResult result;
        result.contentType = record.contract.contentType;
        result.recordedAt = now;
        result.source = ResultSource::Operator;
        result.reference = request.reference;
        if (request.result) {
            const Acceptance acceptance = checkAcceptance(record.contract, request.result, "");
            if (!acceptance.accepted)
                return invalid(
                    "the result is not one that an agent would accept: " + acceptance.firstFailure,
                    where);
            if (result.reference.empty())
                result.reference = acceptance.reference;
            const std::string document = acceptance.document.canonical();
            settled.acceptance = Sha256::of(document);
            bodies.push_back({*settled.acceptance, document});
            result.body = Sha256::of(*request.result);
            result.bodyBytes = static_cast<std::int64_t>(request.result->size());
            bodies.push_back({*result.body, *request.result});
        }
        settled.result = std::move(result);
    }
    const std::array events {Event {now, std::move(settled)}};
    const std::array seen {Precondition {request.key, record.stateEntry}};
    RETURN_IF_ERROR(store.append(events, bodies, seen));
    return mustFind(store, request.key);
}

} // namespace reprise

#include "tests/sim/oracle.h"

#include "core/base/sha256.h"
#include "core/key/key.h"

#include <algorithm>
#include <iostream>

namespace reprise::sim {

namespace {

constexpr std::size_t kLogLinesMax = 120;
constexpr std::int64_t kMinuteUs = 60'000'000;

/// Would an agent take this for the end of its loop? Only what the simulated contracts declare.
bool isWhole(const ToolContract &contract, const std::optional<std::string> &body)
{
    if (contract.reference.empty())
        return true;
    return body && body->starts_with("{\"id\":\"ch_") && body->ends_with("}");
}

/// The amount in args as the simulation writes them: `"amount":4900`, or 4.9e3, or 4900.0.
std::int64_t amountOf(const std::string &args)
{
    const std::size_t at = args.find("\"amount\":");
    return at == std::string::npos ? -1 : static_cast<std::int64_t>(std::stod(args.substr(at + 9)));
}

bool sameBytes(const std::optional<std::string> &left, const std::optional<std::string> &right)
{
    return left == right;
}

} // namespace

std::string_view name(Known fault)
{
    switch (fault) {
    case Known::WindowOpenedAgain:
        return "a closed forwarding window opened again";
    case Known::DeclineOfOtherBytes:
        return "a late decline was answered as executed beside a record with other bytes";
    case Known::Count:
        break;
    }
    return "?";
}

Key keyOf(const std::string &runId, std::int64_t seq)
{
    return Key {Sha256::of("reprise-key-v1:" + std::to_string(runId.size()) + ":" + runId + ":"
        + std::to_string(seq))};
}

bool Oracle::isOwed(const Model &model, const Call &call) const
{
    if (!call.answer || call.recorded)
        return false;
    const ToolContract *contract = contractOf(model);
    const OutcomeClass outcome = call.answer->outcome;
    if (outcome == OutcomeClass::Declined)
        return model.state != ActionState::Failed;
    // The record may say the same already, by a probe or an operator.
    return outcome == OutcomeClass::Succeeded && contract != nullptr
        && isWhole(*contract, call.answer->body)
        && !(model.state == ActionState::Succeeded && sameBytes(model.body, call.answer->body));
}

void Oracle::wrong(const std::string &what)
{
    log("WRONG: " + what);
    if (!m_failure.empty())
        return;
    m_failure = what + "\nThe last steps:\n";
    for (const std::string &line : m_log)
        m_failure += "  " + line + "\n";
}

void Oracle::known(Known fault, const std::string &what)
{
    ++m_known[static_cast<std::size_t>(fault)];
    if (strict)
        wrong(std::string(name(fault)) + ": " + what);
    else
        log("known: " + std::string(name(fault)) + ": " + what);
}

std::int64_t Oracle::timesKnown(Known fault) const
{
    return m_known[static_cast<std::size_t>(fault)];
}

void Oracle::log(const std::string &line)
{
    ++m_now;
    for (const char c : line)
        m_digest = (m_digest ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
    m_log.push_back(std::to_string(m_now) + " " + line);
    if (verbose)
        std::cerr << m_log.back() << "\n";
    if (m_log.size() > kLogLinesMax)
        m_log.pop_front();
}

bool Oracle::differs(const Request &request, const Model *model)
{
    return model != nullptr
        && ((request.tool && *request.tool != model->tool)
            || (request.amount && *request.amount != model->amount));
}

std::string Oracle::place(const Model &model)
{
    return model.runId + " #" + std::to_string(model.seq) + " " + model.tool;
}

Model *Oracle::find(const Key &key)
{
    const auto found = m_models.find(key);
    return found == m_models.end() ? nullptr : &found->second;
}

bool Oracle::isAlive(const std::string &owner) const
{
    const auto found = m_diedAt.find(owner);
    return found != m_diedAt.end() && found->second < 0;
}

void Oracle::ownerDied(const std::string &owner)
{
    if (!isAlive(owner))
        return;
    log("owner " + owner.substr(0, 6) + " counts as dead");
    m_diedAt[owner] = m_now;
}

bool Oracle::isOrdered(const std::string &runId) const
{
    const auto found = m_ordered.find(runId);
    return found != m_ordered.end() && found->second;
}

bool Oracle::lowerSeqsAreFinal(const Model &model, std::int64_t before)
{
    for (const Key &key : m_ofRun[model.runId]) {
        const Model &other = m_models.at(key);
        if (other.seq < model.seq && other.plannedAt < before && !isFinal(other.state))
            return false;
    }
    return true;
}

const ToolContract *Oracle::contractOf(const Model &model) const
{
    const auto found = m_contracts.find(model.contract);
    return found == m_contracts.end() ? nullptr : &found->second;
}

Call *Oracle::callOf(Model &model, std::int64_t epoch)
{
    for (Call &call : model.calls)
        if (call.epoch == epoch)
            return &call;
    wrong(place(model) + ": epoch " + std::to_string(epoch) + " was never claimed");
    return nullptr;
}

void Oracle::move(Model &model, Actor &actor, ActionState state)
{
    log(actor.name + ": " + place(model) + " " + std::string(reprise::name(model.state)) + " -> "
        + std::string(reprise::name(state)));
    if (isFinal(model.state))
        wrong("I3: " + place(model) + " left the final state "
            + std::string(reprise::name(model.state)));
    model.state = state;
    model.stateEntry = m_entry;
    ++model.moves;
    model.lastMoveBy = actor.name;
    model.raisedLast = false;
    if (state == ActionState::InDoubt)
        model.openDoubt = true;
    if (isFinal(state))
        model.finalAt = m_now;
}

void Oracle::finish(Model &model, const std::optional<RecordedResult> &result)
{
    model.body.reset();
    if (result && result->body)
        model.body = m_bodies.at(*result->body);
}

void Oracle::committed(Actor &actor, std::span<const Event> events, std::span<const Body> bodies,
    const AppendReceipt &receipt)
{
    for (const Body &body : bodies) {
        if (Sha256::of(body.bytes) != body.digest)
            wrong("a body has another digest");
        m_bodies.emplace(body.digest, body.bytes);
    }
    std::int64_t entry = receipt.firstEntry;
    if (entry != static_cast<std::int64_t>(m_journal.size()) + 2)
        wrong("I5: entry " + std::to_string(entry) + " came after "
            + std::to_string(m_journal.size() + 1));
    for (const Event &event : events) {
        if (const auto *bound = std::get_if<ContractBound>(&event.body)) {
            if (m_contracts.contains(bound->digest))
                continue; // bound once in a store
            const auto json = Json::parse(bound->text, "contract");
            auto contract = json ? ToolContract::fromJson(*json, "contract")
                                 : Result<ToolContract>(tl::unexpected(json.error()));
            if (contract)
                m_contracts.emplace(bound->digest, std::move(*contract));
            else
                wrong("a contract was bound that does not read back");
        }
        m_journal.emplace_back(std::string(event.kind()), event.key());
        m_newestAt = std::max(m_newestAt, event.at);
        apply(actor, event, entry++);
    }
    if (receipt.lastEntry != entry - 1)
        wrong("I5: a write of " + std::to_string(entry - receipt.firstEntry)
            + " entries ended at entry " + std::to_string(receipt.lastEntry));
}

void Oracle::apply(Actor &actor, const Event &event, std::int64_t entry)
{
    m_entry = entry;
    if (const auto *run = std::get_if<RunPlanned>(&event.body)) {
        m_ordered[run->runId] = run->ordered;
        return;
    }
    if (const auto *closed = std::get_if<RunClosed>(&event.body)) {
        m_closed.emplace(closed->runId, m_now);
        log(actor.name + ": closed " + closed->runId);
        return;
    }
    if (const auto *planned = std::get_if<ActionPlanned>(&event.body)) {
        if (m_models.contains(planned->key))
            wrong("I4: a key was planned twice");
        if (planned->key != keyOf(planned->runId, planned->seq))
            wrong("I8: the key of " + planned->runId + " is not the derived one");
        Model model;
        model.runId = planned->runId;
        model.seq = planned->seq;
        model.tool = planned->tool;
        model.contract = planned->contract;
        model.fingerprint = planned->fingerprint;
        model.args = planned->args;
        model.amount = amountOf(m_bodies.at(planned->args));
        model.stateEntry = entry;
        model.plannedAt = m_now;
        m_keys.push_back(planned->key);
        m_ofRun[planned->runId].push_back(planned->key);
        log(actor.name + ": planned " + place(model));
        m_models.emplace(planned->key, std::move(model));
        return;
    }
    const auto key = event.key();
    Model *model = key ? find(*key) : nullptr;
    if (model == nullptr) {
        if (key)
            wrong("an event names a key that was never planned");
        return;
    }
    if (const auto *claim = std::get_if<Claimed>(&event.body))
        claimed(actor, *claim, event.at);
    else if (const auto *ended = std::get_if<OutcomeRecorded>(&event.body))
        outcome(actor, *ended);
    else if (const auto *decided = std::get_if<Settled>(&event.body))
        settled(actor, *decided);
    else if (const auto *late = std::get_if<ReportedLate>(&event.body))
        reportedLate(actor, *late);
    else if (const auto *doubt = std::get_if<DoubtRaised>(&event.body)) {
        m_reached(Branch::DoubtRaised);
        if (model->state != ActionState::InFlight || model->calls.empty()
            || model->calls.back().epoch != doubt->epoch)
            wrong(place(*model) + ": doubt raised about what is not in flight");
        else if (isAlive(model->calls.back().owner))
            wrong("E10: " + place(*model) + ": doubt raised about an owner that lives");
        move(*model, actor, ActionState::InDoubt);
        model->raisedLast = true;
    } else if (std::holds_alternative<ActionCancelled>(event.body)) {
        m_reached(Branch::ActionCancelled);
        if (model->state != ActionState::Planned)
            wrong(place(*model) + ": cancelled after its dispatch");
        move(*model, actor, ActionState::Cancelled);
    }
}

void Oracle::looked(Actor &actor, const Key &key)
{
    if (actor.request && actor.request->key == key)
        actor.request->newestAt = m_newestAt;
}

void Oracle::checkForwarding(
    const Actor &actor, const Model &model, const std::string &sentKey, Time at)
{
    const std::string here = place(model);
    const ToolContract *contract = contractOf(model);
    if (contract == nullptr || !contract->forwarding || sentKey.empty() || !model.firstDispatch) {
        wrong("I1: " + here + ": forwarded, and the provider honours no key of it");
        return;
    }
    if (static_cast<std::int64_t>(model.calls.size()) >= contract->forwarding->attemptsMax)
        wrong("I1: " + here + ": forwarded more often than its cap");
    // The documented margin is minutes; one of them is asked for here.
    const std::int64_t window = contract->forwarding->retentionUs - kMinuteUs;
    const auto isOpen = [&](Time time) {
        const std::int64_t age = time.us - model.firstDispatch->us;
        return age >= 0 && age < window;
    };
    if (!isOpen(at)) {
        wrong("E81: " + here + ": forwarded outside of its window");
        return;
    }
    // E21: the journal knows a later time than the clock: the window was closed then.
    if (actor.request && actor.request->newestAt.us - model.firstDispatch->us >= window)
        known(Known::WindowOpenedAgain, here);
}

void Oracle::claimed(Actor &actor, const Claimed &event, Time at)
{
    Model &model = m_models.at(event.key);
    const std::string here = place(model);
    const std::int64_t newest = model.calls.empty() ? 0 : model.calls.back().epoch;
    log(actor.name + ": claim " + here + " epoch " + std::to_string(event.epoch) + " permit "
        + std::string(reprise::name(event.permit)));
    if (event.epoch <= newest)
        wrong("E16: " + here + ": epoch " + std::to_string(event.epoch) + " was used before");
    if (event.owner.id != actor.owner)
        wrong(here + ": claimed in another's name");
    if (model.toolRuns)
        wrong("E90: " + here + ": claimed while the tool of an earlier claim lives");
    const ToolContract *contract = contractOf(model);
    if (contract == nullptr) {
        wrong(here + ": has no contract");
        return;
    }
    const bool sendsKey = !contract->keyEnv.empty();
    const std::string sent = sendsKey ? formatKey(event.key, contract->keyForm) : std::string();
    if (event.sentKey != sent)
        wrong(here + ": sends another key than its own");
    if (actor.request && actor.request->otherVersion)
        wrong(here + ": claimed with another contract version than the bound one");
    if (actor.request && differs(*actor.request, &model))
        wrong("E54: " + here + ": claimed for another fingerprint");
    if (isOrdered(model.runId)
        && !lowerSeqsAreFinal(model, actor.request ? actor.request->startedAt : INT64_MAX))
        wrong("E47: " + here + ": claimed out of the declared order");
    if (const auto closed = m_closed.find(model.runId);
        closed != m_closed.end() && model.calls.empty()) {
        wrong("E82: " + here + ": claimed in a closed run");
    }
    const bool again = !model.calls.empty();
    if (model.state == ActionState::Planned) {
        if (event.permit != model.permit.value_or(Permit::First) || (again && !model.permit))
            wrong("I1: " + here + ": claimed without its permit");
        if (event.permit == Permit::Operator)
            m_reached(Branch::CalledAgainByOperator);
        if (event.permit == Permit::NotApplied)
            m_reached(Branch::CalledAgainAfterProbe);
    } else if (model.state == ActionState::InDoubt) {
        if (event.permit == Permit::Forwarding) {
            checkForwarding(actor, model, event.sentKey, at);
            m_reached(Branch::ForwardedAgain);
            if (model.calls.back().owner != event.owner.id)
                m_reached(Branch::ForwardedAfterRestart);
        } else if (event.permit == Permit::Repeatable) {
            if (!contract->repeatable)
                wrong("I1: " + here + ": repeated, and is not repeatable");
            m_reached(Branch::RepeatedTool);
        } else {
            wrong("I1: " + here + ": claimed out of doubt by no rule");
        }
    } else {
        wrong("I1: " + here + ": claimed while it was " + std::string(reprise::name(model.state)));
    }
    if (again)
        ++m_permits;
    model.permit.reset();
    if (!model.firstDispatch)
        model.firstDispatch = at;
    Call call;
    call.epoch = event.epoch;
    call.actor = actor.name;
    call.owner = event.owner.id;
    call.fromDoubt = model.openDoubt;
    if (actor.request)
        actor.request->claimed = true;
    model.calls.push_back(std::move(call));
    move(model, actor, ActionState::InFlight);
}

std::size_t Oracle::called(Actor &actor, const ToolCall &call)
{
    const Key key = keyOf(call.runId, call.seq);
    Model *model = find(key);
    if (model == nullptr || model->calls.empty()) {
        wrong("I2: a call without a claim");
        return 0;
    }
    const std::string here = place(*model);
    ++m_calls;
    for (std::size_t i = model->calls.size(); i-- > 0;) {
        Call &claim = model->calls[i];
        if (claim.actor != actor.name || claim.owner != actor.owner || claim.ran)
            continue;
        log(actor.name + ": call " + here + " epoch " + std::to_string(claim.epoch));
        claim.ran = true;
        if (claim.released)
            wrong("I2: " + here + ": called after the claim had been given back");
        if (i + 1 != model->calls.size() || model->state != ActionState::InFlight)
            wrong("E18: " + here + ": called under a claim that had been taken away");
        if (actor.request)
            actor.request->calls.push_back(i);
        return i;
    }
    wrong("I2: " + here + ": called without a committed claim of its own");
    return 0;
}

void Oracle::returned(Actor &actor, const Key &key, std::size_t call, const ToolAnswer &answer)
{
    Model *model = find(key);
    if (model == nullptr || call >= model->calls.size())
        return;
    model->calls[call].answer = answer;
    log(actor.name + ": tool of " + place(*model) + " answered "
        + std::string(reprise::name(answer.outcome)));
}

void Oracle::outcome(Actor &actor, const OutcomeRecorded &event)
{
    Model &model = m_models.at(event.key);
    const std::string here = place(model);
    Call *call = callOf(model, event.epoch);
    if (call == nullptr)
        return;
    log(actor.name + ": outcome " + std::string(reprise::name(event.outcome)) + " of " + here
        + " epoch " + std::to_string(event.epoch));
    if (call != &model.calls.back())
        wrong("E16: " + here + ": an old epoch's outcome was recorded");
    if (model.state == ActionState::InDoubt && !call->recorded)
        m_reached(Branch::LateOutcomeEndedDoubt);
    else if (model.state != ActionState::InFlight)
        wrong("E15: " + here + ": an outcome came while it was "
            + std::string(reprise::name(model.state)));
    if (!isAlive(call->owner))
        m_reached(Branch::ZombieCommitted);
    if (!call->ran) {
        if (event.outcome != OutcomeClass::NotSent)
            wrong("I2: " + here + ": an outcome of a call that was not made");
        // From the spool of an executor that died it may come by another.
        if (call->actor != actor.name && isAlive(call->owner))
            wrong("I2: " + here + ": the claim of " + call->actor + " was released");
        call->released = true;
        if (actor.request) {
            actor.request->released = true;
            m_reached(actor.request->writeFailed ? Branch::ClaimReleased : Branch::CallHeldBack);
        }
    } else if (!call->answer) {
        wrong("I2: " + here + ": an outcome before the tool answered");
    } else {
        const ToolContract *contract = contractOf(model);
        OutcomeClass expected = call->answer->outcome;
        if (expected == OutcomeClass::Succeeded && contract != nullptr
            && !isWhole(*contract, call->answer->body)) {
            expected = OutcomeClass::Unknown;
            m_reached(Branch::TruncatedResult);
        }
        if (event.outcome != expected)
            wrong(here + ": the tool's outcome " + std::string(reprise::name(expected))
                + " was recorded as " + std::string(reprise::name(event.outcome)));
        if (event.result && event.result->body
            && !sameBytes(m_bodies.at(*event.result->body), call->answer->body))
            wrong("I3: " + here + ": other bytes were recorded than the tool answered");
        if (event.outcome != OutcomeClass::NotSent && call->answer->body
            && (!event.result || !event.result->body))
            wrong("I3: " + here + ": the tool's bytes were not recorded");
    }
    call->recorded = true;
    const bool doubted = call->fromDoubt;
    switch (event.outcome) {
    case OutcomeClass::Succeeded:
        finish(model, event.result);
        move(model, actor, ActionState::Succeeded);
        return;
    case OutcomeClass::Declined:
        // E68: what a second attempt says about itself says nothing about the first.
        m_reached(Branch::Declined);
        finish(model, event.result);
        move(model, actor, doubted ? ActionState::InDoubt : ActionState::Failed);
        return;
    case OutcomeClass::NotSent:
        if (call->ran)
            m_reached(Branch::NotSentByTool);
        if (!doubted) {
            model.permit = Permit::NotSent;
            model.openDoubt = false; // it was raised about this very call, which was not sent
        }
        move(model, actor, doubted ? ActionState::InDoubt : ActionState::Planned);
        return;
    case OutcomeClass::Unknown:
        move(model, actor, ActionState::InDoubt);
        return;
    }
}

void Oracle::settled(Actor &actor, const Settled &event)
{
    Model &model = m_models.at(event.key);
    const std::string here = place(model);
    log(actor.name + ": settled " + here + " " + std::string(reprise::name(event.decision))
        + (event.byProbe ? " by probe" : ""));
    if (model.state != ActionState::InDoubt)
        wrong("E19: " + here + ": settled while it was " + std::string(reprise::name(model.state)));
    if (model.toolRuns)
        wrong("E90: " + here + ": settled while its tool lives");
    if (event.byProbe) {
        const bool asked = actor.request && actor.request->probe;
        const ProbeAnswer said = asked ? actor.request->probe->answer : ProbeAnswer::NotKnown;
        const bool right = (event.decision == Decision::Landed && said == ProbeAnswer::Applied)
            || (event.decision == Decision::Retry && said == ProbeAnswer::NotApplied);
        if (!right)
            wrong(here + ": settled by a probe that did not say so");
        m_reached(
            event.decision == Decision::Landed ? Branch::ProbeApplied : Branch::ProbeNotApplied);
    } else if (!actor.asked || actor.asked->request.key != event.key
        || actor.asked->request.decision != event.decision) {
        wrong(here + ": settled by nobody's decision");
    } else {
        // The state that was looked at; or, where a flight was looked at, the doubt about that
        // call.
        const Asked &asked = *actor.asked;
        const bool sameState = model.moves == asked.movesSeen;
        if (!sameState && !(asked.inFlightSeen && model.calls.size() == asked.callsSeen))
            wrong("E19: " + here + ": settled on what the operator had not seen");
        if (!sameState && model.raisedLast && model.lastMoveBy == actor.name)
            m_reached(Branch::OperatorRaisedDoubt);
        m_reached(event.decision == Decision::Retry  ? Branch::OperatorRetry
                : event.decision == Decision::Failed ? Branch::OperatorFailed
                : event.result && event.result->body ? Branch::OperatorLanded
                                                     : Branch::OperatorLandedByReference);
    }
    switch (event.decision) {
    case Decision::Landed:
        finish(model, event.result);
        move(model, actor, ActionState::Succeeded);
        return;
    case Decision::Failed:
        finish(model, event.result);
        move(model, actor, ActionState::Failed);
        return;
    case Decision::Retry:
        model.permit = event.byProbe ? Permit::NotApplied : Permit::Operator;
        model.openDoubt = false;
        move(model, actor, ActionState::Planned);
        return;
    }
}

void Oracle::reportedLate(Actor &actor, const ReportedLate &event)
{
    Model &model = m_models.at(event.key);
    const std::string here = place(model);
    Call *call = callOf(model, event.epoch);
    if (call == nullptr)
        return;
    log(actor.name + ": late report of " + here + " epoch " + std::to_string(event.epoch)
        + (event.contradiction ? ", a contradiction" : ""));
    m_reached(Branch::LateReport);
    if (!isAlive(call->owner))
        m_reached(Branch::ZombieCommitted);
    call->recorded = true;
    std::optional<std::string> bytes;
    if (event.result && event.result->body)
        bytes = m_bodies.at(*event.result->body);
    if (!call->ran && event.outcome == OutcomeClass::NotSent) {
        call->released = true;
        m_reached(Branch::CallHeldBack);
        if (actor.request)
            actor.request->released = true;
    } else if (!call->answer)
        wrong(here + ": a late report of a call that did not answer");
    else if (event.outcome != OutcomeClass::NotSent && !sameBytes(bytes, call->answer->body))
        wrong("E16: " + here + ": a late report with other bytes than the tool answered");
    const bool landed = event.outcome == OutcomeClass::Succeeded;
    const bool declined = event.outcome == OutcomeClass::Declined;
    if (event.contradiction)
        m_reached(Branch::Contradiction);
    // A decline beside a cancelled action says the same in other words.
    if (!isFinal(model.state) || (!landed && !declined)
        || (declined && model.state == ActionState::Cancelled))
        return;
    const bool same = landed ? model.state == ActionState::Succeeded && sameBytes(model.body, bytes)
                             : model.state == ActionState::Failed;
    if (event.contradiction == same)
        wrong("E15: " + here + ": a late report "
            + (same ? "that agrees was raised as a contradiction"
                    : "that differs was not raised as a contradiction"));
}

void Oracle::compare(Store &store, const Key &key, bool claimed)
{
    Model *model = find(key);
    if (model == nullptr)
        return;
    const std::string here = place(*model);
    const auto found = store.find(key);
    if (!found || !*found) {
        wrong(here + ": is not in the store" + (found ? "" : ": " + found.error().text()));
        return;
    }
    const ActionRecord &record = **found;
    if (record.state != model->state)
        wrong("I6: " + here + ": the store says " + std::string(reprise::name(record.state))
            + ", it is " + std::string(reprise::name(model->state)));
    if (record.fingerprint != model->fingerprint || record.args != model->args)
        wrong("I4: " + here + ": another fingerprint or other args than planned");
    if (record.stateEntry != model->stateEntry)
        wrong(here + ": the store's entry of its state is " + std::to_string(record.stateEntry)
            + ", not " + std::to_string(model->stateEntry));
    if (record.calls != static_cast<std::int64_t>(model->calls.size()))
        wrong("I1: " + here + ": the store counts " + std::to_string(record.calls)
            + " calls, there were " + std::to_string(model->calls.size()) + " claims");
    if (!model->calls.empty()) {
        const Call &last = model->calls.back();
        if (!record.claim || record.claim->epoch != last.epoch
            || record.claim->owner.id != last.owner)
            wrong(here + ": the store names another claim than the last");
        else if (claimed && record.claim->attempt != record.attempts)
            wrong(here + ": the claim names attempt " + std::to_string(record.claim->attempt)
                + " of " + std::to_string(record.attempts));
    }
    if (!isFinal(record.state))
        return;
    const bool hasBody = record.result && record.result->body;
    if (hasBody != model->body.has_value()) {
        wrong("I3: " + here + ": a recorded result came or went");
    } else if (hasBody) {
        const auto bytes = store.body(*record.result->body);
        if (!bytes || !*bytes || **bytes != *model->body)
            wrong("I3: " + here + ": the recorded bytes changed");
    }
}

void Oracle::answered(Actor &actor, const ExecuteReport &report)
{
    const Request request = std::move(*actor.request);
    actor.request.reset();
    const Model *model = find(request.key);
    const std::string here = model == nullptr ? "an unknown action" : place(*model);
    log(actor.name + ": answer " + std::string(disposition(report.answer)) + " for " + here);
    const bool altered = differs(request, model);
    const auto lastCall = [&]() -> const Call * {
        return model == nullptr || request.calls.empty() ? nullptr
                                                         : &model->calls[request.calls.back()];
    };
    const bool called = !request.calls.empty();
    const auto notAltered = [&](const char *what) {
        if (altered)
            wrong("E54: " + here + ": other args or another tool were answered " + what);
        if (model != nullptr && called && model->finalAt >= 0 && model->finalAt < request.startedAt)
            wrong("I7: " + here + ": called although it had ended before");
    };
    const auto callsAreKept = [&](const char *what) {
        for (const std::size_t i : request.calls)
            if (isOwed(*model, model->calls[i]))
                wrong("E16: " + here + ": answered " + what + ", and its outcome is not kept");
    };

    if (const auto *executed = std::get_if<answers::Executed>(&report.answer)) {
        m_reached(Branch::Executed);
        notAltered("executed");
        const Call *call = lastCall();
        if (call == nullptr || !call->answer) {
            wrong(here + ": executed without a call");
            return;
        }
        if (!isFinal(model->state) && !model->openDoubt)
            wrong(here + ": answered executed, and is not final");
        if (isOwed(*model, *call))
            wrong(here + ": answered executed, and is not recorded");
        if (!call->recorded && model->state == ActionState::Failed
            && !sameBytes(call->answer->body, model->body))
            known(Known::DeclineOfOtherBytes, here);
        else if (!sameBytes(executed->answer.body, call->answer->body)
            || (isFinal(model->state) && !sameBytes(executed->answer.body, model->body)))
            wrong("I3: " + here + ": executed with other bytes than recorded");
        if (call->answer->outcome == OutcomeClass::Succeeded
            && m_provider.effects({model->runId, model->seq}).empty())
            wrong(here + ": executed, and the provider did nothing");
    } else if (const auto *replayed = std::get_if<answers::Replayed>(&report.answer)) {
        m_reached(Branch::Replayed);
        if (request.writeFailed)
            m_reached(Branch::ReplayedWithoutNote);
        notAltered("replayed");
        callsAreKept("replayed");
        if (model == nullptr || model->state != replayed->state) {
            wrong(here + ": replayed as " + std::string(reprise::name(replayed->state))
                + ", and is not");
            return;
        }
        const auto body = replayed->answer ? replayed->answer->body : std::nullopt;
        if (!sameBytes(body, model->body))
            wrong("I3: " + here + ": replayed with other bytes than recorded");
    } else if (const auto *busy = std::get_if<answers::Busy>(&report.answer)) {
        m_reached(Branch::Busy);
        notAltered("busy");
        callsAreKept("busy");
        const auto died = m_diedAt.find(busy->owner.id);
        if (died == m_diedAt.end())
            wrong(here + ": busy with an owner that never was");
        else if (died->second >= 0 && died->second < request.startedAt)
            wrong("E11: " + here + ": busy with an owner that was dead");
    } else if (const auto *conflict = std::get_if<answers::Conflict>(&report.answer)) {
        m_reached(model != nullptr && request.tool && *request.tool != model->tool
                ? Branch::ConflictOfTool
                : Branch::ConflictOfArgs);
        if (!altered)
            wrong(here + ": a conflict with its own args");
        if (called)
            wrong("I9: " + here + ": conflict after a call");
        if (conflict->what.empty())
            wrong(here + ": a conflict that does not say what differs");
    } else if (const auto *doubt = std::get_if<answers::InDoubt>(&report.answer)) {
        notAltered("in doubt");
        callsAreKept("in doubt");
        if (doubt->reason.empty() || doubt->canSettle.empty())
            wrong(here + ": in doubt without a reason or a way out");
        for (const std::string &way : doubt->canSettle)
            if (way.starts_with("wait until the tool"))
                m_reached(Branch::ToolHeldSecondCall);
        if (doubt->reason.find("the contract allows no more") != std::string::npos)
            m_reached(Branch::ForwardingCapReached);
        if (doubt->reason.find("may have forgotten the key") != std::string::npos)
            m_reached(Branch::ForwardingWindowClosed);
        if (request.probe)
            m_reached(Branch::ProbeNotKnown);
    } else if (std::holds_alternative<answers::NotSent>(report.answer)) {
        notAltered("not sent");
        if (request.prepareFailed)
            m_reached(Branch::NotSentBeforeClaim);
        const Call *call = lastCall();
        if (call == nullptr ? !request.prepareFailed && !request.claimed
                            : !call->answer
                    || (call->answer->outcome != OutcomeClass::NotSent && !request.prepareFailed))
            wrong("I9: " + here + ": answered not sent, and was sent");
        if (call != nullptr)
            callsAreKept("not sent");
    } else if (const auto *refused = std::get_if<answers::Refused>(&report.answer)) {
        const std::string text = refused->error.text();
        if (called)
            wrong("I9: " + here + ": refused after a call: " + text);
        const bool closed = isClosed(request.runId);
        const bool ordered = model != nullptr && isOrdered(model->runId);
        if (request.badInput)
            m_reached(Branch::RefusedInput);
        else if (request.inNoPlan)
            m_reached(Branch::RefusedUnplanned);
        else if (text.find("is closed") != std::string::npos && closed)
            m_reached(Branch::RefusedClosedRun);
        else if (text.find("is ordered") != std::string::npos && ordered)
            m_reached(Branch::RefusedOrder);
        else if (request.storeFailed)
            m_reached(Branch::RefusedByStore);
        else if (!request.otherVersion && isAlive(actor.owner))
            wrong(here + ": refused without a reason: " + text);
    } else if (const auto *lost = std::get_if<answers::ExecutedUnrecorded>(&report.answer)) {
        m_reached(Branch::ExecutedUnrecorded);
        notAltered("executed_unrecorded");
        const Call *call = lastCall();
        if (call == nullptr || !call->answer) {
            wrong(here + ": executed_unrecorded without a call");
            return;
        }
        if (lost->answer.outcome != call->answer->outcome
            || !sameBytes(lost->answer.body, call->answer->body))
            wrong("E26: " + here + ": the attached answer is not the tool's");
        if (!request.writeFailed && isOwed(*model, *call))
            wrong("E16: " + here + ": executed_unrecorded by a store that works");
    }
    if (called && request.storeFailed)
        for (const std::size_t i : request.calls)
            m_models.at(request.key).calls[i].excused = true;
}

void Oracle::checkOutcomesKept()
{
    for (const auto &[key, model] : m_models) {
        std::size_t ran = 0;
        for (const Call &call : model.calls) {
            ran += call.ran ? 1 : 0;
            if (isOwed(model, call) && !call.excused && isAlive(call.owner))
                wrong("E16: " + place(model) + ": an outcome is not kept");
        }
        const auto effects = m_provider.effects({model.runId, model.seq}).size();
        if (effects > ran)
            wrong("I1: " + place(model) + ": " + std::to_string(effects) + " effects of "
                + std::to_string(ran) + " calls");
    }
}

} // namespace reprise::sim

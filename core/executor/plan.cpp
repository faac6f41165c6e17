#include "core/executor/plan.h"

#include "core/base/sha256.h"
#include "core/key/key.h"

#include <algorithm>
#include <set>

namespace reprise {

namespace {

constexpr std::size_t kActionsMax = 1'000'000;

Error invalid(const std::string &where, const std::string &what)
{
    return Error {ErrorCode::InvalidInput, what, where, {}};
}

/// A plan action with everything that follows from it.
struct BoundAction
{
    Seq seq;
    Key key;
    std::string tool;
    std::string args;
    std::string canonical;
    ToolContract contract;
    Json parsedArgs;
};

Result<Seq> seqOf(const Json &value, const std::string &where)
{
    // "03", 1.5, true and "3" are refused: a seq is a JSON whole number, written as one.
    auto seq = value.isNumber()
        ? Seq::parse(value.text())
        : Result<Seq>(fail(ErrorCode::InvalidInput, "\"seq\" must be a whole number", where));
    if (!seq)
        return tl::unexpected(invalid(where, seq.error().text()));
    return seq;
}

Result<void> readText(
    const Json &json, const char *field, const std::string &where, std::string &out)
{
    if (const Json *value = json.find(field); value != nullptr) {
        if (!value->isString() || hasControlCharacter(value->text()))
            return tl::unexpected(invalid(
                where, std::string("\"") + field + "\" must be text without control characters"));
        out = value->text();
    }
    return {};
}

Result<void> readFlag(const Json &json, const char *field, const std::string &where, bool &out)
{
    if (const Json *value = json.find(field); value != nullptr) {
        if (value->kind() != Json::Kind::Bool)
            return tl::unexpected(
                invalid(where, std::string("\"") + field + "\" must be true or false"));
        out = value->boolean();
    }
    return {};
}

Result<void> onlyKnown(
    const Json &json, const std::set<std::string> &known, const std::string &where)
{
    for (const auto &[field, value] : json.members())
        if (!known.contains(field))
            return tl::unexpected(invalid(where, "unknown field \"" + printable(field) + "\""));
    return {};
}

Result<PlannedAction> readAction(
    const Json &json, std::string_view document, const std::string &where)
{
    if (!json.isObject())
        return tl::unexpected(invalid(where, "an action must be an object"));
    PlannedAction action;
    if (const Json *seq = json.find("seq"); seq != nullptr && !seq->isNull()) {
        ASSIGN_OR_RETURN(const Seq value, seqOf(*seq, where));
        action.seq = value.value();
    }
    RETURN_IF_ERROR(readText(json, "tool", where, action.tool));
    if (action.tool.empty())
        return tl::unexpected(invalid(where, "an action needs a \"tool\""));
    const Json *args = json.find("args");
    action.args = args == nullptr ? "{}" : std::string(args->sourceIn(document));
    RETURN_IF_ERROR(onlyKnown(json, {"seq", "tool", "args", "note"}, where));
    return action;
}

/// Seqs for the actions that name none: after the largest ever used and the largest named here, in
/// order.
std::vector<std::int64_t> allocate(
    const std::vector<PlannedAction> &actions, std::int64_t largestUsed)
{
    std::int64_t largest = std::max<std::int64_t>(largestUsed, 0);
    for (const PlannedAction &action : actions)
        largest = std::max(largest, action.seq.value_or(0));
    std::vector<std::int64_t> seqs;
    for (const PlannedAction &action : actions) {
        if (action.seq)
            seqs.push_back(*action.seq);
        else if (largest < INT64_MAX)
            seqs.push_back(++largest);
        else
            seqs.push_back(-1); // refused by Seq::of
    }
    return seqs;
}

Result<std::vector<BoundAction>> bindActions(
    const Plan &plan, const RunId &run, const std::vector<std::int64_t> &seqs, const ToolSet &tools)
{
    std::vector<BoundAction> bound;
    std::set<std::int64_t> used;
    for (std::size_t i = 0; i < plan.actions.size(); ++i) {
        const PlannedAction &action = plan.actions[i];
        const std::string where = "action " + std::to_string(i + 1) + " of the plan";
        const auto seq = Seq::of(seqs[i]);
        if (!seq)
            return tl::unexpected(invalid(where, seq.error().text()));
        if (!used.insert(seqs[i]).second)
            return tl::unexpected(
                invalid(where, "seq " + std::to_string(seqs[i]) + " stands twice in the plan"));
        ASSIGN_OR_RETURN(Json args, Json::parse(action.args, where + ", args"));
        const ToolContract *contract = tools.find(action.tool);
        BoundAction row {*seq, deriveKey(run, *seq), action.tool, action.args, args.canonical(),
            contract == nullptr ? ToolContract::undeclared(action.tool) : *contract, {}};
        row.parsedArgs = std::move(args);
        bound.push_back(std::move(row));
    }
    return bound;
}

Digest contentDigest(const Plan &plan, const std::vector<BoundAction> &actions)
{
    Sha256 hash;
    hash.addPrefixed("reprise-plan-v1");
    hash.addPrefixed(plan.environment);
    hash.addPrefixed(plan.account);
    hash.addPrefixed(plan.dryRun ? "dry-run" : "");
    for (const BoundAction &action : actions) {
        hash.addNumber(static_cast<std::uint64_t>(action.seq.value()));
        hash.addPrefixed(action.tool);
        hash.addPrefixed(action.canonical);
    }
    return hash.finish();
}

/// What differs between a plan revision in the store and one handed in again; notes the attempt on
/// every action whose content differs.
Result<std::string> describeConflict(Store &store, Clock &clock,
    const std::vector<BoundAction> &actions, const std::vector<std::int64_t> &recordedSeqs)
{
    std::string what;
    const auto add = [&](const std::string &line) { what += (what.empty() ? "" : "; ") + line; };
    std::vector<Event> attempts;
    std::vector<Body> bodies;
    std::set<std::int64_t> missing(recordedSeqs.begin(), recordedSeqs.end());
    for (const BoundAction &action : actions) {
        const std::string seq = "seq " + std::to_string(action.seq.value());
        missing.erase(action.seq.value());
        ASSIGN_OR_RETURN(const auto record, store.find(action.key));
        if (!record) {
            add(seq + " is not in the recorded revision");
            continue;
        }
        ASSIGN_OR_RETURN(const auto recordedArgs, store.body(record->args));
        std::string difference;
        if (record->tool != action.tool)
            difference = "tool recorded " + record->tool + ", given " + action.tool;
        if (recordedArgs) {
            ASSIGN_OR_RETURN(const Json recorded, Json::parse(*recordedArgs, seq));
            for (const FieldDifference &field : jsonDifferences(recorded, action.parsedArgs))
                difference += (difference.empty() ? "" : ", ")
                    + (field.pointer.empty() ? "args" : field.pointer) + " recorded "
                    + field.recorded + ", given " + field.given;
        }
        if (difference.empty())
            continue;
        std::string line = seq + ": ";
        line += difference;
        add(line);
        const Digest digest = Sha256::of(action.args);
        bodies.push_back({digest, action.args});
        attempts.push_back({clock.now(),
            AttemptAnswered {action.key, AttemptKind::Conflict, {}, digest,
                "the same plan revision was handed in with other content: " + difference}});
    }
    for (const std::int64_t seq : missing)
        add("seq " + std::to_string(seq) + " is missing");
    if (!attempts.empty())
        RETURN_IF_ERROR(store.append(attempts, bodies, {}));
    return what.empty() ? std::string("environment, account or dry run differ") : what;
}

PlanReceipt receiptFor(const Plan &plan, const std::vector<BoundAction> &actions, bool already)
{
    PlanReceipt receipt {plan.runId, plan.revision, already, {}};
    for (const BoundAction &action : actions)
        receipt.actions.push_back({action.seq.value(), action.key, action.tool});
    return receipt;
}

/// The answer to a revision that the store already has.
Result<PlanReceipt> handedInAgain(Store &store, Clock &clock, const Plan &plan, const RunId &run,
    const ToolSet &tools, const Digest &recordedContent)
{
    ASSIGN_OR_RETURN(const auto recorded, store.seqsOf(run, plan.revision));
    // Allocation starts where it started the first time: above the revisions before this one.
    std::int64_t largestBefore = 0;
    for (std::int64_t revision = 1; revision < plan.revision; ++revision) {
        ASSIGN_OR_RETURN(const auto seqs, store.seqsOf(run, revision));
        if (!seqs.empty())
            largestBefore = std::max(largestBefore, seqs.back());
    }
    ASSIGN_OR_RETURN(
        const auto actions, bindActions(plan, run, allocate(plan.actions, largestBefore), tools));
    if (contentDigest(plan, actions) == recordedContent)
        return receiptFor(plan, actions, true);
    ASSIGN_OR_RETURN(const std::string what, describeConflict(store, clock, actions, recorded));
    return fail(ErrorCode::Conflict,
        "revision " + std::to_string(plan.revision) + " is recorded with other content: " + what,
        "run " + plan.runId,
        "send the recorded content, or hand in revision " + std::to_string(plan.revision + 1));
}

} // namespace

Result<Plan> Plan::parse(std::string_view text, const std::string &where)
{
    ASSIGN_OR_RETURN(const Json json, Json::parse(text, where));
    if (!json.isObject())
        return tl::unexpected(invalid(where, "a plan must be an object"));
    Plan plan;
    RETURN_IF_ERROR(onlyKnown(json,
        {"run_id", "revision", "label", "ordered", "environment", "account", "dry_run", "actions"},
        where));
    const Json *runId = json.find("run_id");
    if (runId == nullptr || !runId->isString())
        return tl::unexpected(invalid(where, "a plan needs a \"run_id\" (text)"));
    ASSIGN_OR_RETURN(const RunId run, RunId::parse(runId->text()));
    plan.runId = run.bytes();
    if (const Json *revision = json.find("revision"); revision != nullptr) {
        const auto value = revision->integer();
        if (!value || *value < 1)
            return tl::unexpected(invalid(where, "\"revision\" must be a whole number from 1"));
        plan.revision = *value;
    }
    RETURN_IF_ERROR(readText(json, "label", where, plan.label));
    RETURN_IF_ERROR(readText(json, "environment", where, plan.environment));
    if (plan.environment != "live" && plan.environment != "sandbox")
        return tl::unexpected(invalid(where, "\"environment\" must be live or sandbox"));
    RETURN_IF_ERROR(readText(json, "account", where, plan.account));
    RETURN_IF_ERROR(readFlag(json, "ordered", where, plan.ordered));
    RETURN_IF_ERROR(readFlag(json, "dry_run", where, plan.dryRun));
    const Json *actions = json.find("actions");
    if (actions == nullptr || !actions->isArray() || actions->items().empty())
        return tl::unexpected(invalid(where, "a plan needs \"actions\", a list of at least one"));
    if (actions->items().size() > kActionsMax)
        return tl::unexpected(invalid(where, "more than 1,000,000 actions in one revision"));
    for (std::size_t i = 0; i < actions->items().size(); ++i) {
        ASSIGN_OR_RETURN(PlannedAction action,
            readAction(actions->items()[i], text, where + ", action " + std::to_string(i + 1)));
        plan.actions.push_back(std::move(action));
    }
    return plan;
}

Result<PlanReceipt> writePlan(Store &store, Clock &clock, const Plan &plan, const ToolSet &tools)
{
    ASSIGN_OR_RETURN(const RunId run, RunId::parse(plan.runId));
    ASSIGN_OR_RETURN(const auto known, store.findRun(run));
    ASSIGN_OR_RETURN(const auto content, store.planContent(run, plan.revision));
    if (content)
        return handedInAgain(store, clock, plan, run, tools, *content);
    const std::int64_t revisionNow = known ? known->revision : 0;
    const std::string where = "run " + printable(plan.runId, 80);
    if (known && known->imported)
        return fail(
            ErrorCode::Conflict, "holds imported records; nothing can be planned in it", where);
    if (known && known->closed)
        return fail(ErrorCode::Conflict, "is closed", where, "plan a new run");
    if (plan.revision != revisionNow + 1)
        return fail(ErrorCode::InvalidInput,
            "revision " + std::to_string(plan.revision) + " does not follow revision "
                + std::to_string(revisionNow),
            where, "the next revision is " + std::to_string(revisionNow + 1));
    if (known
        && (known->environment != plan.environment || known->account != plan.account
            || known->dryRun != plan.dryRun))
        return fail(ErrorCode::Conflict,
            "environment, account or dry run differ from the revisions before", where);
    ASSIGN_OR_RETURN(const auto actions,
        bindActions(plan, run, allocate(plan.actions, known ? known->seqMax : -1), tools));

    const Time now = clock.now();
    std::vector<Event> events;
    std::vector<Body> bodies;
    std::vector<Precondition> preconditions;
    events.push_back({now,
        RunPlanned {plan.runId, plan.revision, contentDigest(plan, actions), plan.label,
            plan.ordered, plan.environment, plan.account, plan.dryRun, false, {}}});
    std::set<Digest> bound;
    for (const BoundAction &action : actions) {
        ASSIGN_OR_RETURN(const auto taken, store.find(action.key));
        if (taken)
            return fail(ErrorCode::Conflict,
                "seq " + std::to_string(action.seq.value()) + " was used before", where,
                "seqs are never reused: leave \"seq\" out to get the next one");
        const Digest contract = action.contract.digest();
        if (bound.insert(contract).second)
            events.push_back({now,
                ContractBound {action.tool, action.contract.version, contract,
                    action.contract.toJson().canonical()}});
        const Digest argsDigest = Sha256::of(action.args);
        bodies.push_back({argsDigest, action.args});
        preconditions.push_back({action.key, 0});
        events.push_back({now,
            ActionPlanned {plan.runId, action.seq.value(), action.key, false, action.tool,
                action.contract.sideEffect, contract,
                fingerprint({action.tool, action.contract.version, plan.environment, plan.account,
                                plan.dryRun, action.contract.ignore},
                    action.parsedArgs),
                argsDigest, action.contract.business.read(action.parsedArgs)}});
    }
    const auto written = store.append(events, bodies, preconditions);
    if (!written && written.error().code == ErrorCode::Conflict) {
        // Another planner was faster. The same content is answered from its record, other content
        // refused.
        ASSIGN_OR_RETURN(const auto theirs, store.planContent(run, plan.revision));
        if (theirs)
            return handedInAgain(store, clock, plan, run, tools, *theirs);
    }
    RETURN_IF_ERROR(written);
    return receiptFor(plan, actions, false);
}

} // namespace reprise

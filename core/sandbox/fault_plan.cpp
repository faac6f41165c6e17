#include "core/sandbox/fault_plan.h"

#include <algorithm>
#include <limits>

namespace reprise {

namespace {

template <typename Value, std::size_t Count>
std::optional<Value> byName(const Value (&values)[Count], std::string_view text)
{
    const auto found = std::find_if(
        std::begin(values), std::end(values), [&](Value value) { return name(value) == text; });
    return found == std::end(values) ? std::nullopt : std::optional<Value>(*found);
}

std::string_view faultInWords(Fault fault)
{
    switch (fault) {
    case Fault::RequestLost:
        return "The request is lost before it reaches the provider";
    case Fault::ResponseLost:
        return "The provider carries out the request and its answer is lost";
    case Fault::ResponseTruncated:
        return "The provider carries out the request and its answer arrives cut";
    case Fault::CrashAfterClaim:
        return "The worker dies after the claim and before the call";
    case Fault::CrashAfterCall:
        return "The worker dies after the call and before its outcome is recorded";
    case Fault::CrashAfterRecord:
        return "The worker dies after the outcome is recorded and before the agent has it";
    case Fault::DuplicateDelivery:
        return "The same request is delivered again while the first is inside the tool";
    case Fault::ArgsChanged:
        return "The agent is answered, and asks again with changed args";
    }
    return "?";
}

std::string_view policyInWords(KeyPolicy policy)
{
    switch (policy) {
    case KeyPolicy::Planner:
        return "the planner's own key";
    case KeyPolicy::MintedByTool:
        return "a key that the tool mints anew inside every call";
    case KeyPolicy::None:
        return "no key";
    }
    return "?";
}

} // namespace

std::string_view name(Fault fault)
{
    switch (fault) {
    case Fault::RequestLost:
        return "request_lost";
    case Fault::ResponseLost:
        return "response_lost";
    case Fault::ResponseTruncated:
        return "response_truncated";
    case Fault::CrashAfterClaim:
        return "crash_after_claim";
    case Fault::CrashAfterCall:
        return "crash_after_call";
    case Fault::CrashAfterRecord:
        return "crash_after_record";
    case Fault::DuplicateDelivery:
        return "duplicate_delivery";
    case Fault::ArgsChanged:
        return "args_changed";
    }
    return "?";
}

std::optional<Fault> faultFrom(std::string_view text)
{
    return byName(kAllFaults, text);
}

std::string_view name(KeyPolicy policy)
{
    switch (policy) {
    case KeyPolicy::Planner:
        return "planner";
    case KeyPolicy::MintedByTool:
        return "minted_by_tool";
    case KeyPolicy::None:
        return "none";
    }
    return "?";
}

std::optional<KeyPolicy> keyPolicyFrom(std::string_view text)
{
    return byName(kAllKeyPolicies, text);
}

std::string_view name(SimulationVerdict verdict)
{
    switch (verdict) {
    case SimulationVerdict::Protected:
        return "protected";
    case SimulationVerdict::Double:
        return "double";
    case SimulationVerdict::Stopped:
        return "stopped";
    }
    return "?";
}

std::string_view meaning(SimulationVerdict verdict)
{
    switch (verdict) {
    case SimulationVerdict::Protected:
        return "no second effect, and the agent got an answer";
    case SimulationVerdict::Double:
        return "one intention took effect more than once";
    case SimulationVerdict::Stopped:
        return "no second effect; a person or a rule has to settle what happened";
    }
    return "?";
}

CallFate firstCallFate(Fault fault)
{
    switch (fault) {
    case Fault::RequestLost:
        return CallFate::RequestLost;
    case Fault::ResponseLost:
        return CallFate::ResponseLost;
    case Fault::ResponseTruncated:
        return CallFate::ResponseTruncated;
    case Fault::CrashAfterClaim:
    case Fault::CrashAfterCall:
    case Fault::CrashAfterRecord:
    case Fault::DuplicateDelivery:
    case Fault::ArgsChanged:
        return CallFate::Answered;
    }
    return CallFate::Answered;
}

std::optional<Step> crashStep(Fault fault)
{
    switch (fault) {
    case Fault::CrashAfterClaim:
        return Step::AfterClaim;
    case Fault::CrashAfterCall:
        return Step::AfterCall;
    case Fault::CrashAfterRecord:
        return Step::AfterRecord;
    case Fault::RequestLost:
    case Fault::ResponseLost:
    case Fault::ResponseTruncated:
    case Fault::DuplicateDelivery:
    case Fault::ArgsChanged:
        return std::nullopt;
    }
    return std::nullopt;
}

std::string changedArgs(const ToolContract &contract, const Json &args)
{
    Json changed = args;
    const std::string &pointer = contract.business.amount;
    const Json *amount = pointer.empty() ? nullptr : changed.at(pointer);
    const auto value = amount != nullptr && amount->isNumber() ? amount->integer() : std::nullopt;
    const std::size_t slash = pointer.rfind('/');
    // A member directly under the root is the usual form; others get the extra member below.
    if (value && slash == 0) {
        constexpr std::int64_t kStep = 100;
        const bool room = *value <= std::numeric_limits<std::int64_t>::max() - kStep;
        changed.set(pointer.substr(1), room ? *value + kStep : *value - kStep);
        return changed.dump();
    }
    if (!changed.isObject())
        return Json::array({changed, "changed"}).dump();
    changed.set("changed_by_agent", true);
    return changed.dump();
}

std::string rulesInWords(const ToolContract &contract)
{
    std::string words;
    const auto add = [&](const std::string &rule) { words += (words.empty() ? "" : ", ") + rule; };
    if (contract.forwarding)
        add("forwarding for " + durationText(contract.forwarding->retentionUs) + ", "
            + std::to_string(contract.forwarding->attemptsMax) + " calls");
    if (!contract.probe.empty())
        add("a probe");
    if (contract.repeatable)
        add("repeatable");
    return words.empty() ? "no rule for settling doubt" : words;
}

std::string scenarioInWords(
    Fault fault, KeyPolicy policy, const ToolContract &contract, int retries)
{
    const std::string retry
        = retries == 1 ? "one retry carries " : std::to_string(retries) + " retries carry ";
    return std::string(faultInWords(fault)) + "; " + retry + std::string(policyInWords(policy))
        + ", and the contract declares " + rulesInWords(contract) + ".";
}

} // namespace reprise

#include "core/sandbox/scripted_tool.h"

#include "core/base/json.h"

#include <utility>

namespace reprise {

namespace {

constexpr std::int64_t kUsPerMs = 1000;

/// Puts `value` where `pointer` names, making objects on the way. A number in the pointer becomes a
/// member name: readers of pointers find it either way.
void setAt(Json &json, std::string_view pointer, const Json &value)
{
    if (pointer.empty())
        return;
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    std::string name;
    for (std::size_t i = 1; i < end; ++i) {
        const bool escaped = pointer[i] == '~' && i + 1 < end;
        name += !escaped ? pointer[i] : pointer[i + 1] == '1' ? '/' : '~';
        i += escaped ? 1 : 0;
    }
    Json child = json[name].isObject() ? json[name] : Json::object();
    if (end == pointer.size())
        child = value;
    else
        setAt(child, pointer.substr(end), value);
    json.set(name, std::move(child));
}

/// A result that keeps what the contract declares of one: required fields (those of the request
/// where it has them) and the provider's reference.
std::string resultBody(const ToolContract &contract, const Json &args, const std::string &reference)
{
    Json body = Json::object();
    body.set("status", "succeeded");
    if (contract.reference.empty() && !reference.empty())
        body.set("reference", reference);
    for (const std::string &pointer : contract.required) {
        if (body.at(pointer) != nullptr)
            continue;
        const Json *given = args.at(pointer);
        setAt(body, pointer, given != nullptr && !given->isNull() ? *given : Json(reference));
    }
    setAt(body, contract.reference, reference);
    return body.dump();
}

std::string keyWords(const std::string &key)
{
    constexpr std::size_t kShown = 12;
    if (key.empty())
        return "without a key";
    return "under key " + (key.size() > kShown ? key.substr(0, kShown) + "…" : key);
}

} // namespace

std::string amountWords(const std::optional<Money> &amount)
{
    return amount ? amount->withCode() : "the request";
}

class ScriptedTool::Call final : public PreparedCall
{
public:
    Call(ScriptedTool &tool, ToolCall call)
        : m_tool(tool)
        , m_call(std::move(call))
    {
    }
    [[nodiscard]] std::optional<ProcessId> process() const override { return std::nullopt; }
    [[nodiscard]] ToolAnswer run() override { return m_tool.answer(m_call); }

private:
    ScriptedTool &m_tool;
    ToolCall m_call;
};

ScriptedTool::ScriptedTool(
    SandboxProvider &provider, SandboxClock &clock, Random &random, Observer observer)
    : m_provider(provider)
    , m_clock(clock)
    , m_random(random)
    , m_observer(std::move(observer))
{
}

Result<std::unique_ptr<PreparedCall>> ScriptedTool::prepare(const ToolCall &call)
{
    return Result<std::unique_ptr<PreparedCall>>(std::make_unique<Call>(*this, call));
}

void ScriptedTool::travel()
{
    constexpr std::int64_t kMsMin = 20;
    constexpr std::uint64_t kMsSpread = 180;
    m_clock.advance((kMsMin + static_cast<std::int64_t>(m_random.below(kMsSpread))) * kUsPerMs);
}

std::string ScriptedTool::carryOut(const ToolCall &call)
{
    const Json args = Json::parse(call.args).value_or(Json());
    if (!call.contract.sideEffect) {
        m_observer("provider", "looks up what was asked for; nothing changes");
        return resultBody(call.contract, args, "lookup_" + std::to_string(m_calls));
    }
    const auto amount = call.contract.business.read(args).amount;
    const auto applied = m_provider.apply(call.sentKey, args.canonical(), amount, m_clock.now());
    m_observer("provider",
        applied.recognised ? "recognises the request " + keyWords(call.sentKey)
                + " and answers with " + applied.effect.reference + "; nothing happens again"
                           : "carries out " + amountWords(amount) + " " + keyWords(call.sentKey)
                + " as " + applied.effect.reference);
    return resultBody(call.contract, args, applied.effect.reference);
}

ToolAnswer ScriptedTool::answer(const ToolCall &call)
{
    ToolAnswer answer;
    travel();
    const CallFate fate = std::exchange(m_nextFate, CallFate::Answered);
    if (fate == CallFate::RequestLost) {
        answer.outcome = OutcomeClass::NotSent;
        answer.reason = "connection refused: the request never reached the provider";
        m_observer("executor", answer.reason);
        return answer;
    }
    ++m_calls;
    if (const auto inside = std::exchange(m_whileInside, {}))
        inside();
    std::string body = carryOut(call);
    if (fate == CallFate::ResponseLost) {
        m_clock.advance(call.contract.timeoutMs * kUsPerMs);
        answer.reason = "no answer within " + std::to_string(call.contract.timeoutMs) + " ms";
        return answer;
    }
    travel();
    if (fate == CallFate::ResponseTruncated)
        body.resize(body.size() / 2);
    answer.outcome = OutcomeClass::Succeeded;
    answer.status = "0";
    answer.body = std::move(body);
    return answer;
}

ProbeResult ScriptedTool::probe(const ToolCall &call)
{
    travel();
    const Json args = Json::parse(call.args).value_or(Json());
    const SandboxEffect *found = m_provider.find(call.sentKey, args.canonical());
    ProbeResult result;
    result.status = found != nullptr ? "0" : "10";
    result.answer = found != nullptr ? ProbeAnswer::Applied : ProbeAnswer::NotApplied;
    if (found != nullptr)
        result.body = resultBody(call.contract, args, found->reference);
    result.note = found != nullptr ? "the look-up finds " + found->reference
                                   : "the look-up finds nothing under that key";
    m_observer("provider", result.note);
    travel();
    return result;
}

} // namespace reprise

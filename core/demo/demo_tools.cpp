#include "core/demo/demo_tools.h"

#include <filesystem>
#include <utility>

namespace reprise {

namespace {

constexpr std::int64_t kUsPerMs = 1000;

Json texts(std::initializer_list<const char *> values)
{
    Json list = Json::array();
    for (const char *value : values)
        list.push(value);
    return list;
}

/// What all tools of the provider share.
Json providerTool(const char *name, const char *verb, Json settle, Json business)
{
    Json json;
    json.set("name", name).set("version", "1").set("command", texts({kDemoProviderLink, verb}));
    json.set("side_effect", true);
    json.set("key", Json().set("form", "uuid").set("env", "IDEMPOTENCY_KEY"));
    json.set("timeout_ms", 30'000);
    json.set("exit", Json().set("0", "succeeded").set("10", "declined").set("11", "not_sent"));
    json.set("result",
        Json()
            .set("content_type", "application/json")
            .set("required", texts({"/id", "/status"}))
            .set("reference", "/id"));
    json.set("settle", std::move(settle)).set("business", std::move(business));
    return json;
}

Json business(const char *kind, const char *payee, const char *order)
{
    return Json().set("kind", kind).set("payee", payee).set("order", order);
}

Json money(Json business)
{
    business.set("amount", "/amount_minor").set("unit", "minor").set("currency", "/currency");
    return business;
}

std::string_view optionWord(ProviderFault fault)
{
    switch (fault) {
    case ProviderFault::None:
        return "";
    case ProviderFault::Decline:
        return "decline";
    case ProviderFault::Refuse:
        return "refuse";
    case ProviderFault::LoseRequest:
        return "lose-request";
    case ProviderFault::LoseResponse:
        return "lose-response";
    case ProviderFault::CutResponse:
        return "cut-response";
    case ProviderFault::DieBefore:
        return "die-before";
    case ProviderFault::DieAfter:
        return "die-after";
    }
    return "";
}

bool waitsForTheLimit(ProviderFault fault)
{
    return fault == ProviderFault::LoseRequest || fault == ProviderFault::LoseResponse;
}

} // namespace

std::string demoToolsText()
{
    const Json noRule = Json::object();
    const Json forwarding
        = Json().set("forwarding", Json().set("retention", "24h").set("attempts", 3));
    const Json probe = Json().set("probe", texts({kDemoProviderLink, "lookup"}));
    Json tools = Json::array();
    tools.push(Json()
                   .set("name", "fetch_order")
                   .set("version", "1")
                   .set("command", texts({kDemoProviderLink, "order"}))
                   .set("side_effect", false)
                   .set("result", Json().set("content_type", "application/json"))
                   .set("business", business("other", "/customer", "/order_id")));
    tools.push(providerTool(
        "charge_card", "charge", noRule, money(business("charge", "/customer", "/order_id"))));
    tools.push(providerTool("authorise_card", "authorise", forwarding,
        money(business("authorisation", "/customer", "/order_id"))));
    tools.push(providerTool("capture_card", "capture", forwarding,
        money(business("capture", "/customer", "/order_id"))));
    tools.push(providerTool("refund_payment", "refund", probe,
        money(business("refund", "/customer", "/order_id")).set("undoes", "/charge")));
    tools.push(providerTool(
        "send_payout", "payout", forwarding, money(business("other", "/supplier", "/invoice"))));
    tools.push(providerTool(
        "send_mail", "message", noRule, business("message", "/customer", "/order_id")));
    return Json().set("tools", std::move(tools)).pretty() + "\n";
}

Result<ToolSet> demoTools()
{
    // Not ToolSet::parse: that makes commands absolute, for running them from any folder.
    ASSIGN_OR_RETURN(const Json json, Json::parse(demoToolsText(), "tools.json"));
    ToolSet set;
    for (const Json &item : json["tools"].items()) {
        ASSIGN_OR_RETURN(ToolContract contract, ToolContract::fromJson(item, "tools.json"));
        const std::string tool = contract.name;
        set.tools.emplace(tool, std::move(contract));
    }
    return set;
}

class DemoToolRunner::Call final : public PreparedCall
{
public:
    Call(std::unique_ptr<PreparedCall> process, ProcessId id, SandboxClock &clock,
        std::int64_t takesUs)
        : m_process(std::move(process))
        , m_id(id)
        , m_clock(clock)
        , m_takesUs(takesUs)
    {
    }
    [[nodiscard]] std::optional<ProcessId> process() const override { return m_id; }
    [[nodiscard]] ToolAnswer run() override
    {
        ToolAnswer answer = m_process->run();
        m_clock.advance(m_takesUs);
        return answer;
    }

private:
    std::unique_ptr<PreparedCall> m_process;
    ProcessId m_id;
    SandboxClock &m_clock;
    std::int64_t m_takesUs;
};

DemoToolRunner::DemoToolRunner(std::string folder, SandboxClock &clock, Random &random)
    : m_folder(std::move(folder))
    , m_clock(clock)
    , m_random(random)
{
}

std::vector<std::string> DemoToolRunner::commandFor(
    const std::vector<std::string> &command, Time at, ProviderFault fault) const
{
    std::vector<std::string> full = command;
    full[0] = (std::filesystem::path(m_folder) / full[0]).lexically_normal().string();
    full.insert(full.end(), {"--at", at.rfc3339()});
    if (fault != ProviderFault::None)
        full.insert(full.end(), {"--fault", std::string(optionWord(fault))});
    return full;
}

Result<std::unique_ptr<PreparedCall>> DemoToolRunner::prepare(const ToolCall &call)
{
    const ProviderFault fault = std::exchange(m_nextFault, ProviderFault::None);
    const auto ms = [&](std::uint64_t low, std::uint64_t spread) {
        return static_cast<std::int64_t>(low + m_random.below(spread)) * kUsPerMs;
    };
    const std::int64_t thereUs = ms(30, 120);
    const std::int64_t backUs
        = waitsForTheLimit(fault) ? call.contract.timeoutMs * kUsPerMs : ms(60, 700);
    const ProcessId id {static_cast<std::int64_t>(2000 + m_random.below(30'000)),
        static_cast<std::int64_t>(m_random.below(100'000'000))};
    ToolCall real = call;
    real.contract.command
        = commandFor(call.contract.command, Time {m_clock.now().us + thereUs}, fault);
    ASSIGN_OR_RETURN(auto process, m_processes.prepare(real));
    return Result<std::unique_ptr<PreparedCall>>(
        std::make_unique<Call>(std::move(process), id, m_clock, thereUs + backUs));
}

ProbeResult DemoToolRunner::probe(const ToolCall &call)
{
    ToolCall real = call;
    real.contract.probe = commandFor(call.contract.probe, m_clock.now(), ProviderFault::None);
    ProbeResult result = m_processes.probe(real);
    m_clock.advance(static_cast<std::int64_t>(80 + m_random.below(300)) * kUsPerMs);
    return result;
}

} // namespace reprise

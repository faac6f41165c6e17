#pragma once

#include "core/base/random.h"
#include "core/executor/tool.h"
#include "core/sandbox/sandbox_clock.h"
#include "core/sandbox/sandbox_provider.h"

#include <cstdint>
#include <functional>
#include <string>

namespace reprise {

/// What becomes of one call.
enum class CallFate {
    Answered,
    RequestLost, ///< the connection is refused: it never arrives
    ResponseLost, ///< carried out; the answer never comes back
    ResponseTruncated, ///< carried out; the answer is cut in the middle
};

/// The only tool of a sandbox: it starts no program and opens no connection, and asks the sandbox
/// provider instead. Provider, clock and random outlive it. One thread at a time.
class ScriptedTool final : public ToolRunner
{
public:
    /// Told what happens, for the steps of a simulation: who, and what in words.
    using Observer = std::function<void(const std::string &actor, const std::string &what)>;

    ScriptedTool(SandboxProvider &provider, SandboxClock &clock, Random &random, Observer observer);

    /// The next call meets this fate; those after it are answered.
    void setNextFate(CallFate fate) { m_nextFate = fate; }
    /// Runs once, while the next call is inside the tool and before it has any effect.
    void setWhileInside(std::function<void()> callback) { m_whileInside = std::move(callback); }
    /// Calls that arrived at the tool.
    [[nodiscard]] std::int64_t calls() const { return m_calls; }

    [[nodiscard]] Result<std::unique_ptr<PreparedCall>> prepare(const ToolCall &call) override;
    [[nodiscard]] ProbeResult probe(const ToolCall &call) override;

private:
    class Call;
    [[nodiscard]] ToolAnswer answer(const ToolCall &call);
    [[nodiscard]] std::string carryOut(const ToolCall &call);
    void travel();

    SandboxProvider &m_provider;
    SandboxClock &m_clock;
    Random &m_random;
    Observer m_observer;
    CallFate m_nextFate = CallFate::Answered;
    std::function<void()> m_whileInside;
    std::int64_t m_calls = 0;
};

/// "EUR 49.00", or "the request" where no amount is known.
[[nodiscard]] std::string amountWords(const std::optional<Money> &amount);

} // namespace reprise

#pragma once

#include "core/base/clock.h"
#include "core/executor/tool.h"

#include <functional>
#include <string>
#include <vector>

namespace reprise::test {

/// A clock that tests move.
class FakeClock final : public Clock
{
public:
    [[nodiscard]] Time now() override { return m_now; }
    void advanceUs(std::int64_t us) { m_now.us += us; }
    void set(Time now) { m_now = now; }

private:
    Time m_now {1'796'000'000'000'000};
};

/// A tool in this process: every call goes to `onCall` and is written to `calls`, the ledger that
/// tests compare the store with.
class ScriptedRunner final : public ToolRunner
{
public:
    std::function<ToolAnswer(const ToolCall &)> onCall;
    std::function<ProbeResult(const ToolCall &)> onProbe;
    std::vector<ToolCall> calls;
    bool refusesToPrepare = false;

    [[nodiscard]] Result<std::unique_ptr<PreparedCall>> prepare(const ToolCall &call) override
    {
        if (refusesToPrepare)
            return fail(ErrorCode::Io, "connection refused", "provider");
        return Result<std::unique_ptr<PreparedCall>>(std::make_unique<Prepared>(*this, call));
    }
    [[nodiscard]] ProbeResult probe(const ToolCall &call) override
    {
        return onProbe ? onProbe(call) : ProbeResult {};
    }

private:
    class Prepared final : public PreparedCall
    {
    public:
        Prepared(ScriptedRunner &runner, ToolCall call)
            : m_runner(runner)
            , m_call(std::move(call))
        {
        }
        [[nodiscard]] std::optional<ProcessId> process() const override { return std::nullopt; }
        [[nodiscard]] ToolAnswer run() override
        {
            m_runner.calls.push_back(m_call);
            return m_runner.onCall(m_call);
        }

    private:
        ScriptedRunner &m_runner;
        ToolCall m_call;
    };
};

} // namespace reprise::test

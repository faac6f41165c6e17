#include "tests/sim/runner.h"

#include "core/executor/process.h"
#include "tests/sim/fiber.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace reprise::sim {

ToolProcess::ToolProcess()
{
    const pid_t pid = ::fork();
    if (pid < 0)
        std::abort();
    if (pid == 0) {
        // As a program of its own has none of them: locks belong to open files.
        ::close_range(3, ~0U, 0);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            ::pause();
    }
    m_id.pid = pid;
    m_id.startTicks = processStartTicks(pid).value_or(0);
}

ToolProcess::~ToolProcess()
{
    const auto pid = static_cast<pid_t>(m_id.pid);
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
}

class SimulatedRunner::Prepared final : public PreparedCall
{
public:
    Prepared(SimulatedRunner &runner, ToolCall call, std::unique_ptr<ToolProcess> child)
        : m_around(runner.m_around)
        , m_faults(runner.m_faults)
        , m_call(std::move(call))
        , m_child(std::move(child))
    {
    }
    ~Prepared() override
    {
        // Killed in the middle of the call: the tool does not know, and goes on.
        if (m_runs && m_child)
            m_around.outlive({std::move(m_child), m_call, m_hasSent});
    }
    Prepared(const Prepared &) = delete;
    Prepared &operator=(const Prepared &) = delete;

    [[nodiscard]] std::optional<ProcessId> process() const override
    {
        return m_child ? std::optional(m_child->id()) : std::nullopt;
    }

    [[nodiscard]] ToolAnswer run() override
    {
        Fiber::throwIfKilled();
        Actor &actor = m_around.actor();
        const Key key = keyOf(m_call.runId, m_call.seq);
        const std::size_t call = m_around.oracle.called(actor, m_call);
        m_runs = true;
        Model *model = m_around.oracle.find(key);
        if (model != nullptr && m_child)
            model->toolRuns = model->calls[call].epoch;
        wait();
        m_hasSent = true;
        ToolAnswer answer = m_around.provider.call(m_call);
        wait();
        m_runs = false;
        m_child.reset();
        if (model != nullptr)
            model->toolRuns.reset();
        m_around.oracle.returned(actor, key, call, answer);
        return answer;
    }

private:
    void wait()
    {
        for (int i = 0; i < 6; ++i) {
            if (m_faults && m_around.random.below(1000) < 4)
                m_around.die(Branch::CrashInCall);
            m_around.others();
        }
    }

    const Surroundings &m_around;
    bool m_faults;
    ToolCall m_call;
    std::unique_ptr<ToolProcess> m_child;
    bool m_runs = false;
    bool m_hasSent = false;
};

Result<std::unique_ptr<PreparedCall>> SimulatedRunner::prepare(const ToolCall &call)
{
    Fiber::throwIfKilled();
    m_around.others();
    if (m_faults && m_around.random.below(100) < 2) {
        if (Actor &actor = m_around.actor(); actor.request)
            actor.request->prepareFailed = true;
        return fail(ErrorCode::Io, "connection refused", "the provider");
    }
    auto child = m_faults && m_around.random.below(100) < 6 ? std::make_unique<ToolProcess>()
                                                            : std::unique_ptr<ToolProcess>();
    return Result<std::unique_ptr<PreparedCall>>(
        std::make_unique<Prepared>(*this, call, std::move(child)));
}

ProbeResult SimulatedRunner::probe(const ToolCall &call)
{
    Fiber::throwIfKilled();
    m_around.others();
    ProbeResult result = m_around.provider.probe(call);
    if (Actor &actor = m_around.actor(); actor.request)
        actor.request->probe = result;
    m_around.others();
    return result;
}

} // namespace reprise::sim

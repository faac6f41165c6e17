#pragma once

#include "core/executor/tool.h"
#include "tests/sim/oracle.h"
#include "tests/sim/provider.h"

#include <functional>
#include <memory>

namespace reprise::sim {

/// A real process in the place of a tool, which does nothing but live.
class ToolProcess
{
public:
    ToolProcess();
    ~ToolProcess(); ///< ends it
    ToolProcess(const ToolProcess &) = delete;
    ToolProcess &operator=(const ToolProcess &) = delete;
    [[nodiscard]] ProcessId id() const { return m_id; }

private:
    ProcessId m_id;
};

/// A tool whose process outlived its executor.
struct Orphan
{
    std::unique_ptr<ToolProcess> process;
    ToolCall call;
    bool hasSent = false; ///< its request has been at the provider
};

/// The tools of one executor: they ask the provider, and others act while they wait.
class SimulatedRunner final : public ToolRunner
{
public:
    struct Surroundings
    {
        Oracle &oracle;
        Reached &reached;
        SeededRandom &random;
        Provider &provider;
        std::function<Actor &()> actor; ///< who is calling
        std::function<void()> others; ///< others may act
        std::function<void(Branch)> die; ///< the caller's process is killed; does not come back
        std::function<void(Orphan)> outlive; ///< its process lives on without its owner
    };

    SimulatedRunner(Surroundings surroundings, bool faults)
        : m_around(std::move(surroundings))
        , m_faults(faults)
    {
    }
    [[nodiscard]] Result<std::unique_ptr<PreparedCall>> prepare(const ToolCall &call) override;
    [[nodiscard]] ProbeResult probe(const ToolCall &call) override;

private:
    class Prepared;
    Surroundings m_around;
    bool m_faults;
};

} // namespace reprise::sim

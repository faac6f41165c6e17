#pragma once

#include "core/base/random.h"
#include "core/executor/executor.h"
#include "core/sandbox/sandbox_clock.h"
#include "core/sandbox/sandbox_provider.h"
#include "core/sandbox/scripted_tool.h"
#include "core/sandbox/simulator.h"
#include "core/store/sqlite_store.h"

#include <memory>
#include <optional>
#include <string>

namespace reprise {

/// The recorded action that is rehearsed.
struct RecordedAction
{
    ActionDetail detail;
    std::string args; ///< bytes as given
};

/// One simulation: plans the recorded action afresh in a sandbox store of its own (in memory, gone
/// afterwards), and drives deliveries of it through the real executor, the scripted tool and the
/// sandbox provider. Used once, by one thread.
class Rehearsal
{
public:
    Rehearsal(const RecordedAction &recorded, const SimulationRequest &request,
        ToolContract contract, std::string contractName);

    [[nodiscard]] Result<Simulation> run();

private:
    enum class Ending {
        Answered, ///< the agent has an answer that ends its loop
        Busy,
        Open, ///< no answer, or one that does not end the loop
    };

    void sayWhatTheRecordAnswers();
    [[nodiscard]] Result<void> planAction(const RunId &run, Seq seq, const std::string &args);
    [[nodiscard]] Result<Ending> deliver(int number, const std::string &args, bool duplicate);
    [[nodiscard]] Result<Ending> deliverByExecutor(
        const std::string &args, bool duplicate, const RunId &run, Seq seq);
    [[nodiscard]] Ending deliverWithoutKey(const std::string &args);
    [[nodiscard]] Result<std::unique_ptr<Executor>> makeWorker();
    [[nodiscard]] Ending seen(const ExecuteReport &report);
    [[nodiscard]] Ending seenWithoutKey(const ToolAnswer &answer);
    Ending agentSees(Ending ending, const std::string &what);
    [[nodiscard]] Result<void> duplicateDeliveries();
    void onStep(Step step);
    void step(const std::string &actor, const std::string &what);
    void passTime(std::int64_t msMin, std::int64_t msMax);
    [[nodiscard]] Result<void> drawUp();

    const RecordedAction &m_recorded;
    const SimulationRequest &m_request;
    ToolContract m_contract;
    ToolSet m_tools;
    SeededRandom m_random;
    SandboxClock m_clock;
    SandboxProvider m_provider;
    ScriptedTool m_tool;
    std::unique_ptr<Store> m_store;
    std::unique_ptr<Executor> m_worker; ///< absent after its death
    std::int64_t m_workers = 0;
    std::optional<Step> m_crashAt; ///< where the current worker dies
    bool m_answered = false;
    Simulation m_simulation;
};

} // namespace reprise

#pragma once

#include "core/base/random.h"
#include "core/demo/demo_tools.h"
#include "core/demo/older_log.h"
#include "core/demo/truth.h"
#include "core/executor/executor.h"
#include "core/executor/settlement.h"
#include "core/sandbox/sandbox_clock.h"
#include "core/store/store.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace reprise {

/// What the agent wants of a tool.
struct Ask
{
    std::string tool;
    Json args;
};

/// How one delivery goes wrong, if it does.
struct Mishap
{
    ProviderFault fault = ProviderFault::None;
    std::optional<Step> workerDiesAt;
    std::optional<Json> otherArgs; ///< the agent asks for something else than was planned
};

/// Where the demonstration's scenes are played: a store, the real executor with a worker for each
/// agent, the provider as a process, and a clock that the scenes move. A scene says what it
/// expects; the first thing that goes otherwise is kept in `trouble()`, and everything after it
/// does nothing. One thread.
class Stage
{
public:
    /// `folder` holds the link to the provider program and will hold store and ledger.
    [[nodiscard]] static Result<std::unique_ptr<Stage>> set(
        const std::string &folder, std::uint64_t seed);

    [[nodiscard]] const Result<void> &trouble() const { return m_trouble; }

    /// Moves the clock forward to `at`, if it is not there yet.
    void waitUntil(Time at);
    void pause(std::int64_t secondsMin, std::int64_t secondsMax);
    [[nodiscard]] Time now() { return m_clock.now(); }
    [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return m_random.below(bound); }

    /// Hands in the next revision of the run's plan. The run's id begins with its agent's name and
    /// a dash.
    void plan(const std::string &runId, const std::string &label, const std::vector<Ask> &asks);
    /// One delivery; `expected` is the disposition that the scene is about ("died" for a worker
    /// that dies).
    void deliver(const std::string &runId, std::int64_t seq, const std::string &expected,
        const Mishap &mishap = {});
    void settle(const std::string &runId, std::int64_t seq, Decision decision,
        const std::string &by, const std::string &reason, const std::string &evidence);

    /// One call of the older agent, which has no keys and no record but its log.
    void callAsOlderAgent(const std::string &runId, std::int64_t seq, const Ask &ask,
        ProviderFault fault = ProviderFault::None);
    /// Brings the older agent's log into the store.
    void importOlderLog();

    /// The provider's reference of what an action did, as its ledger has it.
    [[nodiscard]] std::string referenceOf(const std::string &runId, std::int64_t seq);

    void meantOnce(const std::string &cause, std::vector<ActionName> members);
    void looksAlike(const std::string &why, std::vector<ActionName> members);

    /// Ends all workers and closes the store, so that it is at rest; answers what really happened.
    [[nodiscard]] Result<Truth> close();

    [[nodiscard]] std::int64_t actions() const { return m_actions; }
    [[nodiscard]] std::int64_t runs() const { return static_cast<std::int64_t>(m_runs.size()); }

private:
    Stage(std::string folder, std::uint64_t seed, ToolSet tools);

    template <typename Function> void play(Function &&function);
    [[nodiscard]] Result<void> deliverNow(
        const std::string &runId, std::int64_t seq, const std::string &expected, const Mishap &);
    [[nodiscard]] Result<Executor *> workerFor(const std::string &runId);
    [[nodiscard]] Result<ActionRecord> recordOf(const std::string &runId, std::int64_t seq);
    [[nodiscard]] Result<void> callNow(
        const std::string &runId, std::int64_t seq, const Ask &ask, ProviderFault fault);
    [[nodiscard]] Result<std::vector<ActionName>> actionsInDoubt();

    std::string m_folder;
    SeededRandom m_random;
    SandboxClock m_clock;
    ToolSet m_tools;
    DemoToolRunner m_runner;
    std::unique_ptr<Store> m_store;
    std::map<std::string, std::unique_ptr<Executor>> m_workers; ///< by agent
    std::optional<Step> m_workerDiesAt;
    std::map<std::string, std::int64_t> m_runs; ///< id and newest revision, 0 for imported ones
    std::int64_t m_actions = 0;
    std::vector<OlderCall> m_olderLog;
    std::vector<Intention> m_intentions;
    std::vector<LookAlike> m_lookAlikes;
    Result<void> m_trouble;
};

/// The demonstration's first moment.
[[nodiscard]] Time demoStart();

} // namespace reprise

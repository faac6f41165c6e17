#pragma once

#include "core/base/clock.h"
#include "core/base/random.h"
#include "core/executor/executor.h"
#include "core/store/store.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

namespace reprise::speed {

/// A folder of this run of the measurement, gone at the end of the program.
[[nodiscard]] const std::string &workFolder();
/// Where large stores are kept between runs.
[[nodiscard]] std::string cacheFolder();
/// Is the folder in memory? Then nothing there is durable, and the figures mean nothing.
[[nodiscard]] bool inMemory(const std::string &folder);

[[noreturn]] void stopFor(const Error &error);
/// The value, or the end of the program with the error.
template <typename T> T must(Result<T> result)
{
    if (!result)
        stopFor(result.error());
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

/// A tool in this process that answers at once with about 200 bytes, different for every action.
/// Thread-safe.
class InstantTool final : public ToolRunner
{
public:
    [[nodiscard]] Result<std::unique_ptr<PreparedCall>> prepare(const ToolCall &call) override;
    [[nodiscard]] ProbeResult probe(const ToolCall &call) override;
};

/// An action that can be executed.
struct Planned
{
    RunId run;
    Seq seq;
};

/// A store with an executor over the instant tool, and actions to execute. Executing is
/// thread-safe, planning is not.
class Workload
{
public:
    enum class Notes { AsUsual, Durable }; ///< of replays

    /// A new store where there is none under that name, else the one that is there. Runs are named
    /// after `runs`, which has to be new in the store.
    explicit Workload(
        const std::string &path, const std::string &runs = "run", Notes notes = Notes::AsUsual);

    [[nodiscard]] Store &store() { return *m_store; }
    [[nodiscard]] const std::string &path() const { return m_path; }

    /// Plans until at least `count` actions wait.
    void stock(std::int64_t count);
    /// Executes the next action that waits; false where none does. Ends the program where it was
    /// not executed.
    bool executeNext();
    /// Executes one that was planned, perhaps by another process.
    void execute(const Planned &action);
    /// Asks for one of the first `count` executed actions again. Each `turn` has another one.
    void replay(std::uint64_t turn, std::int64_t count);
    /// The bytes of the recorded answer, by the store alone.
    void lookUp(std::uint64_t turn, std::int64_t count);

    /// A run of `count` actions that nobody executes here.
    void plan(const std::string &run, std::int64_t count);

private:
    [[nodiscard]] const Planned &done(std::uint64_t turn, std::int64_t count) const;

    std::string m_path;
    std::string m_runs;
    SystemClock m_clock;
    SystemRandom m_random;
    InstantTool m_tool;
    std::unique_ptr<Store> m_store;
    std::unique_ptr<Executor> m_executor;
    std::int64_t m_runsPlanned = 0;
    std::deque<Planned> m_actions; ///< in the order of execution; grows in `stock` only
    std::atomic<std::size_t> m_next {0};
};

/// A path for a new store or database in the work folder.
[[nodiscard]] std::string newPath(const std::string &name);

/// Actions that a slice of that length may need, by the best rate so far (0: none is known).
[[nodiscard]] std::int64_t actionsNeeded(double rate, double seconds);

/// A store in the cache folder in which `actions` were executed; made where it is not there.
[[nodiscard]] std::string largeStore(std::int64_t actions);

} // namespace reprise::speed

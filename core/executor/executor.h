#pragma once

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/executor/tool.h"
#include "core/store/store.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace reprise {

class LivenessLock;

/// One JSON value that differs: where, and both sides as compact JSON ("absent" where nothing is).
struct FieldDifference
{
    std::string pointer;
    std::string recorded;
    std::string given;
};

/// Differences of two JSON values, in the order of the recorded one; object key order, the spelling
/// of numbers, and what stands at or below a pointer of `ignore` do not count.
[[nodiscard]] std::vector<FieldDifference> jsonDifferences(
    const Json &recorded, const Json &given, const std::vector<std::string> &ignore = {});

/// The recorded answer of an action, with its bytes.
struct Answer
{
    RecordedResult result;
    std::optional<std::string> body; ///< absent: there was no result, or its bytes were pruned
    bool pruned = false;
    std::string recordedBy;
};

/// The closed set of answers of `execute` (design section 4).
namespace answers {
/// The tool was called and its outcome recorded: state is succeeded or failed.
struct Executed
{
    Answer answer;
};
struct Replayed
{
    ActionState state = ActionState::Succeeded; ///< succeeded, failed or cancelled
    std::optional<Answer>
        answer; ///< absent where it ended without a result (cancelled, settled as failed)
    std::string reason; ///< why it failed or was cancelled, and who recorded that
};
/// Another live owner has the claim.
struct Busy
{
    Owner owner;
    Time since;
};
/// The same key with another fingerprint. Legal moves: send the original args, or plan a new seq.
struct Conflict
{
    std::vector<FieldDifference> differences;
    std::string what;
};
struct InDoubt
{
    std::string reason;
    std::vector<std::string> canSettle; ///< what can settle it, in words
};
/// Provably before the effect; the action is planned again.
struct NotSent
{
    std::string reason;
};
/// Nothing was sent, and why.
struct Refused
{
    Error error;
};
/// The tool answered, the store did not take it: never a failure, the answer is attached.
struct ExecutedUnrecorded
{
    ToolAnswer answer;
    Error error;
};
} // namespace answers

using ExecuteAnswer
    = std::variant<answers::Executed, answers::Replayed, answers::Busy, answers::Conflict,
        answers::InDoubt, answers::NotSent, answers::Refused, answers::ExecutedUnrecorded>;

/// The word of cli.md for an answer: "executed", "replayed", …
[[nodiscard]] std::string_view disposition(const ExecuteAnswer &answer);

struct ExecuteRequest
{
    RunId run;
    Seq seq;
    /// What the agent asks for now; absent: what was planned.
    std::optional<std::string> tool;
    std::optional<std::string> args; ///< JSON bytes
    std::int64_t waitMsMax = 0; ///< how long to wait for another live owner
};

/// The execution's view after `execute`, for printing.
struct ExecuteReport
{
    ExecuteAnswer answer;
    Key key;
    std::optional<ActionState> state;
    std::int64_t attempt = 0; ///< number of this attempt; 0 where none was recorded
    std::string sentKey;
};

/// Steps of one execution, in order, for fault injection and the simulator.
enum class Step { BeforeClaim, AfterClaim, AfterCall, AfterRecord };

struct ExecutorOptions
{
    Clock &clock;
    Random &random;
    /// Contracts that the caller offers now; compared with the bound ones. Not owned; may be null.
    const ToolSet *tools = nullptr;
    /// The identity to claim under; absent: this process, with a fresh id. Given by the
    /// demonstration and by tests, whose stores must not depend on the machine. The id must be new.
    std::optional<Owner> owner = {};
    /// Called at each step; may throw `SimulatedCrash` to stop as a killed process would.
    std::function<void(Step)> onStep = {};
    /// Notes of replays and of busy answers wait for the disk too. Otherwise a power cut may take
    /// the newest ones; never a claim or an outcome.
    bool durableReplays = false;
};

/// Thrown by a step hook in the sandbox and in tests: the executor stops where a kill would have
/// stopped it, and its liveness lock is free afterwards.
struct SimulatedCrash
{
};

/// Makes side-effecting calls safe to retry: claims a key durably, calls the tool at most once,
/// records, and answers every retry from the record. Thread-safe. Store and runner outlive it. One
/// per process and store is enough; it holds a liveness lock for as long as it exists.
class Executor
{
public:
    [[nodiscard]] static Result<std::unique_ptr<Executor>> create(
        Store &store, ToolRunner &runner, ExecutorOptions options);
    virtual ~Executor() = default;

    [[nodiscard]] virtual ExecuteReport execute(const ExecuteRequest &request) = 0;
    [[nodiscard]] virtual const Owner &owner() const = 0;
};

} // namespace reprise

#pragma once

#include "core/base/result.h"
#include "core/model/action.h"
#include "core/model/contract.h"
#include "core/model/ids.h"

#include <memory>
#include <optional>
#include <string>

namespace reprise {

/// One call of a tool, as it was authorised.
struct ToolCall
{
    std::string runId;
    std::int64_t seq = 0;
    std::int64_t attempt = 0;
    std::string args; ///< bytes as given in the plan
    std::string sentKey; ///< the string that goes downstream; empty: none
    ToolContract contract;
};

/// What a call gave back, before any check of completeness.
struct ToolAnswer
{
    OutcomeClass outcome = OutcomeClass::Unknown;
    std::string status; ///< exit status or the tool's own word
    std::string reason; ///< for everything but success
    std::optional<std::string> body; ///< absent: nothing was answered
    std::string log; ///< standard error, at most 64 KiB
};

/// A call that is ready and has not happened. Destroying it without `run()` guarantees that it
/// never happens. `run()` is called at most once and never throws: what a tool throws becomes
/// Unknown.
class PreparedCall
{
public:
    virtual ~PreparedCall() = default;
    /// The process that will run the tool, where it is one: recorded with the claim, so that
    /// nothing starts a second call while that process lives.
    [[nodiscard]] virtual std::optional<ProcessId> process() const = 0;
    [[nodiscard]] virtual ToolAnswer run() = 0;
};

/// What a look-up at the provider says.
enum class ProbeAnswer { Applied, NotApplied, NotKnown };

struct ProbeResult
{
    ProbeAnswer answer = ProbeAnswer::NotKnown;
    std::optional<std::string> body; ///< for Applied: the result
    std::string status;
    std::string note;
};

/// The way to the outside world. Implementations: ProcessToolRunner (programs), ScriptedTool
/// (sandbox and tests), or the embedding program's own. Called from any thread.
class ToolRunner
{
public:
    virtual ~ToolRunner() = default;
    /// Everything that can fail before the tool is touched fails here, as an error: nothing was
    /// sent.
    [[nodiscard]] virtual Result<std::unique_ptr<PreparedCall>> prepare(const ToolCall &call) = 0;
    /// Only called for contracts with a probe.
    [[nodiscard]] virtual ProbeResult probe(const ToolCall &call) = 0;
};

} // namespace reprise

#pragma once

#include "core/executor/tool.h"
#include "core/store/store.h"

#include <string>
#include <vector>

namespace reprise {

/// One record of the older agent's log: a call and what it saw of it. There is no key anywhere.
struct OlderCall
{
    std::string runId;
    std::int64_t seq = 0;
    std::string tool;
    std::string args; ///< JSON
    ToolAnswer answer;
    Time startedAt;
    Time endedAt;
};

/// Writes the log into a store as imported runs, in one transaction: an action for each run and
/// seq, an attempt for each call. Keys are derived here, since nobody assigned any.
[[nodiscard]] Result<void> importOlderCalls(
    Store &store, Time at, const std::vector<OlderCall> &calls, const ToolSet &tools);

} // namespace reprise

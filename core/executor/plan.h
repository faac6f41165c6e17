#pragma once

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/executor/executor.h"
#include "core/model/contract.h"
#include "core/store/store.h"

#include <optional>
#include <string>
#include <vector>

namespace reprise {

struct PlannedAction
{
    std::optional<std::int64_t> seq; ///< absent: after the largest ever used in the run
    std::string tool;
    std::string args; ///< JSON bytes, as given
};

/// A plan document (cli.md, "Plan file").
struct Plan
{
    std::string runId;
    std::int64_t revision = 1;
    std::string label;
    bool ordered = false;
    std::string environment = "live";
    std::string account;
    bool dryRun = false;
    std::vector<PlannedAction> actions;

    /// Checks form and values; `where` names the file in errors.
    [[nodiscard]] static Result<Plan> parse(std::string_view text, const std::string &where);
};

struct PlanReceipt
{
    std::string runId;
    std::int64_t revision = 1;
    bool alreadyPlanned = false; ///< this revision was handed in before; nothing was written
    struct Row
    {
        std::int64_t seq = 0;
        Key key;
        std::string tool;
    };
    std::vector<Row> actions;
};

/// Writes a plan revision to the store: allocates seqs from durable state, derives keys, binds
/// contracts (those of `tools`; undeclared ones get the defaults). Safe to retry. Errors: Conflict
/// where the same revision has other content (the difference in `what`), InvalidInput for a gap, a
/// lower revision, a seq that stands twice or was used before, a closed run.
[[nodiscard]] Result<PlanReceipt> writePlan(
    Store &store, Clock &clock, const Plan &plan, const ToolSet &tools);

} // namespace reprise

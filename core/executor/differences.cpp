#include "core/executor/executor.h"
#include "core/inspect/json_diff.h"

#include <limits>

namespace reprise {

std::vector<FieldDifference> jsonDifferences(
    const Json &recorded, const Json &given, const std::vector<std::string> &ignore)
{
    JsonDiffOptions options;
    options.withSame = false;
    options.volatilePointers = ignore;
    options.rowsMax = std::numeric_limits<std::size_t>::max();
    std::vector<FieldDifference> differences;
    // Without a stop flag the comparison has no way to fail.
    const auto diff = diffJson(recorded, given, options);
    for (const JsonDifference &row : diff->rows)
        if (!row.isVolatile)
            differences.push_back(
                {row.pointer, row.change == JsonChange::Added ? "absent" : row.left,
                    row.change == JsonChange::Removed ? "absent" : row.right});
    return differences;
}

} // namespace reprise

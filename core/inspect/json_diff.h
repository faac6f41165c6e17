#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <atomic>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// How two payloads differ (inspector.md, "Detail views"): the order of object keys and the
/// spelling of numbers do not count, the order of arrays does.
namespace reprise {

enum class JsonChange { Same, Changed, Added, Removed };

[[nodiscard]] std::string_view name(JsonChange change);

/// One value of either side. `left` and `right` are compact JSON, numbers as they were written;
/// empty where that side has nothing.
struct JsonDifference
{
    std::string pointer; ///< RFC 6901; empty is the whole document
    JsonChange change = JsonChange::Same;
    std::string left;
    std::string right;
    bool isVolatile = false; ///< stands at or below a path that the contract ignores
    friend bool operator==(const JsonDifference &, const JsonDifference &) = default;
};

/// What was compared in the end.
enum class DiffBasis {
    IdenticalBytes,
    Json, ///< both sides are JSON
    Bytes, ///< at least one side is not JSON: only bytes can be compared
};

struct JsonDiff
{
    DiffBasis basis = DiffBasis::Json;
    std::vector<JsonDifference> rows; ///< left order, what is only on the right after it
    std::size_t differences = 0; ///< counted in full, also where `rows` was cut
    std::size_t volatileDifferences = 0;
    bool cut = false; ///< `rows` holds the first `rowsMax` only
    /// "identical bytes", "same JSON", "3 differences (1 volatile)", or for bytes that are not JSON
    /// which side, both lengths and where they part.
    std::string header;
};

struct JsonDiffOptions
{
    std::vector<std::string> volatilePointers; ///< the ignore list of the contract
    bool withSame = true; ///< also rows for values that are equal
    std::size_t rowsMax = 10'000;
    const std::atomic<bool> *stop = nullptr; ///< not owned; looked at while comparing
};

/// Compares two payloads as they are stored. Errors: Cancelled.
[[nodiscard]] Result<JsonDiff> diffPayloads(
    std::string_view left, std::string_view right, const JsonDiffOptions &options);

/// Compares two parsed values. Errors: Cancelled.
[[nodiscard]] Result<JsonDiff> diffJson(
    const Json &left, const Json &right, const JsonDiffOptions &options);

} // namespace reprise

#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace reprise {

/// A filter of the Runs table as an SQL condition over `run`, with its parameters in order.
struct RunCondition
{
    std::string sql = "1"; ///< made of constants; what the user typed is only ever bound
    std::vector<std::variant<std::int64_t, std::string>> values;
};

/// Translates the grammar of RunQuery::filter. InvalidInput names the token and its position.
[[nodiscard]] Result<RunCondition> parseRunFilter(const std::string &filter);

} // namespace reprise

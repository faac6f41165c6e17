#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// What the versioned data file says of one rule.
struct RuleData
{
    std::string title;
    std::string explanation;
    std::string family; ///< rules of one family are correlated: only the heaviest of them counts
    int weight = 0; ///< hundredths
    std::int64_t windowUs = 0; ///< 0: none
};

/// A legitimate pattern that lowers a score, and what is said when it does.
struct Lowering
{
    int factor = 100; ///< hundredths
    std::string explanation;
};

/// Weights, bands and windows of the rules: resources/suspect-rules.json.
struct RulesFile
{
    std::int64_t version = 0;
    std::map<std::string, RuleData> rules;
    Lowering permitted; ///< the executor repeated a call by a rule of the tool's contract
    Lowering periodic; ///< subscriptions
    std::map<std::string, std::string> notRun; ///< rules without code here, and why
    int critical = 0;
    int high = 0;
    int medium = 0;
    int low = 0;
    std::size_t membersMax = 0;

    [[nodiscard]] static Result<RulesFile> parse(std::string_view text);
    /// The one that is compiled in.
    [[nodiscard]] static const RulesFile &builtIn();
};

} // namespace reprise

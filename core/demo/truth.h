#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/demo/ledger.h"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace reprise {

struct ActionName
{
    std::string runId;
    std::int64_t seq = 0;
    friend auto operator<=>(const ActionName &, const ActionName &) = default;
};

/// Actions that all serve one intention: together they should have had one effect.
struct Intention
{
    std::string cause; ///< why there may be more than one
    std::vector<ActionName> members;
};

/// Actions that look like a double and are not: each was meant by itself, or only one happened.
struct LookAlike
{
    std::string why;
    std::vector<ActionName> members;
};

struct Double
{
    std::string cause;
    std::vector<ActionName> members; ///< those that had an effect
    std::vector<std::string> references;
    Money excess;
};

/// What really happened, computed from the provider's ledger and from what was meant. An action
/// that no intention names is an intention of its own.
struct Truth
{
    std::vector<Double> doubles;
    struct Open
    {
        ActionName action;
        bool landed = false;
    };
    std::vector<Open> inDoubt;
    std::vector<LookAlike> lookAlikes;
    std::vector<Money> atRisk; ///< excess by currency

    [[nodiscard]] Json toJson(std::uint64_t seed) const;
};

/// Errors: Internal where a look-alike turns out to be a double: the script is wrong then.
[[nodiscard]] Result<Truth> findTruth(const std::vector<LedgerLine> &ledger,
    std::vector<Intention> intentions, std::vector<LookAlike> lookAlikes,
    const std::vector<ActionName> &inDoubt);

} // namespace reprise

#pragma once

#include "core/suspects/rule.h"

#include <vector>

namespace reprise {

/// The legitimate patterns that fit the hits of one cluster; each lowers its score.
[[nodiscard]] std::vector<const Lowering *> loweringsFor(
    const EffectSet &set, const RulesFile &rules, const std::vector<const PairHit *> &hits);

} // namespace reprise

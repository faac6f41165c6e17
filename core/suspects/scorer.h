#pragma once

#include "core/suspects/rule.h"
#include "core/suspects/suspects.h"

#include <vector>

namespace reprise {

/// Makes one cluster of effects and the hits among them: score, severity, proof, what argues for
/// and against, money at risk. `members` are indices into the set, ascending.
[[nodiscard]] Cluster scoreCluster(const EffectSet &set, const RulesFile &rules,
    const std::vector<std::size_t> &members, const std::vector<const PairHit *> &hits);

/// The total, deterministic order of a report: severity, proof, amount at risk within a currency,
/// id.
[[nodiscard]] bool ranksBefore(const Cluster &a, const Cluster &b);

} // namespace reprise

#pragma once

#include "core/suspects/rule.h"
#include "core/suspects/suspects.h"

#include <vector>

namespace reprise {

/// Makes one cluster of connected hits: members, score, severity, proof, money at risk, and what
/// explain.h adds.
[[nodiscard]] Cluster scoreCluster(
    const EffectSet &set, const RulesFile &rules, const std::vector<const PairHit *> &hits);

/// The total, deterministic order of a report: severity, proof, amount at risk within a currency,
/// id.
[[nodiscard]] bool ranksBefore(const Cluster &a, const Cluster &b);

} // namespace reprise

#pragma once

#include "core/suspects/effect_set.h"
#include "core/suspects/suspects.h"

namespace reprise {

/// What two passes over a store brought together.
struct Collected
{
    EffectSet set;
    bool anyReference = false; ///< some effect has a provider reference
    bool doubtWithoutTime = false; ///< some effect in doubt has no time
};

/// Reads the effects that can be part of a suspect. Writes into `report` how much was looked at.
/// The store is read twice, so that memory grows with what looks alike and not with the store.
[[nodiscard]] Result<Collected> collectEffects(
    StoreReader &reader, const SuspectOptions &options, SuspectReport &report);

} // namespace reprise

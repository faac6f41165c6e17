#pragma once

#include "core/base/clock.h"
#include "core/journal/event.h"
#include "core/store/store.h"

#include <optional>
#include <string>

namespace reprise {

/// An operator's decision on an action in doubt.
struct SettleRequest
{
    Key key;
    Decision decision = Decision::Failed;
    std::string by; ///< a person's name; must not be empty
    std::string reason; ///< must not be empty
    std::string evidence;
    std::optional<std::string> result; ///< Landed: the result's bytes
    std::string reference; ///< Landed: the provider's reference, where no result is at hand
    Digest expected; ///< ActionRecord::stateHash that the operator saw
};

/// Settles by compare-and-set. Errors: Conflict for a stale hash (what changed is in `what`) or a
/// state that is not in doubt; InvalidInput for a missing name, reason or result, and while the
/// tool's process still lives.
[[nodiscard]] Result<ActionRecord> settle(Store &store, Clock &clock, const SettleRequest &request);

/// An in-flight action whose owner is dead becomes in doubt. Answers the record as it is
/// afterwards.
[[nodiscard]] Result<ActionRecord> raiseDoubtIfOwnerDied(
    Store &store, Clock &clock, const ActionRecord &record);

} // namespace reprise

#pragma once

#include "core/base/clock.h"
#include "core/executor/tool.h"
#include "core/journal/event.h"
#include "core/store/store.h"

#include <vector>

namespace reprise {

/// An outcome as it goes into the journal, with the bytes that it refers to.
struct Recording
{
    Time at;
    OutcomeRecorded outcome;
    std::vector<Body> bodies;
};

/// What a call by `contract` gave back at `at`, checked as an agent would check it: a result that
/// is not acceptable makes the outcome unknown. `key`, `attempt` and `epoch` are the claim's.
[[nodiscard]] Recording makeRecording(const ToolContract &contract, const ToolAnswer &answer,
    Time at, const Key &key, std::int64_t attempt, std::int64_t epoch);

/// What became of an outcome that comes late: after its claim was taken away, from an owner that
/// was taken for dead, or from a spool.
enum class LateOutcome {
    Recorded, ///< it ended the doubt (or the flight): the action's result is this one
    Known, ///< the record says the same already
    Kept, ///< kept beside the record as a late report; the record stands
    Contradiction, ///< kept, and raised: the record says something else
};

/// Takes up a late outcome by the epoch of its claim. It never overwrites what is recorded, and a
/// claim that came after it is not ended by it. Errors: NotFound for an unknown action, those of
/// the store, and Conflict where the action kept changing meanwhile.
[[nodiscard]] Result<LateOutcome> takeUpLateOutcome(Store &store, const Recording &recording);

} // namespace reprise

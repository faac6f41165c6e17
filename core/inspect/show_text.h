#pragma once

#include "core/base/result.h"
#include "core/inspect/store_reader.h"

#include <string>

/// What `show` and `ls` print for people: aligned columns, UTC, one fact a line.
namespace reprise {

/// The page of runs with the totals of all that match, or "0 of 12,480 runs match.".
[[nodiscard]] std::string runsText(const RunPage &page, const RunTotals &totals);

/// A run's facts and the table of its actions. NotFound for a run that the store does not have.
[[nodiscard]] Result<std::string> showRunText(StoreReader &reader, const RunId &run);

/// One action: facts, args, attempts, original result, acceptance check.
[[nodiscard]] Result<std::string> showActionText(StoreReader &reader, const ActionDetail &detail);

/// The words on screen for states and kinds (inspector.md): "in doubt", "executed again".
[[nodiscard]] std::string words(ActionState state);
[[nodiscard]] std::string words(AttemptKind kind);

} // namespace reprise

#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/inspect/store_reader.h"

#include <optional>
#include <string>

/// The JSON documents of `show --json` and `ls --json` (cli.md). Reports hold the same ones, so
/// that a script reads one shape everywhere. What is not recorded is null, never an empty text.
namespace reprise {

/// `result` of cli.md: with `body`, or `body_base64` where the bytes are not UTF-8.
[[nodiscard]] Json resultToJson(
    const RecordedResult &result, const std::optional<std::string> &body, bool pruned);

/// {"kind","amount","payee","order","undoes"}.
[[nodiscard]] Json businessToJson(const Business &business);

/// One action with its args, attempts, original result and acceptance check.
[[nodiscard]] Result<Json> showActionJson(StoreReader &reader, const ActionDetail &detail);

/// A run with all its actions. NotFound for a run that the store does not have.
[[nodiscard]] Result<Json> showRunJson(StoreReader &reader, const RunId &run);

/// One object of `ls --json`.
[[nodiscard]] Json runRowToJson(const RunRow &row);

} // namespace reprise

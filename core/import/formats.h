#pragma once

#include "core/import/import.h"

#include <functional>
#include <string>
#include <string_view>

namespace reprise {

/// What every reader of a format is given.
struct ImportSource
{
    std::string_view bytes; ///< without a byte order mark
    std::string path; ///< names the file in errors
    std::string runName; ///< run id for records that name none: the file's name without its ending
    const ImportMapping &mapping;
};

[[nodiscard]] Result<ImportBatch> readMcp(const ImportSource &source);
[[nodiscard]] Result<ImportBatch> readTauBench(const ImportSource &source, const Json &document);
[[nodiscard]] Result<ImportBatch> readTau2Bench(const ImportSource &source, const Json &document);
[[nodiscard]] Result<ImportBatch> readChat(const ImportSource &source, const Json &document);
[[nodiscard]] Result<ImportBatch> readJsonLines(const ImportSource &source);

/// Calls `use` for every line that is not blank, with its number from 1; `\r\n` ends a line too.
[[nodiscard]] Result<void> forEachLine(std::string_view bytes,
    const std::function<Result<void>(std::string_view line, std::size_t number)> &use);

/// "file.jsonl, line 12".
[[nodiscard]] std::string atLine(const std::string &path, std::size_t number);

/// A text as a run id: control characters and invalid bytes replaced, cut to the longest that is
/// allowed.
[[nodiscard]] std::string asRunId(const std::string &text);

/// Fills kind, outcome, error text and reference of an attempt from the text of its answer.
void classifyAnswer(const ImportMapping &mapping, const std::string &text, bool flaggedAsError,
    ImportedAttempt &attempt);

} // namespace reprise

#pragma once

#include "core/import/import.h"

#include <functional>
#include <set>
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
    const Json *document = nullptr; ///< the whole file, where it is one JSON value
    std::string list {}; ///< pointer to the list of records in `document`, where it holds one
};

[[nodiscard]] Result<ImportBatch> readMcp(const ImportSource &source);
[[nodiscard]] Result<ImportBatch> readTauBench(const ImportSource &source);
[[nodiscard]] Result<ImportBatch> readTau2Bench(const ImportSource &source);
[[nodiscard]] Result<ImportBatch> readChat(const ImportSource &source);
[[nodiscard]] Result<ImportBatch> readJsonLines(const ImportSource &source);

/// `text` is what Json::sourceIn of the record needs; `locator` says where it stands: "line 12",
/// "/3".
using UseRecord = std::function<Result<void>(
    const Json &record, std::string_view text, const std::string &locator)>;

/// Calls `use` for every record of the file, whatever holds them together; lines may be blank and
/// end with `\r\n`. A line that is not JSON is an error with its line and column.
[[nodiscard]] Result<void> forEachRecord(const ImportSource &source, const UseRecord &use);

/// "file.jsonl, line 12".
[[nodiscard]] std::string placeOf(const ImportSource &source, const std::string &locator);

/// A text as a run id: kept as it is where it is one, else made printable and short, with the
/// beginning of its digest so that different texts stay different runs.
[[nodiscard]] std::string asRunId(const std::string &text);

/// Fills kind, outcome and error text of an attempt from the text of its answer.
void classifyAnswer(const ImportMapping &mapping, const std::string &text, bool flaggedAsError,
    ImportedAttempt &attempt);

} // namespace reprise

#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/inspect/store_reader.h"
#include "core/report/document.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Audit reports (design section 9): a document is built once and written in several forms, so that
/// all forms hold the same rows and totals.
namespace reprise {

/// What a report is about: the whole store, one run, or one suspect.
struct ReportScope
{
    std::optional<std::string> runId;
    std::optional<std::string> suspectId;
};

struct ReportRequest
{
    ReportScope scope;
    std::vector<std::string> formats {"html", "json"}; ///< html, json, csv
    std::string outFolder;
    std::string askedBy; ///< who asked; empty: not recorded
    Time at; ///< moment of the report
    const std::atomic<bool> *stop = nullptr; ///< not owned; the report then ends with Cancelled
};

/// Reads the scope, checks the journal's chain and looks for suspects. NotFound for a run or a
/// suspect that the store does not have.
[[nodiscard]] Result<ReportDocument> buildReport(StoreReader &reader, const ReportRequest &request);

struct WrittenReport
{
    std::vector<std::string> files; ///< paths, the manifest last
};

/// Writes the document's forms and a manifest with size and SHA-256 of each into `outFolder`, which
/// must be absent or empty (Conflict: choose another folder). Each file is whole or absent; after
/// an error nothing of this call is left. InvalidInput for a form that this build does not write.
[[nodiscard]] Result<WrittenReport> writeReport(
    const ReportDocument &document, const ReportRequest &request);

struct BundleCheck
{
    bool ok = false;
    std::vector<std::string> findings; ///< one line each
    std::int64_t files = 0; ///< that the manifest names
};

/// Checks a bundle against its manifest, without the store. NotFound where there is no bundle.
[[nodiscard]] Result<BundleCheck> verifyReport(const std::string &folder);

} // namespace reprise

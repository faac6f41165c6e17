#pragma once

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/inspect/store_reader.h"
#include "core/suspects/suspects.h"

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
};

/// A table of a report: cells are text; `numeric` columns hold plain numbers and are never
/// neutralised.
struct ReportTable
{
    std::string title;
    std::vector<std::string> columns;
    std::vector<bool> numeric;
    std::vector<std::vector<std::string>> rows;
};

struct ReportSection
{
    std::string title;
    std::vector<std::string> paragraphs;
    std::vector<ReportTable> tables;
};

/// The report before it is written in any form.
struct ReportDocument
{
    std::string title;
    std::string reportId;
    std::string scopeLine; ///< scope and filters, printed on every form
    std::vector<std::pair<std::string, std::string>> facts; ///< store, head, versions, times
    std::vector<ReportSection> sections;
    Json records; ///< the raw records of the scope
};

[[nodiscard]] Result<ReportDocument> buildReport(StoreReader &reader, const ReportRequest &request);

struct WrittenReport
{
    std::vector<std::string> files; ///< paths, the manifest last
};

/// Writes the document's forms and a manifest with size and SHA-256 of each into `outFolder`: each
/// file whole or not at all, and never over an existing report (Conflict: choose another folder).
[[nodiscard]] Result<WrittenReport> writeReport(
    const ReportDocument &document, const ReportRequest &request);

struct BundleCheck
{
    bool ok = false;
    std::vector<std::string> findings; ///< one line each
    std::int64_t files = 0;
};

/// Checks a bundle against its manifest, without the store. NotFound where there is no bundle.
[[nodiscard]] Result<BundleCheck> verifyReport(const std::string &folder);

} // namespace reprise

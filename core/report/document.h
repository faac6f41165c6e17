#pragma once

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/model/money.h"
#include "core/store/store.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// A report before it is written in any form: values and words, no markup. The writers decide how a
/// time or an amount looks, so all forms hold the same rows. Texts come from records: every writer
/// escapes all of them.
namespace reprise {

/// A value of a table; nothing stands for "not recorded", which is neither empty nor 0.
using ReportCell = std::variant<std::monostate, std::string, std::int64_t, Time, Money>;

enum class ColumnKind {
    Text,
    Code, ///< keys, digests, references: fixed width, broken anywhere
    Word, ///< a state, kind or severity: one of few words
    Number, ///< whole numbers
    Duration, ///< microseconds
    Time,
    Money,
};

struct ReportColumn
{
    std::string id; ///< name in JSON and CSV
    std::string title;
    ColumnKind kind = ColumnKind::Text;
    bool below = false; ///< long values of a wide table: pages put them on a line under their row
};

enum class TableLayout {
    Rows,
    SideBySide, ///< few rows to compare: a column each, with a mark where they differ
};

struct ReportTable
{
    std::string id; ///< name of its CSV file; tables of the same id have the same columns
    std::string title;
    std::string subject; ///< the suspect that it belongs to; empty: none
    std::vector<ReportColumn> columns;
    std::vector<std::vector<ReportCell>> rows;
    TableLayout layout = TableLayout::Rows;
    std::string whenEmpty; ///< said instead of a table without rows
    std::string note; ///< said under the table: what was left out, and why
};

/// For each column of a table with at least two rows: do all rows have the same value?
[[nodiscard]] std::vector<bool> sameInAllRows(const ReportTable &table);

enum class Tone { Plain, Ok, Warn, Danger };

[[nodiscard]] std::string_view name(Tone tone);

struct ReportParagraph
{
    std::string text;
};

/// A statement that must not be overlooked, with a heading of its own.
struct ReportNotice
{
    Tone tone = Tone::Plain;
    std::string heading;
    std::string text;
};

struct ReportList
{
    std::string title;
    std::vector<std::string> items;
};

/// Names and values under each other.
struct ReportFacts
{
    std::vector<std::pair<std::string, std::string>> facts;
};

using ReportBlock
    = std::variant<ReportParagraph, ReportNotice, ReportList, ReportFacts, ReportTable>;

struct ReportSection
{
    std::string title;
    std::string anchor; ///< of a case: the suspect's id, for links
    Tone tone = Tone::Plain;
    std::vector<ReportBlock> blocks;
    std::vector<ReportSection> sections;
};

/// A number of the summary; equal in every form.
struct ReportFigure
{
    std::string id; ///< "in_doubt"
    std::string label;
    ReportCell value;
    Tone tone = Tone::Plain;
};

struct ReportDocument
{
    std::string title;
    std::string reportId; ///< "R-" and 12 hex digits over store, head, scope and moment
    std::string scopeLine; ///< scope and filters, printed on every form and page
    std::string askedBy; ///< empty: not recorded
    Time at;
    StoreInfo store;
    std::vector<std::pair<std::string, std::string>> facts; ///< what was asked, of which store
    std::vector<ReportFigure> figures;
    std::vector<ReportSection> sections;
    /// The raw records of the scope: {"suspects","actions","bodies","journal"}.
    Json records;
};

/// Every table of the document, in order.
[[nodiscard]] std::vector<const ReportTable *> tablesOf(const ReportDocument &document);

} // namespace reprise

#pragma once

#include "core/report/document.h"

#include <string>
#include <utility>
#include <vector>

namespace reprise {

/// The tables of a document as CSV (RFC 4180: commas, CRLF, UTF-8 without a byte order mark), one
/// file for all tables of the same id: pairs of file name and content. See core/report/README.md.
///
/// Text is always quoted, so that `""` is an empty text and an empty field is "not recorded". A
/// text that a spreadsheet would take for a formula (it begins with = + - @ TAB or CR), or that
/// begins with an apostrophe, gets an apostrophe in front: taking one away gives the text back.
/// Numbers stay numbers. An amount has three columns: currency, minor units, decimal text.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> writeCsv(
    const ReportDocument &document);

} // namespace reprise

#pragma once

#include "core/report/document.h"

#include <string>
#include <string_view>

namespace reprise {

/// The document as one HTML file that needs nothing else: no address of anything outside, no
/// script, every text escaped. Reads on a phone and on paper, in light and dark.
[[nodiscard]] std::string writeHtml(const ReportDocument &document);

/// `text` between tags or in a quoted attribute, with what does not show as marks.
[[nodiscard]] std::string htmlEscape(std::string_view text);

} // namespace reprise

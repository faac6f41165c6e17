#pragma once

#include <string_view>

namespace reprise {

/// The style sheet of HTML reports: colours for light, dark and paper, layout for wide and narrow
/// windows, pages with repeated table heads.
extern const std::string_view kReportStyle;

} // namespace reprise

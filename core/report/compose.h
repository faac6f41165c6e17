#pragma once

#include "core/report/document.h"
#include "core/report/evidence.h"
#include "core/report/report.h"

namespace reprise {

/// Puts the evidence into words and tables. Pure: the same evidence and request give the same
/// document.
[[nodiscard]] ReportDocument composeReport(
    const ReportEvidence &evidence, const ReportRequest &request);

} // namespace reprise

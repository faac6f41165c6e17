#pragma once

#include "core/report/document.h"

#include <string>

namespace reprise {

/// The document as JSON: the same rows and totals as the other forms, times with microseconds,
/// numbers exact, nothing for "not recorded" but null; and the raw records.
[[nodiscard]] std::string writeJson(const ReportDocument &document);

/// {"id","kind","schema","created_at","head":{"entry","hash"}}.
[[nodiscard]] Json storeToJson(const StoreInfo &store);

} // namespace reprise

#pragma once

#include "core/base/bytes.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/report/document.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// `manifest.json` of a report bundle: what the other files have to be. See core/report/README.md.
namespace reprise {

inline constexpr const char *kManifestName = "manifest.json";

struct ManifestFile
{
    std::string name; ///< a name in the bundle's folder, never a path
    std::int64_t bytes = 0;
    Digest sha256;
};

/// The manifest of a document's files: one fixed spelling for one content, so that a change of any
/// byte is noticed.
[[nodiscard]] std::string manifestText(
    const ReportDocument &document, const std::vector<ManifestFile> &files);

/// The files that a manifest names. InvalidInput for a manifest that is not whole: not JSON, not of
/// this format, changed after it was written, or naming something outside its folder.
[[nodiscard]] Result<std::vector<ManifestFile>> parseManifest(std::string_view text);

} // namespace reprise

#pragma once

#include "core/base/result.h"

#include <string>

namespace reprise {

/// Looks at the header of a file without opening it as a database and without writing: is it a
/// Reprise store that this program can read? Each refusal has its own class: StoreMissing,
/// StoreForeign (a folder, an empty file, no SQLite file, another application's), StoreNewer,
/// StoreDamaged (shorter than its header says). Offsets: "Database File Format",
/// sqlite.org/fileformat.html.
[[nodiscard]] Result<void> checkStoreFile(const std::string &path);

} // namespace reprise

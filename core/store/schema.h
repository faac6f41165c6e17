#pragma once

#include <cstdint>

namespace reprise {

/// "RPRS": says in the file's header (offset 68) that a SQLite file is a Reprise store.
constexpr std::int64_t kApplicationId = 0x52505253;
/// The schema that this program writes; kept in the file as user_version.
constexpr int kSchemaVersion = 1;

} // namespace reprise

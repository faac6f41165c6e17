#pragma once

#include "core/inspect/store_reader.h"
#include "core/store/sqlite.h"

#include <functional>

namespace reprise {

/// The work of StoreReader::forEachEffect: reads attempts in the order run, seq, attempt and tells
/// which of them are effects. A call is one if it succeeded, or if its outcome is not known and
/// nobody has settled since that it did not land.
Result<void> readEffects(SqliteDatabase &database, const std::function<bool(const Effect &)> &use);

} // namespace reprise

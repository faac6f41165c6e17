#pragma once

#include "core/base/clock.h"
#include "core/base/random.h"
#include "core/store/store.h"

#include <memory>
#include <string>

namespace reprise {

/// What `SqliteStore::create` and `open` use of the world. Referenced objects outlive the store.
struct StoreEnvironment
{
    Clock &clock;
    Random &random;
};

/// A store in one SQLite file: WAL, synchronous=FULL, checked on opening. See core/store/README.md
/// for the layout. Thread-safe: calls are serialised inside.
class SqliteStore
{
public:
    /// Makes an empty store. Refuses (StoreExists) where a file, or a log of one, is already.
    /// `:memory:` makes a store that lives as long as the object.
    [[nodiscard]] static Result<std::unique_ptr<Store>> create(
        const std::string &path, StoreKind kind, StoreEnvironment environment);
    /// Opens a store for writing; migrates an older schema first. `expected` guards against running
    /// a live executor on a sandbox and the reverse.
    [[nodiscard]] static Result<std::unique_ptr<Store>> open(
        const std::string &path, StoreKind expected, StoreEnvironment environment);
    /// Opens a live store that cannot be written, to answer from its record: every append is
    /// StoreReadOnly, and the file and its neighbours stay as they are.
    [[nodiscard]] static Result<std::unique_ptr<Store>> openReadOnly(const std::string &path);
};

} // namespace reprise

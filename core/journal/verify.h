#pragma once

#include "core/base/result.h"
#include "core/inspect/store_reader.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace reprise {

/// What `seal` writes for keeping elsewhere: the head of a store's journal at one moment.
struct Anchor
{
    std::string storeId;
    std::int64_t entry = 0;
    Digest hash;
    Time at;

    [[nodiscard]] std::string toText() const; ///< one JSON object and a line end
    [[nodiscard]] static Result<Anchor> parse(std::string_view text, const std::string &where);
};

/// A broken promise that verification found.
struct IntegrityFinding
{
    std::string kind; ///< "chain", "gap", "anchor", "body", "state", "sqlite", "payload"
    std::string where;
    std::string what;
};

struct Verification
{
    bool ok = false;
    std::int64_t entries = 0;
    Digest head;
    std::vector<IntegrityFinding> findings;
    bool complete = true; ///< false where it was stopped
};

struct VerifyOptions
{
    std::optional<Anchor> anchor;
    bool deep = false; ///< also rebuild the state from the journal, and check SQLite's
                       ///< indices against its tables
    std::function<void(std::int64_t done, std::int64_t total)> onProgress = {};
};

/// Checks a store without writing to it. Findings are in the answer; an error means that the file
/// could not be read as a store.
[[nodiscard]] Result<Verification> verifyStore(StoreReader &reader, const VerifyOptions &options);

} // namespace reprise

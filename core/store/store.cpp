#include "core/store/store.h"

#include "core/base/sha256.h"

namespace reprise {

Result<std::optional<std::string>> intactBody(std::string bytes, const Digest &digest)
{
    if (Sha256::of(bytes) != digest)
        return fail(ErrorCode::StoreDamaged,
            "recorded bytes were changed: their SHA-256 is not the recorded one",
            "body " + digest.hex(), "keep the file, verify it, and restore from a backup");
    return std::optional(std::move(bytes));
}

} // namespace reprise

#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace reprise {

/// SHA-256 by OpenSSL. One object may compute many digests, one after the other; one thread at a
/// time.
class Sha256
{
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256 &&) noexcept;
    Sha256 &operator=(Sha256 &&) noexcept;

    void add(std::string_view bytes);
    /// Adds the length as 8 bytes, big end first, then the bytes: ("ab","c") differs from
    /// ("a","bc").
    void addPrefixed(std::string_view bytes);
    void addNumber(std::uint64_t value);
    /// The digest; the object is empty again afterwards.
    [[nodiscard]] Digest finish();

    [[nodiscard]] static Digest of(std::string_view bytes);

private:
    struct Context;
    std::unique_ptr<Context> m_context;
};

} // namespace reprise

#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace reprise {

/// The name of a run: 1 to 255 bytes of valid UTF-8 without control characters, compared as bytes
/// and never normalised (design section 2).
class RunId
{
public:
    [[nodiscard]] static Result<RunId> parse(std::string_view bytes);
    [[nodiscard]] const std::string &bytes() const { return m_bytes; }
    friend auto operator<=>(const RunId &, const RunId &) = default;

    static constexpr std::size_t kBytesMax = 255;

private:
    explicit RunId(std::string bytes)
        : m_bytes(std::move(bytes))
    {
    }
    std::string m_bytes;
};

/// The number of an action in its run: 0 to 2^63-1 (design section 1).
class Seq
{
public:
    /// Plain decimal digits without sign, blanks or leading zeros: `0`, `23`; not `03`, `+1`,
    /// `1.5`.
    [[nodiscard]] static Result<Seq> parse(std::string_view decimal);
    [[nodiscard]] static Result<Seq> of(std::int64_t value);
    [[nodiscard]] std::int64_t value() const { return m_value; }
    friend auto operator<=>(const Seq &, const Seq &) = default;

private:
    explicit Seq(std::int64_t value)
        : m_value(value)
    {
    }
    std::int64_t m_value;
};

/// An idempotency key: 32 bytes; people and files see 64 lower-case hex digits.
struct Key
{
    Digest digest;
    [[nodiscard]] std::string hex() const { return digest.hex(); }
    [[nodiscard]] static Result<Key> parse(std::string_view hex);
    friend auto operator<=>(const Key &, const Key &) = default;
};

} // namespace reprise

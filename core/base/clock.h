#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

/// A moment: microseconds since 1970-01-01T00:00:00Z, negative before. No zone: everything is UTC.
struct Time
{
    std::int64_t us = 0;

    /// `2026-11-30T14:03:22.418000Z`: RFC 3339, UTC, always six digits.
    [[nodiscard]] std::string rfc3339() const;
    /// Reads RFC 3339 with 0 to 9 fraction digits (cut to six) and `Z` or an offset.
    /// A time without a zone is not a moment: use `parseNaive` and say which zone was assumed.
    [[nodiscard]] static std::optional<Time> parse(std::string_view text);
    /// Reads `2025-01-01T00:00:00.000000` as if it were UTC.
    [[nodiscard]] static std::optional<Time> parseNaive(std::string_view text);
    friend auto operator<=>(const Time &, const Time &) = default;
};

/// Where time comes from; may be used from any thread.
class Clock
{
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual Time now() = 0;
};

/// The machine's real-time clock.
class SystemClock final : public Clock
{
public:
    [[nodiscard]] Time now() override;
};

} // namespace reprise

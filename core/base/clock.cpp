#include "core/base/clock.h"

#include <chrono>
#include <cstdio>

namespace reprise {

namespace {

constexpr std::int64_t kUsPerSecond = 1'000'000;

struct Cursor
{
    std::string_view text;
    std::size_t at = 0;

    bool literal(char c)
    {
        if (at < text.size() && text[at] == c) {
            ++at;
            return true;
        }
        return false;
    }
    bool digits(int count, int &value)
    {
        value = 0;
        for (int i = 0; i < count; ++i) {
            if (at >= text.size() || text[at] < '0' || text[at] > '9')
                return false;
            value = value * 10 + (text[at++] - '0');
        }
        return true;
    }
    [[nodiscard]] bool atEnd() const { return at == text.size(); }
};

/// Reads date, time and fraction; leaves the cursor at the zone.
std::optional<Time> parseLocal(Cursor &in)
{
    int year = 0;
    int month = 0;
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    if (!in.digits(4, year) || !in.literal('-') || !in.digits(2, month) || !in.literal('-')
        || !in.digits(2, day))
        return std::nullopt;
    if (!in.literal('T') && !in.literal('t') && !in.literal(' '))
        return std::nullopt;
    if (!in.digits(2, hour) || !in.literal(':') || !in.digits(2, minute) || !in.literal(':')
        || !in.digits(2, second))
        return std::nullopt;
    if (hour > 23 || minute > 59 || second > 60)
        return std::nullopt;
    std::int64_t fractionUs = 0;
    if (in.literal('.')) {
        int count = 0;
        while (in.at < in.text.size() && in.text[in.at] >= '0' && in.text[in.at] <= '9') {
            if (count < 6)
                fractionUs = fractionUs * 10 + (in.text[in.at] - '0');
            ++count;
            ++in.at;
        }
        if (count == 0 || count > 9)
            return std::nullopt;
        for (; count < 6; ++count)
            fractionUs *= 10;
    }
    using namespace std::chrono;
    const year_month_day date {std::chrono::year {year},
        std::chrono::month {static_cast<unsigned>(month)},
        std::chrono::day {static_cast<unsigned>(day)}};
    if (!date.ok())
        return std::nullopt;
    const std::int64_t days = sys_days {date}.time_since_epoch().count();
    return Time {((days * 24 + hour) * 60 + minute) * 60 * kUsPerSecond + second * kUsPerSecond
        + fractionUs};
}

} // namespace

std::string Time::rfc3339() const
{
    using namespace std::chrono;
    std::int64_t seconds = us / kUsPerSecond;
    std::int64_t fraction = us % kUsPerSecond;
    if (fraction < 0) {
        fraction += kUsPerSecond;
        --seconds;
    }
    const sys_seconds moment {std::chrono::seconds {seconds}};
    const auto day = floor<days>(moment);
    const year_month_day date {day};
    const hh_mm_ss clock {moment - day};
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ",
        static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
        static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
        static_cast<int>(fraction));
    return text;
}

std::optional<Time> Time::parse(std::string_view text)
{
    Cursor in {text};
    const auto local = parseLocal(in);
    if (!local)
        return std::nullopt;
    if (in.literal('Z') || in.literal('z'))
        return in.atEnd() ? local : std::nullopt;
    const bool negative = in.literal('-');
    if (!negative && !in.literal('+'))
        return std::nullopt;
    int hours = 0;
    int minutes = 0;
    if (!in.digits(2, hours))
        return std::nullopt;
    in.literal(':');
    if (!in.digits(2, minutes) || !in.atEnd() || hours > 23 || minutes > 59)
        return std::nullopt;
    const std::int64_t offsetUs = (std::int64_t {hours} * 60 + minutes) * 60 * kUsPerSecond;
    return Time {negative ? local->us + offsetUs : local->us - offsetUs};
}

std::optional<Time> Time::parseNaive(std::string_view text)
{
    Cursor in {text};
    const auto local = parseLocal(in);
    return local && in.atEnd() ? local : std::nullopt;
}

Time SystemClock::now()
{
    using namespace std::chrono;
    return Time {duration_cast<microseconds>(system_clock::now().time_since_epoch()).count()};
}

} // namespace reprise

#include "core/inspect/text_table.h"

#include "core/report/visible_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace reprise {

namespace {

constexpr std::int64_t kUsPerMs = 1000;
constexpr std::int64_t kUsPerSecond = 1'000'000;
constexpr std::int64_t kUsPerMinute = 60 * kUsPerSecond;
constexpr std::int64_t kUsPerHour = 60 * kUsPerMinute;
constexpr std::int64_t kUsPerDay = 24 * kUsPerHour;

struct Range
{
    std::uint32_t first;
    std::uint32_t last;
};

/// Combining marks and variation selectors of the common scripts.
constexpr std::array kNarrowest {Range {0x0300, 0x036F}, Range {0x0483, 0x0489},
    Range {0x0591, 0x05BD}, Range {0x0610, 0x061A}, Range {0x064B, 0x065F}, Range {0x0E34, 0x0E3A},
    Range {0x1AB0, 0x1AFF}, Range {0x1DC0, 0x1DFF}, Range {0x20D0, 0x20FF}, Range {0xFE00, 0xFE0F},
    Range {0xFE20, 0xFE2F}};
/// East Asian wide and fullwidth forms, and the blocks of emoji.
constexpr std::array kWide {Range {0x1100, 0x115F}, Range {0x2E80, 0x303E}, Range {0x3041, 0x33FF},
    Range {0x3400, 0x4DBF}, Range {0x4E00, 0x9FFF}, Range {0xA000, 0xA4CF}, Range {0xAC00, 0xD7A3},
    Range {0xF900, 0xFAFF}, Range {0xFE30, 0xFE6F}, Range {0xFF00, 0xFF60}, Range {0xFFE0, 0xFFE6},
    Range {0x1F300, 0x1F64F}, Range {0x1F680, 0x1F6FF}, Range {0x1F900, 0x1F9FF},
    Range {0x20000, 0x3FFFD}};

template <std::size_t N> bool isIn(const std::array<Range, N> &ranges, std::uint32_t code)
{
    return std::any_of(ranges.begin(), ranges.end(),
        [&](const Range &range) { return code >= range.first && code <= range.last; });
}

std::string twoDigits(std::int64_t value)
{
    return value < 10 ? "0" + std::to_string(value) : std::to_string(value);
}

} // namespace

std::string humanTime(Time time)
{
    std::string text = time.rfc3339(); // 2026-11-30T14:03:22.418000Z
    const std::size_t mark = text.find('T');
    const std::size_t point = text.rfind('.');
    if (mark == std::string::npos || point == std::string::npos)
        return text;
    text[mark] = ' ';
    return text.substr(0, point + 4) + "Z";
}

std::string humanTime(const std::optional<Time> &time)
{
    return time ? humanTime(*time) : std::string(kNotRecorded);
}

std::string humanDuration(std::int64_t us)
{
    if (us < 0) {
        // The lowest number has no positive twin; one microsecond does not show.
        return "-" + humanDuration(us == INT64_MIN ? INT64_MAX : -us);
    }
    if (us < kUsPerSecond)
        return std::to_string(us / kUsPerMs) + " ms";
    if (us < kUsPerMinute) {
        char text[32];
        std::snprintf(text, sizeof text, "%lld.%03lld s", static_cast<long long>(us / kUsPerSecond),
            static_cast<long long>(us % kUsPerSecond / kUsPerMs));
        return text;
    }
    if (us < kUsPerHour)
        return std::to_string(us / kUsPerMinute) + " min "
            + twoDigits(us % kUsPerMinute / kUsPerSecond) + " s";
    if (us < kUsPerDay)
        return std::to_string(us / kUsPerHour) + " h " + twoDigits(us % kUsPerHour / kUsPerMinute)
            + " min";
    return std::to_string(us / kUsPerDay) + " d " + std::to_string(us % kUsPerDay / kUsPerHour)
        + " h";
}

std::string humanCount(std::int64_t count)
{
    std::string digits = std::to_string(count);
    const std::size_t first = digits.front() == '-' ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many)
{
    return humanCount(count) + " " + std::string(count == 1 ? one : many);
}

std::size_t displayWidth(std::string_view utf8)
{
    std::size_t width = 0;
    for (std::size_t i = 0; i < utf8.size();) {
        const auto lead = static_cast<std::uint8_t>(utf8[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        std::uint32_t code = lead;
        if (length > 1)
            code &= 0xFFU >> (length + 1);
        for (std::size_t j = 1; j < length && i + j < utf8.size(); ++j)
            code = code << 6 | (static_cast<std::uint8_t>(utf8[i + j]) & 0x3FU);
        if (!isIn(kNarrowest, code))
            width += isIn(kWide, code) ? 2U : 1U;
        i += length;
    }
    return width;
}

TextTable::TextTable(std::vector<Column> columns)
    : m_columns(std::move(columns))
{
}

void TextTable::add(const std::vector<std::string> &cells)
{
    std::vector<std::string> row;
    row.reserve(m_columns.size());
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const std::string text = i < cells.size() ? visibleText(cells[i]) : std::string();
        row.push_back(text.empty() ? std::string(kNotRecorded) : text);
    }
    m_rows.push_back(std::move(row));
}

std::string TextTable::text(std::string_view indent) const
{
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        std::size_t width = displayWidth(m_columns[i].title);
        for (const auto &row : m_rows)
            width = std::max(width, displayWidth(row[i]));
        widths.push_back(width);
    }
    const auto line = [&](auto &&cellAt) {
        std::string out(indent);
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const std::string &cell = cellAt(i);
            const std::string padding(widths[i] - displayWidth(cell), ' ');
            out += i == 0 ? "" : "  ";
            out += m_columns[i].align == Align::Right ? padding + cell : cell + padding;
        }
        out.resize(out.find_last_not_of(' ') + 1);
        return out + "\n";
    };
    std::string out
        = line([&](std::size_t i) -> const std::string & { return m_columns[i].title; });
    for (const auto &row : m_rows)
        out += line([&](std::size_t i) -> const std::string & { return row[i]; });
    return out;
}

} // namespace reprise

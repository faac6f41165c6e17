#include "core/report/visible_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace reprise {

namespace {

struct Range
{
    std::uint32_t first;
    std::uint32_t last;
};

/// What does not show, or changes how its neighbours show: controls, format characters of
/// direction, joiners and blanks without width, fillers, separators of lines, and tag characters.
/// Variation selectors are left out: they stand after ordinary emoji.
constexpr std::array kHidden {Range {0x0000, 0x001F}, Range {0x007F, 0x009F},
    Range {0x00AD, 0x00AD}, Range {0x034F, 0x034F}, Range {0x061C, 0x061C}, Range {0x115F, 0x1160},
    Range {0x17B4, 0x17B5}, Range {0x180B, 0x180E}, Range {0x200B, 0x200F}, Range {0x2028, 0x202E},
    Range {0x2060, 0x206F}, Range {0x3164, 0x3164}, Range {0xFEFF, 0xFEFF}, Range {0xFFA0, 0xFFA0},
    Range {0xFFF9, 0xFFFB}, Range {0x1D173, 0x1D17A}, Range {0xE0000, 0xE007F}};

bool isHidden(std::uint32_t code)
{
    return std::any_of(kHidden.begin(), kHidden.end(),
        [&](const Range &range) { return code >= range.first && code <= range.last; });
}

/// A code point and its length in bytes; length 0 where the byte at `at` starts none.
struct Decoded
{
    std::uint32_t code = 0;
    std::size_t length = 0;
};

Decoded decodeAt(std::string_view bytes, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[at + i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80)
        return {lead, 1};
    std::size_t length = 0;
    std::uint32_t code = 0;
    std::uint32_t lowest = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
        code = lead & 0x1FU;
        lowest = 0x80;
    } else if ((lead & 0xF0U) == 0xE0) {
        length = 3;
        code = lead & 0x0FU;
        lowest = 0x800;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        code = lead & 0x07U;
        lowest = 0x10000;
    }
    if (length == 0 || at + length > bytes.size())
        return {};
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80)
            return {};
        code = code << 6 | (byte(i) & 0x3FU);
    }
    if (code < lowest || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return {};
    return {code, length};
}

void append(std::vector<TextRun> &runs, std::string_view text, bool mark)
{
    if (runs.empty() || runs.back().mark != mark)
        runs.push_back({{}, mark});
    runs.back().text += text;
}

} // namespace

std::vector<TextRun> visibleRuns(std::string_view bytes, LineBreaks breaks)
{
    std::vector<TextRun> runs;
    char mark[24];
    for (std::size_t at = 0; at < bytes.size();) {
        const auto [code, length] = decodeAt(bytes, at);
        if (length == 0) {
            std::snprintf(mark, sizeof mark, "⟨0x%02X⟩",
                static_cast<unsigned>(static_cast<std::uint8_t>(bytes[at])));
            append(runs, mark, true);
            ++at;
            continue;
        }
        const bool kept = breaks == LineBreaks::Kept && (code == '\n' || code == '\t');
        if (isHidden(code) && !kept) {
            std::snprintf(mark, sizeof mark, "⟨U+%04X⟩", static_cast<unsigned>(code));
            append(runs, mark, true);
        } else {
            append(runs, bytes.substr(at, length), false);
        }
        at += length;
    }
    return runs;
}

std::string visibleText(std::string_view bytes, LineBreaks breaks)
{
    std::string out;
    for (const TextRun &run : visibleRuns(bytes, breaks))
        out += run.text;
    return out;
}

} // namespace reprise

#include "core/report/visible_text.h"

#include "core/base/bytes.h"

#include <cstdint>
#include <cstdio>

namespace reprise {

namespace {

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
        const auto [code, length] = decodeUtf8(bytes, at);
        if (length == 0) {
            std::snprintf(mark, sizeof mark, "⟨0x%02X⟩",
                static_cast<unsigned>(static_cast<std::uint8_t>(bytes[at])));
            append(runs, mark, true);
            ++at;
            continue;
        }
        const bool kept = breaks == LineBreaks::Kept && (code == '\n' || code == '\t');
        if (isHiddenCharacter(code) && !kept) {
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

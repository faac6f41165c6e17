#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text of other systems as people see it. A payee name with a right-to-left override, a zero-width
/// blank or a NUL can look like another name: what does not show by itself is shown as a mark.
namespace reprise {

/// A stretch of text; `mark` stretches stand for something that was not visible in the data.
struct TextRun
{
    std::string text; ///< valid UTF-8 without control characters (but for kept line breaks)
    bool mark = false;
    friend bool operator==(const TextRun &, const TextRun &) = default;
};

/// What to do with line feeds and tabs: single-line cells mark them, blocks of text keep them.
enum class LineBreaks { Marked, Kept };

/// Splits any bytes into plain text and marks. A character that is a control, changes the writing
/// direction, or has no width becomes `⟨U+202E⟩`; a byte that is not UTF-8 becomes `⟨0xFF⟩`.
/// Neighbouring stretches of the same sort are joined.
[[nodiscard]] std::vector<TextRun> visibleRuns(
    std::string_view bytes, LineBreaks breaks = LineBreaks::Marked);

/// The runs as one text, for places that cannot set marks apart.
[[nodiscard]] std::string visibleText(
    std::string_view bytes, LineBreaks breaks = LineBreaks::Marked);

} // namespace reprise

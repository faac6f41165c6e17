#pragma once

#include "core/base/clock.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Text for people on a terminal, in reports and in the window.
namespace reprise {

/// What stands where nothing was recorded; never an empty cell and never 0.
inline constexpr std::string_view kNotRecorded = "—";

/// `2026-11-30 14:03:22.418Z`: UTC with milliseconds and the zone written out.
[[nodiscard]] std::string humanTime(Time time);
[[nodiscard]] std::string humanTime(const std::optional<Time> &time);

/// `412 ms`, `32.609 s`, `1 min 12 s`, `3 h 05 min`, `12 d 3 h`; with a sign where negative.
[[nodiscard]] std::string humanDuration(std::int64_t us);

/// `12,480`.
[[nodiscard]] std::string humanCount(std::int64_t count);

/// "1 run", "37 runs".
[[nodiscard]] std::string counted(std::int64_t count, std::string_view one, std::string_view many);

/// Terminal cells that text takes: wide East Asian characters and emoji are two, combining marks
/// none.
[[nodiscard]] std::size_t displayWidth(std::string_view utf8);

/// A table of aligned columns, two blanks between them; no line ends in blanks.
class TextTable
{
public:
    enum class Align { Left, Right };
    struct Column
    {
        std::string title;
        Align align = Align::Left;
    };

    explicit TextTable(std::vector<Column> columns);
    /// One cell per column. Cells come from records: what does not show is shown as a mark.
    void add(const std::vector<std::string> &cells);
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
    /// Title line and rows, each ending in a line end, each beginning with `indent`.
    [[nodiscard]] std::string text(std::string_view indent = {}) const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace reprise

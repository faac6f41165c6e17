#include "core/report/html_writer.h"

#include "core/inspect/text_table.h"
#include "core/report/html_style.h"
#include "core/report/visible_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

namespace reprise {

namespace {

/// Rows that are put side by side at once; more of them become further tables.
constexpr std::size_t kSideBySideMax = 3;
/// Texts of this many characters without a blank are given room to break in.
constexpr std::size_t kLongCode = 24;
/// Bytes of one record that are printed; the JSON form has all of them.
constexpr std::size_t kRecordBytesShown = 16'384;

std::string escapeMarkup(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

/// Text between tags: marks stand out, so that data cannot pass for one.
std::string content(std::string_view text, LineBreaks breaks = LineBreaks::Marked)
{
    std::string out;
    for (const TextRun &run : visibleRuns(text, breaks))
        out += run.mark ? "<span class=\"mark\">" + escapeMarkup(run.text) + "</span>"
                        : escapeMarkup(run.text);
    return out;
}

/// A CSS string: everything but letters, digits and blanks as an escape, so that no text can end
/// the string or the style sheet.
std::string cssString(std::string_view text)
{
    std::string out = "\"";
    char escaped[8];
    for (const char c : visibleText(text)) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
            || (c >= 'A' && c <= 'Z') || c == ' ' || byte >= 0x80;
        if (plain) {
            out += c;
        } else {
            std::snprintf(escaped, sizeof escaped, "\\%x ", static_cast<unsigned>(byte));
            out += escaped;
        }
    }
    return out + "\"";
}

const char *toneOf(std::string_view word)
{
    constexpr std::array kOk {"succeeded", "replayed", "ok", "intact"};
    constexpr std::array kWarn {"in doubt", "in flight", "conflict", "medium", "unknown", "retry"};
    constexpr std::array kDanger {"executed again", "critical", "high", "chain", "gap", "body"};
    const auto in = [&](const auto &words) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    return in(kOk) ? " ok" : in(kWarn) ? " warn" : in(kDanger) ? " danger" : "";
}

std::string none()
{
    return "<span class=\"none\" title=\"not recorded\">—</span>";
}

std::string cellContent(const ReportColumn &column, const ReportCell &cell)
{
    if (const auto *text = std::get_if<std::string>(&cell)) {
        if (text->empty())
            return "<span class=\"none\">(empty)</span>";
        if (column.kind == ColumnKind::Code)
            return "<code>" + content(*text) + "</code>";
        if (column.kind == ColumnKind::Word)
            return std::string("<span class=\"word") + toneOf(*text) + "\">" + content(*text)
                + "</span>";
        return content(*text);
    }
    if (const auto *number = std::get_if<std::int64_t>(&cell)) {
        if (column.kind == ColumnKind::Duration)
            return humanDuration(*number);
        // A seq is a name: it is not grouped in threes.
        return column.id == "seq" ? std::to_string(*number) : humanCount(*number);
    }
    if (const auto *time = std::get_if<Time>(&cell))
        return "<time datetime=\"" + time->rfc3339() + "\">" + humanTime(*time) + "</time>";
    if (const auto *money = std::get_if<Money>(&cell))
        return content(money->withCode());
    return none();
}

const char *cellClass(const ReportColumn &column, const ReportCell &cell)
{
    switch (column.kind) {
    case ColumnKind::Code: {
        const auto *text = std::get_if<std::string>(&cell);
        return text != nullptr && text->size() >= kLongCode ? "code long" : "code";
    }
    case ColumnKind::Number:
    case ColumnKind::Duration:
    case ColumnKind::Money:
        return "number";
    case ColumnKind::Time:
        return "time";
    case ColumnKind::Text:
        return "text";
    case ColumnKind::Word:
        return "state";
    }
    return "text";
}

bool isRightAligned(const ReportColumn &column)
{
    return column.kind == ColumnKind::Number || column.kind == ColumnKind::Duration
        || column.kind == ColumnKind::Money;
}

/// Writes the document once, front to back.
class HtmlWriter
{
public:
    explicit HtmlWriter(const ReportDocument &document)
        : m_document(document)
    {
        for (const ReportSection &section : document.sections)
            for (const ReportSection &inner : section.sections)
                m_anchors.insert(inner.anchor);
    }

    std::string write()
    {
        head();
        front();
        m_out += "<main>\n";
        int number = 0;
        for (const ReportSection &section : m_document.sections) {
            ++number;
            m_out += "<section>\n<h2 id=\"s" + std::to_string(number) + "\">"
                + std::to_string(number) + ". " + content(section.title) + "</h2>\n";
            for (const ReportBlock &block : section.blocks)
                std::visit([this](const auto &one) { write(one); }, block);
            for (const ReportSection &inner : section.sections)
                writeCase(inner);
            m_out += "</section>\n";
        }
        records(number + 1);
        m_out += "</main>\n";
        m_out += "<footer>"
            + content("Report " + m_document.reportId
                + " · written by reprise " REPRISE_VERSION " · " + humanTime(m_document.at))
            + "<br>" + content(m_document.scopeLine) + "</footer>\n</body>\n</html>\n";
        return std::move(m_out);
    }

private:
    void head()
    {
        m_out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n<title>";
        m_out += escapeMarkup(visibleText(m_document.title)) + "</title>\n<style>";
        m_out += kReportStyle;
        // Page furniture of paper: what it is, of what, when, and which page of how many.
        m_out += "@page { size: A4; margin: 17mm 14mm 19mm; @top-left { content: "
            + cssString("Report " + m_document.reportId + " · " + humanTime(m_document.at))
            + "; font: 7.5pt sans-serif; color: #444a52; } @top-right { content: "
            + cssString("Store head " + m_document.store.head.hex().substr(0, 16))
            + "; font: 7.5pt sans-serif; color: #444a52; } @bottom-left { content: "
            + cssString(m_document.scopeLine)
            + "; width: 82%; font: 7.5pt sans-serif; color: #444a52; } @bottom-right { content: "
              "\"page \" counter(page) \" of \" counter(pages); font: 7.5pt sans-serif; color: "
              "#444a52; } }\n";
        m_out += "</style>\n</head>\n<body>\n";
    }

    void front()
    {
        m_out += "<header>\n<p class=\"kicker\">Reprise audit report · "
            + content(m_document.reportId) + "</p>\n<h1>" + content(m_document.title)
            + "</h1>\n<p class=\"scope\">" + content(m_document.scopeLine) + "</p>\n";
        figures(false);
        figures(true);
        write(ReportFacts {m_document.facts});
        m_out += "<nav aria-label=\"Contents\">\n<ol>\n";
        int number = 0;
        const auto entry = [&](const std::string &title) {
            ++number;
            m_out += "<li><a href=\"#s" + std::to_string(number) + "\">" + std::to_string(number)
                + ". " + content(title) + "</a></li>\n";
        };
        for (const ReportSection &section : m_document.sections)
            entry(section.title);
        entry("Raw records");
        m_out += "</ol>\n</nav>\n</header>\n";
    }

    /// The counts of the summary, or its amounts.
    void figures(bool amounts)
    {
        std::string items;
        for (const ReportFigure &figure : m_document.figures)
            if (std::holds_alternative<Money>(figure.value) == amounts)
                items += "<li class=\"" + std::string(name(figure.tone)) + "\"><b>"
                    + cellContent({figure.id, {}, ColumnKind::Text}, figure.value) + "</b><span>"
                    + content(figure.label) + "</span></li>\n";
        if (!items.empty())
            m_out += "<ul class=\"figures\">\n" + items + "</ul>\n";
    }

    void writeCase(const ReportSection &section)
    {
        m_out += "<section class=\"case " + std::string(name(section.tone)) + "\">\n<h3 id=\""
            + htmlEscape(section.anchor) + "\">" + content(section.title) + "</h3>\n";
        for (const ReportBlock &block : section.blocks)
            std::visit([this](const auto &one) { write(one); }, block);
        m_out += "</section>\n";
    }

    void write(const ReportParagraph &paragraph)
    {
        m_out += "<p>" + content(paragraph.text) + "</p>\n";
    }
    void write(const ReportNotice &notice)
    {
        m_out += "<div class=\"notice " + std::string(name(notice.tone)) + "\"><strong>"
            + content(notice.heading) + "</strong>";
        if (!notice.text.empty())
            m_out += "<p>" + content(notice.text) + "</p>";
        m_out += "</div>\n";
    }
    void write(const ReportList &list)
    {
        if (!list.title.empty())
            m_out += "<p><strong>" + content(list.title) + "</strong></p>\n";
        m_out += "<ul class=\"items\">\n";
        for (const std::string &item : list.items)
            m_out += "<li>" + content(item) + "</li>\n";
        m_out += "</ul>\n";
    }
    void write(const ReportFacts &facts)
    {
        m_out += "<dl>\n";
        for (const auto &[name, value] : facts.facts)
            m_out += "<dt>" + content(name) + "</dt><dd>"
                + (value.empty() ? none() : content(value)) + "</dd>\n";
        m_out += "</dl>\n";
    }
    void write(const ReportTable &table)
    {
        if (table.rows.empty())
            m_out += "<p><strong>" + content(table.title) + ":</strong> " + content(table.whenEmpty)
                + "</p>\n";
        else if (table.layout == TableLayout::SideBySide && table.rows.size() > 1)
            writeSideBySide(table);
        else
            writeRows(table);
        if (!table.note.empty())
            m_out += "<p class=\"note\">" + content(table.note) + "</p>\n";
    }

    void openTable(const std::string &caption, const char *kind)
    {
        // The frame scrolls sideways on a narrow window; it takes the focus for keyboards.
        m_out += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\""
            + htmlEscape(caption) + "\">\n<table" + kind + ">\n<caption>" + content(caption)
            + "</caption>\n<thead><tr>";
    }

    void writeRows(const ReportTable &table)
    {
        openTable(table.title, "");
        std::size_t across = 0;
        for (const ReportColumn &column : table.columns) {
            if (column.below)
                continue;
            ++across;
            m_out += std::string("<th scope=\"col\"")
                + (isRightAligned(column) ? " class=\"number\"" : "") + ">" + content(column.title)
                + "</th>";
        }
        m_out += "</tr></thead>\n<tbody>\n";
        bool even = false;
        for (const auto &row : table.rows) {
            m_out += even ? "<tr class=\"even\">" : "<tr>";
            for (std::size_t i = 0; i < table.columns.size(); ++i)
                if (!table.columns[i].below)
                    cell(table.columns[i], row[i]);
            m_out += "</tr>\n";
            if (across < table.columns.size())
                writeBelow(table, row, across, even);
            even = !even;
        }
        m_out += "</tbody>\n</table>\n</div>\n";
    }

    /// The long values of a row, each with its name.
    void writeBelow(
        const ReportTable &table, const std::vector<ReportCell> &row, std::size_t across, bool even)
    {
        m_out += std::string("<tr class=\"below") + (even ? " even" : "") + "\"><td colspan=\""
            + std::to_string(across) + "\">";
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (table.columns[i].below)
                m_out += "<span><b>" + content(table.columns[i].title) + "</b> "
                    + cellContent(table.columns[i], row[i]) + "</span> ";
        m_out += "</td></tr>\n";
    }

    void writeSideBySide(const ReportTable &table)
    {
        const std::vector<bool> same = sameInAllRows(table);
        const std::size_t count = table.rows.size();
        for (std::size_t first = 0; first < count; first += kSideBySideMax) {
            const std::size_t last = std::min(first + kSideBySideMax, count);
            std::string caption = table.title;
            if (count > kSideBySideMax)
                caption += " " + std::to_string(first + 1) + " to " + std::to_string(last) + " of "
                    + std::to_string(count);
            openTable(caption, " class=\"pair\"");
            m_out += "<th scope=\"col\">Field</th>";
            for (std::size_t i = first; i < last; ++i)
                m_out += "<th scope=\"col\">Effect " + std::to_string(i + 1) + "</th>";
            m_out += "<th scope=\"col\">Compared</th></tr></thead>\n<tbody>\n";
            for (std::size_t field = 0; field < table.columns.size(); ++field) {
                m_out += same[field] ? "<tr>" : "<tr class=\"differs\">";
                m_out += "<th scope=\"row\">" + content(table.columns[field].title) + "</th>";
                for (std::size_t i = first; i < last; ++i)
                    cell(table.columns[field], table.rows[i][field]);
                m_out += same[field] ? "<td class=\"sign\">= same</td></tr>\n"
                                     : "<td class=\"sign\">≠ different</td></tr>\n";
            }
            m_out += "</tbody>\n</table>\n</div>\n";
        }
    }

    void cell(const ReportColumn &column, const ReportCell &value)
    {
        const auto *text = std::get_if<std::string>(&value);
        if (text != nullptr && m_anchors.contains(*text)) {
            m_out += "<td class=\"code\"><a href=\"#" + htmlEscape(*text) + "\"><code>"
                + content(*text) + "</code></a></td>";
            return;
        }
        m_out += std::string("<td class=\"") + cellClass(column, value) + "\">"
            + cellContent(column, value) + "</td>";
    }

    void records(int number)
    {
        const Json &bodies = m_document.records["bodies"];
        const Json &journal = m_document.records["journal"];
        m_out += "<section>\n<h2 id=\"s" + std::to_string(number) + "\">" + std::to_string(number)
            + ". Raw records</h2>\n<p>"
            + content("What the store holds, byte for byte: "
                + counted(static_cast<std::int64_t>(bodies.items().size()), "body", "bodies")
                + " (args, results, tool output) and "
                + counted(static_cast<std::int64_t>(journal.items().size()), "journal entry",
                    "journal entries")
                + ". Bytes that are not UTF-8 are shown as base64. Marks such as ⟨U+202E⟩ stand "
                  "for "
                  "characters that do not show. The JSON form holds the exact bytes of each.")
            + "</p>\n";
        for (const Json &body : bodies.items()) {
            const Json *base64 = body.find("base64");
            const std::string uses = joined(body["used_as"]);
            record(uses,
                body["bytes"].text() + " bytes" + (base64 != nullptr ? ", as base64" : "")
                    + " · sha256 " + body["sha256"].text()
                    + (body["left_out"].isNull() ? "" : " · " + body["left_out"].text()),
                base64 != nullptr ? base64->text() : body["text"].text());
        }
        for (const Json &entry : journal.items())
            record("Journal entry " + entry["entry"].text() + " · " + entry["kind"].text(),
                entry["at"].text() + " · hash " + entry["hash"].text(), entry["payload"].text());
        m_out += "</section>\n";
    }

    static std::string joined(const Json &list)
    {
        std::string out;
        for (const Json &item : list.items())
            out += (out.empty() ? "" : " · ") + item.text();
        return out;
    }

    void record(const std::string &title, const std::string &about, const std::string &text)
    {
        m_out += "<div class=\"record\"><h3>" + content(title) + "</h3><p class=\"about\">"
            + content(about) + "</p>";
        std::size_t shown = std::min(text.size(), kRecordBytesShown);
        while (shown < text.size() && shown > 0
            && (static_cast<unsigned char>(text[shown]) & 0xC0U) == 0x80)
            --shown;
        if (!text.empty())
            m_out += "<pre>\n" + content(text.substr(0, shown), LineBreaks::Kept) + "</pre>";
        if (shown < text.size())
            m_out += "<p class=\"about\">"
                + content(counted(static_cast<std::int64_t>(text.size() - shown), "more byte",
                              "more bytes")
                    + " in the JSON form.")
                + "</p>";
        m_out += "</div>\n";
    }

    const ReportDocument &m_document;
    std::set<std::string> m_anchors; ///< of the cases: a cell that holds one leads there
    std::string m_out;
};

} // namespace

std::string htmlEscape(std::string_view text)
{
    return escapeMarkup(visibleText(text));
}

std::string writeHtml(const ReportDocument &document)
{
    return HtmlWriter(document).write();
}

} // namespace reprise

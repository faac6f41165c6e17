#include "core/report/csv_writer.h"

#include <algorithm>

namespace reprise {

namespace {

constexpr const char *kLineEnd = "\r\n";

std::string quote(std::string_view text)
{
    std::string out = "\"";
    if (!text.empty() && std::string_view("=+-@\t\r'").find(text.front()) != std::string_view::npos)
        out += '\'';
    for (const char c : text) {
        out += c;
        if (c == '"')
            out += '"';
    }
    return out + '"';
}

std::string titles(const ReportTable &table)
{
    std::string line = table.subject.empty() ? "" : quote("subject") + ",";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const ReportColumn &column = table.columns[i];
        line += i == 0 ? "" : ",";
        if (column.kind == ColumnKind::Money)
            line += quote(column.id + "_currency") + "," + quote(column.id + "_minor") + ","
                + quote(column.id);
        else
            line += quote(column.kind == ColumnKind::Duration ? column.id + "_us" : column.id);
    }
    return line + kLineEnd;
}

std::string field(const ReportColumn &column, const ReportCell &cell)
{
    struct Visitor
    {
        std::string operator()(std::monostate) const { return {}; }
        std::string operator()(const std::string &text) const { return quote(text); }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(Time time) const { return time.rfc3339(); }
        std::string operator()(const Money &money) const
        {
            return quote(money.currency) + "," + std::to_string(money.minor) + "," + money.text();
        }
    };
    if (column.kind == ColumnKind::Money && std::holds_alternative<std::monostate>(cell))
        return ",,";
    return std::visit(Visitor {}, cell);
}

/// The numbers of the summary; an amount fills the last three columns instead of `count`.
std::string totals(const ReportDocument &document)
{
    const ReportColumn count {"count", {}, ColumnKind::Number};
    const ReportColumn amount {"amount", {}, ColumnKind::Money};
    std::string out = quote("id") + "," + quote("label") + "," + quote("count") + ","
        + quote("amount_currency") + "," + quote("amount_minor") + "," + quote("amount") + kLineEnd;
    for (const ReportFigure &figure : document.figures) {
        const bool money = std::holds_alternative<Money>(figure.value);
        out += quote(figure.id) + "," + quote(figure.label) + ","
            + field(count, money ? ReportCell() : figure.value) + ","
            + field(amount, money ? figure.value : ReportCell()) + kLineEnd;
    }
    return out;
}

} // namespace

std::vector<std::pair<std::string, std::string>> writeCsv(const ReportDocument &document)
{
    std::vector<std::pair<std::string, std::string>> files {{"totals.csv", totals(document)}};
    for (const ReportTable *table : tablesOf(document)) {
        const std::string fileName = table->id + ".csv";
        auto file = std::find_if(
            files.begin(), files.end(), [&](const auto &known) { return known.first == fileName; });
        if (file == files.end())
            file = files.insert(files.end(), {fileName, titles(*table)});
        for (const auto &row : table->rows) {
            std::string line = table->subject.empty() ? "" : quote(table->subject) + ",";
            for (std::size_t i = 0; i < table->columns.size(); ++i)
                line += (i == 0 ? "" : ",") + field(table->columns[i], row[i]);
            file->second += line + kLineEnd;
        }
    }
    return files;
}

} // namespace reprise

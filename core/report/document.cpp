#include "core/report/document.h"

#include <algorithm>

namespace reprise {

namespace {

void collect(const ReportSection &section, std::vector<const ReportTable *> &out)
{
    for (const ReportBlock &block : section.blocks)
        if (const auto *table = std::get_if<ReportTable>(&block))
            out.push_back(table);
    for (const ReportSection &inner : section.sections)
        collect(inner, out);
}

} // namespace

std::vector<bool> sameInAllRows(const ReportTable &table)
{
    std::vector<bool> same;
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        same.push_back(std::all_of(table.rows.begin(), table.rows.end(),
            [&](const auto &row) { return row[column] == table.rows.front()[column]; }));
    return same;
}

std::string_view name(Tone tone)
{
    switch (tone) {
    case Tone::Plain:
        return "plain";
    case Tone::Ok:
        return "ok";
    case Tone::Warn:
        return "warn";
    case Tone::Danger:
        return "danger";
    }
    return "?";
}

std::vector<const ReportTable *> tablesOf(const ReportDocument &document)
{
    std::vector<const ReportTable *> tables;
    for (const ReportSection &section : document.sections)
        collect(section, tables);
    return tables;
}

} // namespace reprise

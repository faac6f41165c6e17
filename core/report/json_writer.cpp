#include "core/report/json_writer.h"

#include "core/journal/event.h"

namespace reprise {

namespace {

Json toJson(const ReportCell &cell)
{
    struct Visitor
    {
        Json operator()(std::monostate) const { return {}; }
        Json operator()(const std::string &text) const { return text; }
        Json operator()(std::int64_t number) const { return number; }
        Json operator()(Time time) const { return time.rfc3339(); }
        Json operator()(const Money &money) const { return moneyToJson(money); }
    };
    return std::visit(Visitor {}, cell);
}

Json toJson(const std::vector<std::pair<std::string, std::string>> &facts)
{
    Json list = Json::array();
    for (const auto &[name, value] : facts)
        list.push(Json().set("name", name).set("value", value));
    return list;
}

Json columnIds(const ReportTable &table, bool wanted)
{
    Json ids = Json::array();
    const std::vector<bool> same = sameInAllRows(table);
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (same[i] == wanted)
            ids.push(table.columns[i].id);
    return ids;
}

Json toJson(const ReportTable &table)
{
    Json json = Json().set("type", "table").set("id", table.id).set("title", table.title);
    if (!table.subject.empty())
        json.set("subject", table.subject);
    Json columns = Json::array();
    for (const ReportColumn &column : table.columns)
        columns.push(Json().set("id", column.id).set("title", column.title));
    json.set("columns", std::move(columns));
    Json rows = Json::array();
    for (const auto &row : table.rows) {
        Json item = Json::object();
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            item.members().emplace_back(table.columns[i].id, toJson(row[i]));
        rows.push(std::move(item));
    }
    json.set("rows", std::move(rows));
    if (table.layout == TableLayout::SideBySide && table.rows.size() > 1)
        json.set("same", columnIds(table, true)).set("different", columnIds(table, false));
    if (!table.note.empty())
        json.set("note", table.note);
    return json;
}

Json toJson(const ReportBlock &block)
{
    struct Visitor
    {
        Json operator()(const ReportParagraph &paragraph) const
        {
            return Json().set("type", "paragraph").set("text", paragraph.text);
        }
        Json operator()(const ReportNotice &notice) const
        {
            return Json()
                .set("type", "notice")
                .set("tone", std::string(name(notice.tone)))
                .set("heading", notice.heading)
                .set("text", notice.text);
        }
        Json operator()(const ReportList &list) const
        {
            Json items = Json::array();
            for (const std::string &item : list.items)
                items.push(item);
            return Json()
                .set("type", "list")
                .set("title", list.title)
                .set("items", std::move(items));
        }
        Json operator()(const ReportFacts &facts) const
        {
            return Json().set("type", "facts").set("facts", toJson(facts.facts));
        }
        Json operator()(const ReportTable &table) const { return toJson(table); }
    };
    return std::visit(Visitor {}, block);
}

Json toJson(const ReportSection &section) // NOLINT(misc-no-recursion): two levels
{
    Json blocks = Json::array();
    for (const ReportBlock &block : section.blocks)
        blocks.push(toJson(block));
    Json json = Json().set("title", section.title).set("blocks", std::move(blocks));
    if (!section.sections.empty()) {
        Json inner = Json::array();
        for (const ReportSection &one : section.sections)
            inner.push(toJson(one));
        json.set("sections", std::move(inner));
    }
    return json;
}

} // namespace

Json storeToJson(const StoreInfo &store)
{
    return Json()
        .set("id", store.storeId)
        .set("kind", std::string(name(store.kind)))
        .set("schema", store.schemaVersion)
        .set("created_at", store.createdAt.rfc3339())
        .set("head", Json().set("entry", store.entries).set("hash", store.head.hex()));
}

std::string writeJson(const ReportDocument &document)
{
    Json json;
    json.set("format", "reprise-report-1").set("title", document.title);
    json.set("report_id", document.reportId).set("scope", document.scopeLine);
    json.set("asked_by", document.askedBy.empty() ? Json() : Json(document.askedBy));
    json.set("at", document.at.rfc3339()).set("tool", "reprise " REPRISE_VERSION);
    json.set("store", storeToJson(document.store));
    json.set("facts", toJson(document.facts));
    Json totals = Json::object();
    for (const ReportFigure &figure : document.figures)
        totals.set(figure.id, toJson(figure.value));
    json.set("totals", std::move(totals));
    Json sections = Json::array();
    for (const ReportSection &section : document.sections)
        sections.push(toJson(section));
    json.set("sections", std::move(sections)).set("records", document.records);
    return json.pretty() + "\n";
}

} // namespace reprise

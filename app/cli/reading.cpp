#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/support.h"
#include "core/inspect/show_json.h"
#include "core/inspect/show_text.h"
#include "core/inspect/store_reader.h"

#include <iostream>

namespace reprise::cli {

namespace {

Result<RunQuery> queryFor(const LsOptions &options)
{
    RunQuery query;
    query.filter = options.filter;
    query.limit = options.limit;
    query.after = options.after;
    std::string sort = options.sort;
    if (sort.starts_with('-')) {
        query.descending = false;
        sort.erase(0, 1);
    }
    const auto known = runSortFrom(sort);
    if (!known)
        return fail(ErrorCode::InvalidInput, "unknown column to sort by",
            "\"" + printable(sort) + "\"", "see ls --help");
    query.sort = *known;
    return query;
}

/// All pages from the query's cursor on, one object a line: flat memory at any size.
int printLines(StoreReader &reader, RunQuery query)
{
    watchInterrupt();
    do {
        const auto page = reader.runs(query);
        if (!page)
            return report(page.error());
        for (const RunRow &row : page->rows)
            print(runRowToJson(row));
        query.after = page->next;
    } while (!query.after.empty() && !interrupted());
    return kDone;
}

Result<Key> keyStartingWith(StoreReader &reader, const std::string &start)
{
    ASSIGN_OR_RETURN(const auto keys, reader.keysLike(start, 2));
    if (keys.size() == 1)
        return keys[0];
    return fail(ErrorCode::NotFound,
        keys.empty() ? "no action has a key that starts so" : "several keys start so",
        "key " + printable(start, 80), keys.empty() ? "" : "give more digits");
}

Result<ActionDetail> mustRead(StoreReader &reader, const Key &key, const std::string &where)
{
    ASSIGN_OR_RETURN(auto detail, reader.action(key));
    if (!detail)
        return fail(ErrorCode::NotFound, "no such action in this store", where);
    return std::move(*detail);
}

Result<ActionDetail> readAction(StoreReader &reader, const ShowOptions &options)
{
    if (options.run.empty()) {
        ASSIGN_OR_RETURN(const Key key, keyStartingWith(reader, options.key));
        return mustRead(reader, key, "key " + key.hex());
    }
    ASSIGN_OR_RETURN(const ActionName action, parseActionName(options.run, options.seq));
    return mustRead(
        reader, action.key, "run " + printable(options.run, 80) + ", seq " + options.seq);
}

Result<void> showOne(StoreReader &reader, const ShowOptions &options)
{
    ASSIGN_OR_RETURN(const ActionDetail detail, readAction(reader, options));
    if (!options.json) {
        ASSIGN_OR_RETURN(const std::string text, showActionText(reader, detail));
        std::cout << text;
        return {};
    }
    ASSIGN_OR_RETURN(Json action, showActionJson(reader, detail));
    print(Json().set("run_id", detail.row.runId).set("actions", Json::array({std::move(action)})));
    return {};
}

Result<void> showRun(StoreReader &reader, const ShowOptions &options)
{
    ASSIGN_OR_RETURN(const RunId run, RunId::parse(options.run));
    if (options.json) {
        ASSIGN_OR_RETURN(const Json json, showRunJson(reader, run));
        print(json);
    } else {
        ASSIGN_OR_RETURN(const std::string text, showRunText(reader, run));
        std::cout << text;
    }
    return {};
}

} // namespace

int lsCommand(const LsOptions &options)
{
    const auto query = queryFor(options);
    if (!query)
        return report(query.error());
    const auto reader = StoreReader::open(options.store);
    if (!reader)
        return report(reader.error());
    if (options.jsonl)
        return printLines(**reader, *query);
    const auto page = (*reader)->runs(*query);
    if (!page)
        return report(page.error());
    if (options.json) {
        Json runs = Json::array();
        for (const RunRow &row : page->rows)
            runs.push(runRowToJson(row));
        print(Json()
                  .set("runs", std::move(runs))
                  .set("next", page->next.empty() ? Json() : Json(page->next)));
        return kDone;
    }
    const auto totals = (*reader)->totals(options.filter);
    if (!totals)
        return report(totals.error());
    std::cout << runsText(*page, *totals);
    return kDone;
}

int showCommand(const ShowOptions &options)
{
    if (options.run.empty() == options.key.empty()) {
        std::cerr << "reprise: show: give either --run or --key\n";
        return kUsage;
    }
    const auto reader = StoreReader::open(options.store);
    if (!reader)
        return report(reader.error());
    const bool one = !options.key.empty() || !options.seq.empty();
    const auto shown = one ? showOne(**reader, options) : showRun(**reader, options);
    return shown ? kDone : report(shown.error());
}

} // namespace reprise::cli

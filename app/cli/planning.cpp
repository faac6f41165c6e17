#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/support.h"
#include "core/base/file.h"
#include "core/executor/plan.h"
#include "core/executor/settlement.h"
#include "core/key/key.h"
#include "core/store/sqlite_store.h"

#include <array>
#include <filesystem>
#include <iostream>

namespace reprise::cli {

namespace {

/// `--new` says that the store of that name is meant to be another one: the old files are kept
/// aside.
Result<void> moveAside(const std::string &path)
{
    const std::string suffix = ".before-" + systemClock().now().rfc3339();
    for (const char *part : {"", "-wal", "-shm", "-journal"}) {
        const std::string file = path + part;
        if (!std::filesystem::exists(file))
            continue;
        std::error_code failure;
        std::filesystem::rename(file, path + suffix + part, failure);
        if (failure)
            return tl::unexpected(errnoError(failure.value(), file, "cannot move the old store"));
    }
    return {};
}

Result<std::vector<Key>> keysToCancel(Store &store, const CancelOptions &options)
{
    ASSIGN_OR_RETURN(const RunId run, RunId::parse(options.run));
    std::vector<Key> keys;
    if (!options.seq.empty()) {
        ASSIGN_OR_RETURN(const ActionName action, parseActionName(options.run, options.seq));
        keys.push_back(action.key);
        return keys;
    }
    ASSIGN_OR_RETURN(const auto known, store.findRun(run));
    if (!known)
        return fail(
            ErrorCode::NotFound, "no such run in this store", "run " + printable(run.bytes(), 80));
    ASSIGN_OR_RETURN(const auto seqs, store.seqsOf(run, 0));
    for (const std::int64_t value : seqs) {
        ASSIGN_OR_RETURN(const Seq seq, Seq::of(value));
        ASSIGN_OR_RETURN(const auto record, store.find(deriveKey(run, seq)));
        if (record && record->state == ActionState::Planned)
            keys.push_back(record->key);
    }
    return keys;
}

Result<std::int64_t> cancel(Store &store, const CancelOptions &options)
{
    ASSIGN_OR_RETURN(const auto keys, keysToCancel(store, options));
    const std::string where = "run " + printable(options.run, 80);
    std::vector<Event> events;
    std::vector<Precondition> preconditions;
    for (const Key &key : keys) {
        ASSIGN_OR_RETURN(const auto record, store.find(key));
        if (!record)
            return fail(ErrorCode::NotFound, "no plan in this store holds this action", where);
        if (record->imported)
            return fail(ErrorCode::InvalidInput, "holds records of another system", where);
        if (record->state != ActionState::Planned)
            return fail(ErrorCode::Conflict,
                "seq " + std::to_string(record->seq) + " is " + std::string(name(record->state))
                    + "; only what was not dispatched can be cancelled",
                where);
        events.push_back({systemClock().now(), ActionCancelled {key, options.by}});
        preconditions.push_back({key, record->stateEntry});
    }
    if (!events.empty())
        RETURN_IF_ERROR(store.append(events, {}, preconditions));
    return static_cast<std::int64_t>(events.size());
}

} // namespace

int initCommand(const InitOptions &options)
{
    if (options.makeNew) {
        if (const auto moved = moveAside(options.store); !moved)
            return report(moved.error());
    }
    const auto store
        = SqliteStore::create(options.store, StoreKind::Live, {systemClock(), systemRandom()});
    if (!store)
        return report(store.error());
    const StoreInfo info = (*store)->info();
    if (options.json)
        print(Json()
                  .set("store", options.store)
                  .set("store_id", info.storeId)
                  .set("schema", info.schemaVersion));
    else
        std::cout << "made " << options.store << ", store id " << info.storeId << '\n';
    return kDone;
}

int planCommand(const PlanOptions &options)
{
    ToolSet tools;
    if (!options.tools.empty()) {
        auto parsed = ToolSet::readFile(options.tools);
        if (!parsed)
            return report(parsed.error());
        tools = std::move(*parsed);
    }
    const auto text = readFile(options.plan);
    if (!text)
        return report(text.error());
    const auto plan = Plan::parse(*text, options.plan);
    if (!plan)
        return report(plan.error());
    if (!options.tools.empty())
        for (const PlannedAction &action : plan->actions)
            if (tools.find(action.tool) == nullptr)
                return report({ErrorCode::InvalidInput,
                    "tool \"" + printable(action.tool, 60) + "\" is not in " + options.tools,
                    options.plan, {}});
    const auto store = openLiveStore(options.store);
    if (!store)
        return report(store.error());
    const auto receipt = writePlan(**store, systemClock(), *plan, tools);
    if (!receipt)
        return report(receipt.error());
    if (options.json) {
        Json actions = Json::array();
        for (const PlanReceipt::Row &row : receipt->actions)
            actions.push(
                Json().set("seq", row.seq).set("key", row.key.hex()).set("tool", row.tool));
        print(Json()
                  .set("run_id", receipt->runId)
                  .set("revision", receipt->revision)
                  .set("already_planned", receipt->alreadyPlanned)
                  .set("actions", std::move(actions)));
        return kDone;
    }
    std::cout << (receipt->alreadyPlanned ? "already planned: " : "planned: ")
              << printable(receipt->runId, 255) << ", revision " << receipt->revision << '\n';
    for (const PlanReceipt::Row &row : receipt->actions)
        std::cout << "  seq " << row.seq << "  " << row.key.hex() << "  " << row.tool << '\n';
    return kDone;
}

int settleCommand(const SettleOptions &options)
{
    const auto action = parseActionName(options.run, options.seq);
    if (!action)
        return report(action.error());
    SettleRequest request {action->key, Decision::Failed, options.by, options.reason,
        options.evidence, {}, options.reference, {}};
    const auto decision = decisionFrom(options.decision);
    if (!decision)
        return report({ErrorCode::InvalidInput, "unknown decision", options.decision,
            "use landed, retry or failed"});
    request.decision = *decision;
    const auto expected = Digest::fromHex(options.expect);
    if (!expected)
        return report({ErrorCode::InvalidInput, "is not a state hash", options.expect,
            "take \"state_hash\" from show --json"});
    request.expected = *expected;
    if (!options.result.empty()) {
        auto bytes = readFile(options.result);
        if (!bytes)
            return report(bytes.error());
        request.result = std::move(*bytes);
    }
    const auto store = openLiveStore(options.store);
    if (!store)
        return report(store.error());
    const auto settled = settle(**store, systemClock(), request);
    if (!settled)
        return report(settled.error());
    if (options.json)
        print(Json()
                  .set("run_id", settled->runId)
                  .set("seq", settled->seq)
                  .set("key", settled->key.hex())
                  .set("state", std::string(name(settled->state)))
                  .set("state_hash", settled->stateHash.hex()));
    else
        std::cout << "settled: run " << printable(settled->runId, 255) << ", seq " << settled->seq
                  << " is now " << name(settled->state) << '\n';
    return kDone;
}

int cancelCommand(const CancelOptions &options)
{
    const auto store = openLiveStore(options.store);
    if (!store)
        return report(store.error());
    const auto count = cancel(**store, options);
    if (!count)
        return report(count.error());
    if (options.json)
        print(Json().set("run_id", options.run).set("cancelled", *count));
    else
        std::cout << "cancelled: " << *count << '\n';
    return kDone;
}

int closeCommand(const CloseOptions &options)
{
    const auto run = RunId::parse(options.run);
    if (!run)
        return report(run.error());
    const auto store = openLiveStore(options.store);
    if (!store)
        return report(store.error());
    const auto found = (*store)->findRun(*run);
    if (!found)
        return report(found.error());
    if (!*found)
        return report(
            {ErrorCode::NotFound, "no such run in this store", printable(options.run), {}});
    if (!(*found)->closed) {
        const std::array events {Event {systemClock().now(), RunClosed {options.run}}};
        if (const auto written = (*store)->append(events, {}, {}); !written)
            return report(written.error());
    }
    if (options.json)
        print(Json().set("run_id", options.run).set("closed", true));
    else
        std::cout << "closed: " << printable(options.run, 255) << '\n';
    return kDone;
}

} // namespace reprise::cli

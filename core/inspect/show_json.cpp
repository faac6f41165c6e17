#include "core/inspect/show_json.h"

#include "core/base/bytes.h"
#include "core/executor/executor.h"
#include "core/model/money.h"

namespace reprise {

namespace {

constexpr std::int64_t kActionsPerPage = 500;

Json textOrNull(const std::string &text)
{
    return text.empty() ? Json() : Json(text);
}

Json timeOrNull(const std::optional<Time> &time)
{
    return time ? Json(time->rfc3339()) : Json();
}

Json digestOrNull(const std::optional<Digest> &digest)
{
    return digest ? Json(digest->hex()) : Json();
}

/// Bytes under `name` as text, or under `name_base64` where they are not UTF-8.
void setBytes(Json &json, const std::string &name, const std::optional<std::string> &bytes)
{
    if (!bytes)
        json.set(name, Json());
    else if (isValidUtf8(*bytes))
        json.set(name, *bytes);
    else
        json.set(name + "_base64", toBase64(*bytes));
}

/// Args that importers keep may be no JSON at all: then the bytes are shown as they are.
void setArgs(Json &json, const std::optional<std::string> &bytes, const std::optional<Json> &parsed)
{
    if (parsed) {
        json.set("args", *parsed);
        return;
    }
    json.set("args", Json());
    if (bytes)
        setBytes(json, "args_text", bytes);
    else
        json.set("args_pruned", true);
}

std::optional<Json> parsedOrNothing(const std::optional<std::string> &bytes)
{
    if (!bytes)
        return std::nullopt;
    auto parsed = Json::parse(*bytes);
    return parsed ? std::optional<Json>(std::move(*parsed)) : std::nullopt;
}

Json differencesToJson(
    const Json &recorded, const Json &given, const std::vector<std::string> &ignore)
{
    Json list = Json::array();
    for (const FieldDifference &field : jsonDifferences(recorded, given, ignore))
        list.push(Json()
                      .set("pointer", field.pointer)
                      .set("recorded", field.recorded)
                      .set("given", field.given));
    return list;
}

/// The body of an optional digest; nothing where there is no digest or its bytes were pruned.
Result<std::optional<std::string>> bodyOf(StoreReader &reader, const std::optional<Digest> &digest)
{
    if (!digest)
        return std::optional<std::string> {};
    return reader.body(*digest);
}

Result<Json> attemptToJson(StoreReader &reader, const AttemptRow &attempt,
    const std::optional<Json> &recordedArgs, const std::vector<std::string> &ignore)
{
    Json json;
    json.set("n", attempt.n).set("kind", std::string(name(attempt.kind)));
    json.set("outcome", attempt.outcome ? Json(std::string(name(*attempt.outcome))) : Json());
    json.set("started_at", timeOrNull(attempt.startedAt));
    json.set("ended_at", timeOrNull(attempt.endedAt));
    json.set("owner", textOrNull(attempt.owner)).set("sent_key", textOrNull(attempt.sentKey));
    const bool answered = attempt.result.has_value();
    json.set("status", answered ? textOrNull(attempt.result->status) : Json());
    json.set("result_sha256", answered ? digestOrNull(attempt.result->body) : Json());
    json.set("complete", answered ? Json(attempt.result->complete) : Json());
    json.set("reference", answered ? textOrNull(attempt.result->reference) : Json());
    json.set("same_as_original", attempt.sameAsOriginal);
    json.set("reason", textOrNull(attempt.reason)).set("note", textOrNull(attempt.note));
    if (!attempt.locator.empty())
        json.set("locator", attempt.locator);
    if (attempt.args) {
        ASSIGN_OR_RETURN(const auto bytes, bodyOf(reader, attempt.args));
        const auto given = parsedOrNothing(bytes);
        json.set("args_sha256", attempt.args->hex());
        setArgs(json, bytes, given);
        if (recordedArgs && given)
            json.set("diff", differencesToJson(*recordedArgs, *given, ignore));
    }
    if (attempt.toolLog) {
        ASSIGN_OR_RETURN(const auto log, bodyOf(reader, attempt.toolLog));
        setBytes(json, "tool_log", log);
    }
    return json;
}

Json ownerToJson(const ClaimState &claim)
{
    return Json()
        .set("attempt", claim.attempt)
        .set("epoch", claim.epoch)
        .set("owner", claim.owner.host + ":" + std::to_string(claim.owner.pid))
        .set("sent_key", textOrNull(claim.sentKey))
        .set("at", claim.at.rfc3339());
}

} // namespace

Json resultToJson(const RecordedResult &result, const std::optional<std::string> &body, bool pruned)
{
    Json json;
    json.set("status", textOrNull(result.status));
    json.set("content_type", textOrNull(result.contentType));
    json.set("complete", result.complete).set("sha256", digestOrNull(result.body));
    setBytes(json, "body", body);
    if (pruned)
        json.set("pruned", true);
    json.set("reference", textOrNull(result.reference));
    json.set("recorded_at", result.recordedAt.rfc3339());
    json.set("source", std::string(name(result.source)));
    return json;
}

Json businessToJson(const Business &business)
{
    return Json()
        .set("kind", std::string(name(business.kind)))
        .set("amount", business.amount ? moneyToJson(*business.amount) : Json())
        .set("payee", textOrNull(business.payee))
        .set("order", textOrNull(business.order))
        .set("undoes", textOrNull(business.undoes));
}

Result<Json> showActionJson(StoreReader &reader, const ActionDetail &detail)
{
    const ActionRow &row = detail.row;
    ASSIGN_OR_RETURN(const auto argsBytes, reader.body(row.args));
    const auto args = parsedOrNothing(argsBytes);

    Json json;
    json.set("run_id", row.runId).set("seq", row.seq).set("key", row.key.hex());
    json.set("key_derived_at_import", row.keyDerivedAtImport);
    json.set("tool", row.tool).set("side_effect", row.sideEffect);
    json.set("state", std::string(name(row.state))).set("reason", textOrNull(row.reason));
    json.set("state_hash", detail.stateHash.hex()).set("owner_alive", detail.ownerAlive);
    json.set("fingerprint", row.fingerprint.hex());
    json.set("ignore", Json::array());
    for (const std::string &pointer : detail.contract.ignore)
        json.members().back().second.push(pointer);
    setArgs(json, argsBytes, args);
    json.set("args_sha256", row.args.hex());
    json.set("environment", textOrNull(detail.environment));
    json.set("account", textOrNull(detail.account)).set("dry_run", detail.dryRun);
    json.set("imported", detail.imported);
    json.set("executed", row.executed).set("executed_again", row.executedAgain);
    json.set("replayed", row.replayed).set("conflicts", row.conflicts);
    json.set("calls", detail.calls);
    json.set("first_at", timeOrNull(row.firstAt)).set("outcome_at", timeOrNull(row.outcomeAt));
    json.set("claim", detail.claim ? ownerToJson(*detail.claim) : Json());

    Json attempts = Json::array();
    for (const AttemptRow &attempt : detail.attempts) {
        ASSIGN_OR_RETURN(Json item, attemptToJson(reader, attempt, args, detail.contract.ignore));
        attempts.push(std::move(item));
    }
    json.set("attempts", std::move(attempts));

    if (detail.result) {
        ASSIGN_OR_RETURN(const auto body, bodyOf(reader, detail.result->body));
        json.set(
            "result", resultToJson(*detail.result, body, detail.result->body.has_value() && !body));
    } else {
        json.set("result", Json());
    }
    json.set("recorded_by", textOrNull(detail.recordedBy));
    ASSIGN_OR_RETURN(const auto acceptance, bodyOf(reader, detail.acceptance));
    json.set("acceptance", Json(parsedOrNothing(acceptance)));
    json.set("business", businessToJson(row.business));
    json.set("contract", detail.contract.toJson());
    return json;
}

Result<Json> showRunJson(StoreReader &reader, const RunId &run)
{
    ASSIGN_OR_RETURN(const auto row, reader.run(run));
    if (!row)
        return fail(ErrorCode::NotFound, "no such run in this store",
            "run " + printable(run.bytes(), 80), "`reprise ls` lists the runs");
    Json json = runRowToJson(*row);
    Json actions = Json::array();
    for (std::int64_t after = -1;;) {
        ASSIGN_OR_RETURN(const auto page, reader.actions(run, after, kActionsPerPage));
        for (const ActionRow &action : page) {
            ASSIGN_OR_RETURN(const auto detail, reader.action(action.key));
            if (!detail)
                return fail(ErrorCode::StoreDamaged, "an action of the run has no record",
                    "key " + action.key.hex());
            ASSIGN_OR_RETURN(Json item, showActionJson(reader, *detail));
            actions.push(std::move(item));
            after = action.seq;
        }
        if (page.size() < static_cast<std::size_t>(kActionsPerPage))
            break;
    }
    json.set("action_count", row->actions).set("actions", std::move(actions));
    return json;
}

Json runRowToJson(const RunRow &row)
{
    Json json;
    json.set("run_id", row.run.runId).set("label", textOrNull(row.run.label));
    json.set("revision", row.run.revision).set("source", textOrNull(row.source));
    json.set("imported", row.run.imported).set("closed", row.run.closed);
    json.set("ordered", row.run.ordered);
    json.set("environment", textOrNull(row.run.environment));
    json.set("account", textOrNull(row.run.account)).set("dry_run", row.run.dryRun);
    json.set("actions", row.actions).set("executed", row.executed);
    json.set("replayed", row.replayed).set("executed_again", row.executedAgain);
    json.set("in_doubt", row.inDoubt)
        .set("in_flight", row.inFlight)
        .set("failed", row.failed)
        .set("conflicts", row.conflicts);
    json.set("first_at", timeOrNull(row.firstAt)).set("last_at", timeOrNull(row.lastAt));
    return json;
}

} // namespace reprise

#include "app/cli/support.h"

#include "core/key/key.h"
#include "core/store/sqlite_store.h"

#include <signal.h>

#include <iostream>

namespace reprise::cli {

namespace {
std::atomic<bool> stopRequested {false};
}

SystemClock &systemClock()
{
    static SystemClock clock;
    return clock;
}

SystemRandom &systemRandom()
{
    static SystemRandom random;
    return random;
}

Result<std::unique_ptr<Store>> openLiveStore(const std::string &path)
{
    return SqliteStore::open(path, StoreKind::Live, {systemClock(), systemRandom()});
}

Result<ActionName> parseActionName(const std::string &run, const std::string &seq)
{
    ASSIGN_OR_RETURN(const RunId runId, RunId::parse(run));
    ASSIGN_OR_RETURN(const Seq number, Seq::parse(seq));
    return ActionName {runId, number, deriveKey(runId, number)};
}

const std::atomic<bool> &interrupted()
{
    return stopRequested;
}

void watchInterrupt()
{
    struct sigaction action
    {
    };
    action.sa_handler = [](int) { stopRequested = true; };
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND); // a second Ctrl-C stops at once
    ::sigaction(SIGINT, &action, nullptr);
}

void print(const Json &json)
{
    std::cout << json.dump() << '\n';
}

Json resultToJson(const RecordedResult &result, const std::optional<std::string> &body, bool pruned)
{
    Json json;
    json.set("status", result.status).set("content_type", result.contentType);
    json.set("complete", result.complete);
    json.set("sha256", result.body ? Json(result.body->hex()) : Json());
    if (body && isValidUtf8(*body))
        json.set("body", *body);
    else if (body)
        json.set("body_base64", toBase64(*body));
    else
        json.set("body", Json());
    if (pruned)
        json.set("pruned", true);
    json.set("reference", result.reference).set("recorded_at", result.recordedAt.rfc3339());
    json.set("source", std::string(name(result.source)));
    return json;
}

} // namespace reprise::cli

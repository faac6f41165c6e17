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

} // namespace reprise::cli

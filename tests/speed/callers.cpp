#include "tests/speed/counting_vfs.h"
#include "tests/speed/goals.h"
#include "tests/speed/raw_group_commit.h"
#include "tests/speed/workload.h"

#include <algorithm>
#include <atomic>
#include <memory>

namespace reprise::speed {

namespace {

/// Executes by `callers` threads what it has planned before.
Case execution(Workload &workload, int callers)
{
    return [&workload, callers, best = 0.0](double seconds) mutable {
        workload.stock(actionsNeeded(best, seconds));
        const Slice slice
            = repeatByMany(callers, seconds, [&](int) { return workload.executeNext(); });
        best = std::max(best, slice.rate());
        return slice;
    };
}

/// The same by hand, over `Floor`.
template <typename Floor> Case execution(Floor &floor, std::atomic<std::int64_t> &seq, int callers)
{
    return [&floor, &seq, callers](double seconds) {
        return repeatByMany(callers, seconds, [&](int) {
            floor.execute("run-1", ++seq);
            return true;
        });
    };
}

std::string callersText(int callers)
{
    return std::to_string(callers) + (callers == 1 ? " caller" : " callers");
}

struct Stores
{
    Workload workload {newPath("store")};
    RawGroupCommit group {newPath("group")};
    RawMutexed mutexed {newPath("mutexed")};
    std::atomic<std::int64_t> seq {0};
};

} // namespace

std::vector<Row> measureCallers(const Settings &settings)
{
    constexpr int kFew = 16;
    constexpr int kMany = 64;
    std::vector<Row> rows;
    Stores stores;
    {
        const auto series = interleaved(settings.effort,
            {execution(stores.workload, kFew), execution(stores.group, stores.seq, kFew),
                execution(stores.mutexed, stores.seq, kFew), execution(stores.workload, 1),
                execution(stores.mutexed, stores.seq, 1)});
        rows.push_back(ratesRow("16 callers / group commit by hand", series[0], series[1], 0.85));
        rows.push_back(ratesRow("16 callers / one mutexed connection", series[0], series[2], 3));
        rows.push_back(
            ratesRow("1 caller / the mutexed connection with 16", series[3], series[2], 0.95));
        rows.back().more.emplace_back(
            "ratio_to_1_caller_there", pairedRatio(series[3], series[4]).median);
    }
    {
        const auto series = interleaved(settings.effort,
            {execution(stores.workload, kMany), execution(stores.group, stores.seq, kMany),
                execution(stores.mutexed, stores.seq, kMany)});
        rows.push_back(ratesRow("64 callers / one mutexed connection", series[0], series[2], 4.5));
        rows.push_back(ratesRow("64 callers / group commit by hand", series[0], series[1], 0));
        rows.back().bound = Row::Wanted::Nothing;
    }
    const FlushingScope fast(false);
    const auto series = interleaved(settings.effort,
        {execution(stores.workload, kFew), execution(stores.group, stores.seq, kFew)});
    rows.push_back(ratesRow("16 callers / group commit, synchronous=OFF", series[0], series[1], 0));
    rows.back().bound = Row::Wanted::Nothing;
    return rows;
}

std::vector<Row> measureReplayCallers(const Settings &settings)
{
    constexpr int kCallers = 16;
    constexpr std::int64_t kActions = 1000;
    Workload workload(newPath("store"), "run", Workload::Notes::Durable);
    {
        const FlushingScope fast(false);
        workload.stock(kActions);
        while (workload.executeNext()) { }
    }
    std::atomic<std::uint64_t> turn {0};
    const auto replays = [&](int callers) -> Case {
        return [&, callers](double seconds) {
            return repeatByMany(callers, seconds, [&](int) {
                workload.replay(++turn, kActions);
                return true;
            });
        };
    };
    const auto series = interleaved(settings.effort, {replays(kCallers), replays(1)});
    return {
        ratesRow(callersText(kCallers) + " / 1 caller, durable notes", series[0], series[1], 4)};
}

} // namespace reprise::speed

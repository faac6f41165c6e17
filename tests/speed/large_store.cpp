#include "core/inspect/store_reader.h"
#include "core/key/key.h"
#include "tests/speed/counting_vfs.h"
#include "tests/speed/goals.h"
#include "tests/speed/workload.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace reprise::speed {

namespace {

/// Names for runs that no run of the measurement used before.
std::string freshRuns()
{
    static SystemRandom random;
    return "speed-" + random.hex128();
}

Row execution(const Settings &settings, const std::string &name, Workload &large, Workload &small,
    bool flushing)
{
    const FlushingScope scope(flushing);
    const auto executed = [](Workload &workload) -> Case {
        return [&workload, best = 0.0](double seconds) mutable {
            workload.stock(actionsNeeded(best, seconds));
            const Slice slice = repeat(seconds, [&] { return workload.executeNext(); });
            best = std::max(best, slice.rate());
            return slice;
        };
    };
    const auto series = interleaved(settings.effort, {executed(large), executed(small)});
    Row row = ratesRow(name, series[0], series[1], 0.6);
    row.more.emplace(row.more.begin(), "actions", static_cast<double>(settings.largeActions));
    return row;
}

/// The most memory that another run of this program needs for its work in that store.
double peakMbOf(const Settings &settings, const std::string &path)
{
    const std::string command = "'" + settings.program + "' --memory-of '" + path + "'";
    double found = 0;
    std::FILE *answer = ::popen(command.c_str(), "r");
    if (answer == nullptr || std::fscanf(answer, "%lf", &found) != 1)
        stopFor({ErrorCode::Internal, "a process of the measurement said nothing", path, {}});
    ::pclose(answer);
    return found;
}

} // namespace

std::vector<Row> measureLargeStore(const Settings &settings)
{
    Workload large(largeStore(settings.largeActions), freshRuns());
    Workload small(newPath("small"));
    return {execution(settings, "durable, large / small store", large, small, true),
        execution(settings, "synchronous=OFF, large / small store", large, small, false)};
}

std::vector<Row> measureMemory(const Settings &settings)
{
    constexpr std::int64_t kSmallMax = 100'000;
    const std::int64_t small
        = std::min(kSmallMax, std::max<std::int64_t>(settings.largeActions / 10, 1));
    Row row;
    row.name = "most memory: execute, replay, look up, page; large / small";
    row.floor = peakMbOf(settings, largeStore(small));
    row.reprise = peakMbOf(settings, largeStore(settings.largeActions));
    row.unit = "MB";
    row.ratio.median = row.reprise / row.floor;
    row.ratio.low = row.ratio.high = row.ratio.median;
    row.wanted = 1.25;
    row.bound = Row::Wanted::AtMost;
    row.more = {{"actions", static_cast<double>(settings.largeActions)},
        {"floor_actions", static_cast<double>(small)}};
    return {row};
}

int measureMemoryHere(std::span<const std::string> arguments)
{
    if (arguments.size() != 1)
        return 2;
    setFlushing(false);
    constexpr std::int64_t kActions = 1000;
    constexpr std::int64_t kLookUps = 20'000;
    constexpr std::int64_t kPages = 50;
    Workload workload(arguments[0], freshRuns());
    workload.stock(kActions);
    while (workload.executeNext()) { }
    for (std::uint64_t turn = 0; turn < kActions; ++turn)
        workload.replay(turn, kActions);
    // All over the store, whatever its size: runs that are not there end the round.
    SeededRandom random(1);
    const auto reader = must(StoreReader::open(arguments[0]));
    const std::int64_t runs = must(reader->totals({})).runsInStore;
    for (std::int64_t i = 0; i < kLookUps; ++i) {
        const std::string run
            = "bulk-" + std::to_string(random.below(static_cast<std::uint64_t>(runs)) + 1);
        const auto seq = static_cast<std::int64_t>(random.below(1000) + 1);
        (void)must(workload.store().find(deriveKey(must(RunId::parse(run)), must(Seq::of(seq)))));
    }
    RunQuery query;
    for (std::int64_t page = 0; page < kPages; ++page) {
        const RunPage found = must(reader->runs(query));
        if (!found.rows.empty())
            (void)must(reader->actions(must(RunId::parse(found.rows[0].run.runId)), -1, kActions));
        if (found.next.empty())
            break;
        query.after = found.next;
    }
    std::printf("%.2f\n", memory().peakMb);
    return 0;
}

} // namespace reprise::speed

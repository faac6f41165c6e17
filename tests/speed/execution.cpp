#include "tests/speed/counting_vfs.h"
#include "tests/speed/goals.h"
#include "tests/speed/raw_store.h"
#include "tests/speed/workload.h"

#include <algorithm>

namespace reprise::speed {

namespace {

/// Reprise and the floor by one caller, in a mode of flushing.
Row oneCaller(const Settings &settings, const std::string &name, bool flushing, double atMost)
{
    const FlushingScope scope(flushing);
    RawStore raw(newPath("raw"), RawSync::Full);
    Workload workload(newPath("store"));
    std::int64_t seq = 0;
    double best = 0;
    const std::vector<Series> series = interleaved(settings.effort,
        {[&](double seconds) {
             return repeat(seconds, [&] {
                 raw.execute("run-1", ++seq);
                 return true;
             });
         },
            [&](double seconds) {
                workload.stock(actionsNeeded(best, seconds));
                const Slice slice = repeat(seconds, [&] { return workload.executeNext(); });
                best = std::max(best, slice.rate());
                return slice;
            }});
    return timesRow(name, series[1], series[0], atMost);
}

/// Counts the flushes of each of `count` operations: median, and the mean that includes
/// checkpoints.
Row flushesRow(const std::string &name, double wanted, const std::function<void()> &operation)
{
    constexpr int kOperations = 400;
    std::vector<double> each;
    const Flushes before = flushes();
    const std::int64_t systemBefore = systemFlushes();
    for (int i = 0; i < kOperations; ++i) {
        const std::int64_t log = flushes().log;
        operation();
        each.push_back(static_cast<double>(flushes().log - log));
    }
    const Flushes after = flushes();
    Row row;
    row.name = name;
    row.unit = "flushes";
    row.floor = wanted;
    row.reprise = median(each);
    // Where none is wanted there is nothing to divide by: one too many counts as 1.
    row.ratio.median = wanted > 0 ? row.reprise / wanted : row.reprise;
    row.ratio.low = row.ratio.high = row.ratio.median;
    row.wanted = wanted > 0 ? 1 : 0;
    row.bound = Row::Wanted::AtMost;
    row.more = {{"most", *std::max_element(each.begin(), each.end())},
        {"mean_with_checkpoints", static_cast<double>(after.all() - before.all()) / kOperations},
        {"mean_of_the_process", static_cast<double>(systemFlushes() - systemBefore) / kOperations}};
    return row;
}

} // namespace

std::vector<Row> measureExecution(const Settings &settings)
{
    return {oneCaller(settings, "durable", true, 1.15),
        oneCaller(settings, "synchronous=OFF", false, 2.0)};
}

std::vector<Row> measureFlushes(const Settings & /*settings*/)
{
    constexpr std::int64_t kActions = 1000;
    Workload workload(newPath("store"));
    workload.stock(kActions);
    std::uint64_t turn = 0;
    std::vector<Row> rows;
    rows.push_back(flushesRow("fresh execution", 2, [&] { (void)workload.executeNext(); }));
    rows.push_back(flushesRow("read-only replay", 0, [&] { workload.lookUp(++turn, 400); }));
    rows.push_back(
        flushesRow("replay with its journal row", 0, [&] { workload.replay(++turn, 400); }));
    rows.back().bound = Row::Wanted::Nothing;
    return rows;
}

} // namespace reprise::speed

#include "tests/speed/measure.h"

#include "tests/speed/counting_vfs.h"

#include <algorithm>
#include <barrier>
#include <fstream>
#include <sstream>
#include <thread>

namespace reprise::speed {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kWarmUpSeconds = 0.05;
constexpr double kBytesPerKb = 1000;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double percentile(std::vector<float> &values, double share)
{
    if (values.empty())
        return 0;
    const auto at = values.begin()
        + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Repeats until the deadline; the last operation may end after it.
void work(Clock::time_point deadline, const std::function<bool()> &operation, Slice &slice)
{
    for (Clock::time_point before = Clock::now(); before < deadline;) {
        if (!operation())
            return;
        const Clock::time_point after = Clock::now();
        slice.latenciesUs.push_back(
            std::chrono::duration<float, std::micro>(after - before).count());
        slice.operations += 1;
        before = after;
    }
}

Clock::duration duration(double seconds)
{
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void countFlushes(const Flushes &before, Slice &slice)
{
    const Flushes now = flushes();
    slice.logFlushes = static_cast<double>(now.log - before.log);
    slice.otherFlushes = static_cast<double>(now.other - before.other);
    slice.logKb = static_cast<double>(now.logBytes - before.logBytes) / kBytesPerKb;
}

} // namespace

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double Series::rate() const
{
    return median(rates);
}

std::vector<Series> interleaved(const Effort &effort, const std::vector<Case> &cases)
{
    std::vector<Series> all(cases.size());
    std::vector<std::vector<float>> latencies(cases.size());
    std::vector<double> operations(cases.size());
    for (const Case &one : cases)
        (void)one(std::min(effort.seconds, kWarmUpSeconds));
    for (int i = 0; i < effort.slices; ++i) {
        for (std::size_t at = 0; at < cases.size(); ++at) {
            const Slice slice = cases[at](effort.seconds);
            all[at].rates.push_back(slice.rate());
            all[at].logFlushesPerOperation += slice.logFlushes;
            all[at].otherFlushesPerOperation += slice.otherFlushes;
            all[at].logKbPerOperation += slice.logKb;
            operations[at] += slice.operations;
            latencies[at].insert(
                latencies[at].end(), slice.latenciesUs.begin(), slice.latenciesUs.end());
        }
    }
    for (std::size_t at = 0; at < cases.size(); ++at) {
        all[at].p50Us = percentile(latencies[at], 0.50);
        all[at].p99Us = percentile(latencies[at], 0.99);
        all[at].worstUs = percentile(latencies[at], 1.0);
        all[at].logFlushesPerOperation /= std::max(operations[at], 1.0);
        all[at].otherFlushesPerOperation /= std::max(operations[at], 1.0);
        all[at].logKbPerOperation /= std::max(operations[at], 1.0);
    }
    return all;
}

Ratio pairedRatio(const Series &over, const Series &under)
{
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(over.rates.size(), under.rates.size()); ++i)
        if (under.rates[i] > 0)
            ratios.push_back(over.rates[i] / under.rates[i]);
    if (ratios.empty())
        return {};
    const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
    return {median(ratios), *low, *high};
}

Slice repeat(double seconds, const std::function<bool()> &operation)
{
    Slice slice;
    slice.latenciesUs.reserve(1 << 16);
    const Flushes before = flushes();
    const Clock::time_point start = Clock::now();
    work(start + duration(seconds), operation, slice);
    slice.seconds = secondsSince(start);
    countFlushes(before, slice);
    return slice;
}

Slice repeatByMany(int threads, double seconds, const std::function<bool(int)> &operation)
{
    std::vector<Slice> parts(static_cast<std::size_t>(threads));
    std::barrier ready(threads + 1);
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i)
        workers.emplace_back([&, i] {
            ready.arrive_and_wait();
            work(
                Clock::now() + duration(seconds), [&] { return operation(i); },
                parts[static_cast<std::size_t>(i)]);
        });
    const Flushes before = flushes();
    ready.arrive_and_wait();
    const Clock::time_point start = Clock::now();
    workers.clear(); // waits for them
    Slice slice;
    slice.seconds = secondsSince(start);
    countFlushes(before, slice);
    for (const Slice &part : parts) {
        slice.operations += part.operations;
        slice.latenciesUs.insert(
            slice.latenciesUs.end(), part.latenciesUs.begin(), part.latenciesUs.end());
    }
    return slice;
}

Memory memory()
{
    constexpr double kKbPerMb = 1024;
    Memory found;
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        std::istringstream words(line);
        std::string name;
        double kb = 0;
        words >> name >> kb;
        if (name == "VmRSS:")
            found.nowMb = kb / kKbPerMb;
        else if (name == "VmHWM:")
            found.peakMb = kb / kKbPerMb;
    }
    return found;
}

namespace {

Row baseRow(const std::string &name, const Series &reprise, const Series &floor)
{
    Row row;
    row.name = name;
    row.more = {{"p50_us", reprise.p50Us}, {"p99_us", reprise.p99Us}, {"floor_p50_us", floor.p50Us},
        {"floor_p99_us", floor.p99Us}, {"flushes", reprise.logFlushesPerOperation},
        {"floor_flushes", floor.logFlushesPerOperation},
        {"checkpoint_flushes", reprise.otherFlushesPerOperation},
        {"log_kb", reprise.logKbPerOperation}, {"floor_log_kb", floor.logKbPerOperation}};
    return row;
}

} // namespace

Row ratesRow(const std::string &name, const Series &reprise, const Series &floor, double atLeast)
{
    Row row = baseRow(name, reprise, floor);
    row.ratio = pairedRatio(reprise, floor);
    row.wanted = atLeast;
    row.bound = Row::Wanted::AtLeast;
    row.floor = floor.rate();
    row.reprise = reprise.rate();
    row.unit = "1/s";
    return row;
}

Row timesRow(const std::string &name, const Series &reprise, const Series &floor, double atMost)
{
    constexpr double kUsPerSecond = 1e6;
    Row row = baseRow(name, reprise, floor);
    row.ratio = pairedRatio(floor, reprise);
    row.wanted = atMost;
    row.bound = Row::Wanted::AtMost;
    row.floor = kUsPerSecond / std::max(floor.rate(), 1e-9);
    row.reprise = kUsPerSecond / std::max(reprise.rate(), 1e-9);
    row.unit = "us";
    return row;
}

} // namespace reprise::speed

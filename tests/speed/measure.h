#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace reprise::speed {

/// How much is measured.
struct Effort
{
    int slices = 7;
    double seconds = 0.3; ///< of each slice
};

/// What one case did in one slice of time.
struct Slice
{
    double operations = 0;
    double seconds = 0;
    std::vector<float> latenciesUs {}; ///< of each operation
    double logFlushes = 0; ///< of durable commits
    double otherFlushes = 0; ///< of checkpoints
    double logKb = 0; ///< written to logs

    [[nodiscard]] double rate() const { return seconds > 0 ? operations / seconds : 0; }
};

/// Works for about that many seconds. Whatever has to be prepared is prepared before its clock
/// starts.
using Case = std::function<Slice(double seconds)>;

/// All slices of one case.
struct Series
{
    std::vector<double> rates {}; ///< operations a second, slice by slice
    double p50Us = 0;
    double p99Us = 0;
    double worstUs = 0;
    double logFlushesPerOperation = 0;
    double otherFlushesPerOperation = 0;
    double logKbPerOperation = 0;

    [[nodiscard]] double rate() const; ///< the median
};

/// Runs the cases in turn, A B A B, after a short first slice of each that does not count. So what
/// else the machine does falls on all of them alike.
[[nodiscard]] std::vector<Series> interleaved(const Effort &effort, const std::vector<Case> &cases);

/// Median, smallest and largest of the ratios of slices that ran side by side.
struct Ratio
{
    double median = 0;
    double low = 0;
    double high = 0;
};
[[nodiscard]] Ratio pairedRatio(const Series &over, const Series &under);

[[nodiscard]] double median(std::vector<double> values);

/// Repeats `operation` until the time is over or it answers false: nothing was left to do.
[[nodiscard]] Slice repeat(double seconds, const std::function<bool()> &operation);

/// The same by several threads at once; `operation` is given the number of its thread.
[[nodiscard]] Slice repeatByMany(
    int threads, double seconds, const std::function<bool(int)> &operation);

/// Bytes of memory that this process holds now, and the most that it ever held.
struct Memory
{
    double nowMb = 0;
    double peakMb = 0;
};
[[nodiscard]] Memory memory();

/// One line of a goal: a case, or the same in other circumstances.
struct Row
{
    std::string name;
    Ratio ratio;
    double wanted = 0;
    enum class Wanted { AtLeast, AtMost, Nothing } bound = Wanted::AtLeast;
    double floor = 0;
    double reprise = 0;
    std::string unit;
    std::vector<std::pair<std::string, double>> more {}; ///< printed in this order

    [[nodiscard]] bool met() const
    {
        return bound == Wanted::Nothing
            || (bound == Wanted::AtLeast ? ratio.median >= wanted : ratio.median <= wanted);
    }
};

/// Rates of Reprise and its floor, `reprise / floor`, with latencies and flushes of both.
[[nodiscard]] Row ratesRow(
    const std::string &name, const Series &reprise, const Series &floor, double atLeast);
/// Time that Reprise takes over the time that the floor takes.
[[nodiscard]] Row timesRow(
    const std::string &name, const Series &reprise, const Series &floor, double atMost);

/// A goal of the measurement; the first row is the goal itself.
struct Outcome
{
    std::string goal;
    std::string what;
    std::vector<Row> rows;
};

} // namespace reprise::speed

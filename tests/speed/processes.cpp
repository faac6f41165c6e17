#include "tests/speed/counting_vfs.h"
#include "tests/speed/goals.h"
#include "tests/speed/raw_store.h"
#include "tests/speed/workload.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace reprise::speed {

namespace {

/// What one process did.
struct Share
{
    double rate = 0;
    double longestUs = 0;
    double medianUs = 0;
};

/// What all processes did in one slice.
struct Together
{
    double rate = 0;
    double slowest = 0;
    double fastest = 0;
    double longestUs = 0;
    double medianUs = 0; ///< of the first process
};

[[noreturn]] void stopFor(const char *doing)
{
    std::perror(doing);
    std::exit(1);
}

/// Another run of this program that says when it is ready and waits for the start.
class Worker
{
public:
    Worker(const std::string &program, const std::vector<std::string> &arguments)
    {
        std::array<int, 2> start {};
        std::array<int, 2> answer {};
        if (::pipe(start.data()) != 0 || ::pipe(answer.data()) != 0)
            stopFor("pipe");
        m_pid = ::fork();
        if (m_pid < 0)
            stopFor("fork");
        if (m_pid == 0) {
            ::dup2(start[0], STDIN_FILENO);
            ::dup2(answer[1], STDOUT_FILENO);
            for (const int handle : {start[0], start[1], answer[0], answer[1]})
                ::close(handle);
            std::vector<char *> words {const_cast<char *>(program.c_str())};
            for (const std::string &argument : arguments)
                words.push_back(const_cast<char *>(argument.c_str()));
            words.push_back(nullptr);
            ::execv(program.c_str(), words.data());
            ::_exit(127);
        }
        ::close(start[0]);
        ::close(answer[1]);
        m_start = start[1];
        m_answer = answer[0];
    }
    ~Worker()
    {
        ::close(m_start);
        ::close(m_answer);
        ::waitpid(m_pid, nullptr, 0);
    }
    Worker(const Worker &) = delete;
    Worker &operator=(const Worker &) = delete;

    void waitUntilReady()
    {
        char byte = 0;
        if (::read(m_answer, &byte, 1) != 1)
            stopFor("a process of the measurement ended early");
    }
    void start()
    {
        if (::write(m_start, "s", 1) != 1)
            stopFor("a process of the measurement ended early");
    }
    [[nodiscard]] Share share()
    {
        std::string text;
        std::array<char, 256> bytes {};
        for (ssize_t got = 0; (got = ::read(m_answer, bytes.data(), bytes.size())) > 0;)
            text.append(bytes.data(), static_cast<std::size_t>(got));
        std::istringstream words(text);
        Share found;
        if (!(words >> found.rate >> found.longestUs >> found.medianUs))
            stopFor("a process of the measurement said nothing");
        return found;
    }

private:
    pid_t m_pid = -1;
    int m_start = -1;
    int m_answer = -1;
};

Together together(const Settings &settings, const std::string &kind, const std::string &path,
    int count, double seconds)
{
    static int made = 0;
    std::vector<std::unique_ptr<Worker>> workers;
    for (int i = 0; i < count; ++i)
        workers.push_back(std::make_unique<Worker>(settings.program,
            std::vector<std::string> {"--as-process", kind, path,
                "p" + std::to_string(::getpid()) + "-" + std::to_string(++made),
                std::to_string(seconds)}));
    for (const auto &worker : workers)
        worker->waitUntilReady();
    for (const auto &worker : workers)
        worker->start();
    Together all;
    for (const auto &worker : workers) {
        const Share share = worker->share();
        const bool first = worker == workers.front();
        all.rate += share.rate;
        all.slowest = first ? share.rate : std::min(all.slowest, share.rate);
        all.fastest = std::max(all.fastest, share.rate);
        all.longestUs = std::max(all.longestUs, share.longestUs);
        if (first)
            all.medianUs = share.medianUs;
    }
    return all;
}

/// A row of values that were measured slice by slice.
Row row(const std::string &name, const std::vector<double> &reprise,
    const std::vector<double> &floor, double wanted, Row::Wanted bound, const std::string &unit)
{
    Series over;
    over.rates = reprise;
    Series under;
    under.rates = floor;
    Row made;
    made.name = name;
    made.ratio = pairedRatio(over, under);
    made.wanted = wanted;
    made.bound = bound;
    made.reprise = median(reprise);
    made.floor = median(floor);
    made.unit = unit;
    return made;
}

} // namespace

int workAsProcess(std::span<const std::string> arguments)
{
    if (arguments.size() != 4)
        return 2;
    const std::string &path = arguments[1];
    const std::string &runs = arguments[2];
    const double seconds = std::atof(arguments[3].c_str());
    std::unique_ptr<Workload> workload;
    std::unique_ptr<RawStore> raw;
    std::int64_t seq = 0;
    std::function<bool()> operation;
    if (arguments[0] == "reprise") {
        workload = std::make_unique<Workload>(path, runs);
        const FlushingScope fast(false);
        // As many as one process alone gets through, in case the others get nothing.
        constexpr double kRateMax = 2500;
        workload->stock(static_cast<std::int64_t>(kRateMax * seconds));
        operation = [&] { return workload->executeNext(); };
    } else {
        raw = std::make_unique<RawStore>(path, RawSync::Full);
        operation = [&] {
            raw->execute(runs, ++seq);
            return true;
        };
    }
    char byte = 'r';
    if (::write(STDOUT_FILENO, &byte, 1) != 1 || ::read(STDIN_FILENO, &byte, 1) != 1)
        return 1;
    Slice slice = repeat(seconds, operation);
    std::sort(slice.latenciesUs.begin(), slice.latenciesUs.end());
    const auto at = [&](std::size_t index) {
        return slice.latenciesUs.empty() ? seconds * 1e6
                                         : static_cast<double>(slice.latenciesUs[index]);
    };
    std::printf("%.3f %.3f %.3f\n", slice.rate(), at(slice.latenciesUs.size() - 1),
        at(slice.latenciesUs.size() / 2));
    return 0;
}

std::vector<Row> measureProcesses(const Settings &settings)
{
    // Long enough for one that starves to be seen.
    const double seconds = settings.effort.seconds * 2;
    const std::string path = newPath("store");
    const std::string rawPath = newPath("raw");
    {
        const Workload made(path);
        const RawStore rawMade(rawPath, RawSync::Full);
    }
    std::vector<Row> rows;
    for (const int count : {2, 4, 8}) {
        std::vector<double> rates;
        std::vector<double> rawRates;
        std::vector<double> slowest;
        std::vector<double> fastest;
        std::vector<double> rawFairness;
        std::vector<double> longest;
        std::vector<double> rawLongest;
        std::vector<double> alone;
        for (int i = 0; i < settings.effort.slices; ++i) {
            const Together one = together(settings, "reprise", path, 1, settings.effort.seconds);
            const Together ours = together(settings, "reprise", path, count, seconds);
            const Together theirs = together(settings, "raw", rawPath, count, seconds);
            alone.push_back(one.medianUs);
            rates.push_back(ours.rate);
            slowest.push_back(ours.slowest);
            fastest.push_back(ours.fastest);
            longest.push_back(ours.longestUs);
            rawRates.push_back(theirs.rate);
            rawLongest.push_back(theirs.longestUs);
            rawFairness.push_back(theirs.slowest / std::max(theirs.fastest, 1e-9));
        }
        const std::string who = std::to_string(count) + " processes: ";
        rows.push_back(
            row(who + "slowest / fastest", slowest, fastest, 0.8, Row::Wanted::AtLeast, "1/s"));
        rows.back().more = {{"floor_fairness", median(rawFairness)}};
        rows.push_back(row(who + "longest wait / median of one alone", longest, alone, 30,
            Row::Wanted::AtMost, "us"));
        rows.back().more
            = {{"longest_of_all_us", *std::max_element(longest.begin(), longest.end())},
                {"floor_longest_us", median(rawLongest)}};
        rows.push_back(row(who + "all together / SQLite's busy handler", rates, rawRates, 0.6,
            Row::Wanted::AtLeast, "1/s"));
    }
    return rows;
}

} // namespace reprise::speed

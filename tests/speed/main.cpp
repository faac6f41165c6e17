#include "core/base/json.h"
#include "tests/speed/counting_vfs.h"
#include "tests/speed/goals.h"
#include "tests/speed/workload.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace reprise::speed {
namespace {

const char *const kUsage
    = "usage: tests/bench [--quick] [--json] [--actions N] [GOAL…]\n"
      "  --quick      three slices of 0.1 s and a large store of 100,000 actions: shows that it\n"
      "               works; the figures are rough\n"
      "  --json       one JSON object a goal and line\n"
      "  --actions N  size of the large store (10,000,000; it is made once and kept)\n"
      "  GOAL         only these: ";

Json number(double value)
{
    if (!std::isfinite(value)) // nothing was done in a slice
        return {};
    char text[64];
    std::snprintf(text, sizeof text, "%.4g", value);
    // Whole numbers without an exponent: they are read by people too.
    if (value >= 1000 || value <= -1000)
        std::snprintf(text, sizeof text, "%.0f", value);
    return Json::number(text);
}

const char *boundName(Row::Wanted bound)
{
    switch (bound) {
    case Row::Wanted::AtLeast:
        return "at least";
    case Row::Wanted::AtMost:
        return "at most";
    case Row::Wanted::Nothing:
        break;
    }
    return "";
}

void put(Json &object, const Row &row)
{
    object.set("ratio", number(row.ratio.median))
        .set("floor", number(row.floor))
        .set("reprise", number(row.reprise))
        .set("unit", row.unit);
    if (row.bound != Row::Wanted::Nothing)
        object.set("wanted", Json().set(boundName(row.bound), number(row.wanted)));
    object.set("case", row.name)
        .set("ratio_low", number(row.ratio.low))
        .set("ratio_high", number(row.ratio.high));
    for (const auto &[name, value] : row.more)
        object.set(name, number(value));
}

/// The first row is the goal's own; the others follow in `cases`.
void printJson(const Goal &goal, const std::vector<Row> &rows)
{
    Json object;
    object.set("goal", goal.name);
    put(object, rows.front());
    bool met = true;
    Json cases = Json::array();
    for (const Row &row : rows) {
        met = met && row.met();
        if (&row == &rows.front())
            continue;
        Json one;
        put(one, row);
        cases.push(std::move(one));
    }
    object.set("met", met).set("memory_mb", number(memory().nowMb)).set("cases", std::move(cases));
    std::printf("%s\n", object.dump().c_str());
}

void printTable(const Goal &goal, const std::vector<Row> &rows)
{
    std::printf("%s  %s\n", goal.name, goal.what);
    for (const Row &row : rows) {
        std::printf("    %-44s %10.4g %-8s floor %10.4g   ratio %6.3g (%.3g to %.3g)",
            row.name.c_str(), row.reprise, row.unit.c_str(), row.floor, row.ratio.median,
            row.ratio.low, row.ratio.high);
        if (row.bound != Row::Wanted::Nothing)
            std::printf(
                "   %s %.3g: %s", boundName(row.bound), row.wanted, row.met() ? "met" : "NOT met");
        std::printf("\n");
        if (row.more.empty())
            continue;
        std::printf("       ");
        for (const auto &[name, value] : row.more)
            std::printf(" %s %.4g", name.c_str(), value);
        std::printf("\n");
    }
}

int usage(std::FILE *to)
{
    std::fputs(kUsage, to);
    for (const Goal &goal : goals())
        std::fprintf(to, "%s ", goal.name);
    std::fputs("\n", to);
    return to == stdout ? 0 : 2;
}

/// This program's file, found so that it can be started from any folder.
Result<std::string> ownProgram()
{
    std::error_code failure;
    const auto file = std::filesystem::read_symlink("/proc/self/exe", failure);
    if (failure)
        return fail(ErrorCode::Io, "this program's file is not known", "/proc/self/exe");
    return file.string();
}

int run(int argc, char **argv)
{
    constexpr std::int64_t kQuickActions = 100'000;
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    installCountingVfs();
    if (!arguments.empty() && arguments[0] == "--as-process")
        return workAsProcess(std::span(arguments).subspan(1));
    if (!arguments.empty() && arguments[0] == "--memory-of")
        return measureMemoryHere(std::span(arguments).subspan(1));
    Settings settings;
    settings.program = must(ownProgram());
    bool json = false;
    std::vector<std::string> chosen;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string &argument = arguments[i];
        if (argument == "--help")
            return usage(stdout);
        if (argument == "--json") {
            json = true;
        } else if (argument == "--quick") {
            settings.effort = {3, 0.1};
            settings.largeActions = kQuickActions;
        } else if (argument == "--actions" && i + 1 < arguments.size()) {
            settings.largeActions = std::strtoll(arguments[++i].c_str(), nullptr, 10);
            if (settings.largeActions < 1)
                return usage(stderr);
        } else if (std::any_of(goals().begin(), goals().end(),
                       [&](const Goal &goal) { return argument == goal.name; })) {
            chosen.push_back(argument);
        } else {
            return usage(stderr);
        }
    }
    if (inMemory(workFolder()))
        std::fprintf(stderr, "%s is in memory, where nothing is durable: set REPRISE_BENCH_DIR\n",
            workFolder().c_str());
    for (const Goal &goal : goals()) {
        if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), goal.name) == chosen.end())
            continue;
        const std::vector<Row> rows = goal.measure(settings);
        json ? printJson(goal, rows) : printTable(goal, rows);
        std::fflush(stdout);
    }
    return 0;
}

} // namespace

std::span<const Goal> goals()
{
    static const Goal all[] = {
        {"G1", "fresh execution, one caller, against two commits by hand (time)", measureExecution},
        {"G2", "flushes of an operation", measureFlushes},
        {"G3", "fresh executions by many callers", measureCallers},
        {"G4", "replays, one caller", measureReplay},
        {"G5", "replays with durable notes, many callers", measureReplayCallers},
        {"G9", "fresh executions by several processes on one store", measureProcesses},
        {"G10", "fresh execution on a large store", measureLargeStore},
        {"G11", "verification of the journal", measureVerify},
        {"G12", "import of other systems' records", measureImport},
        {"memory", "memory in a large store", measureMemory},
    };
    return all;
}

} // namespace reprise::speed

int main(int argc, char **argv)
{
    return reprise::speed::run(argc, argv);
}

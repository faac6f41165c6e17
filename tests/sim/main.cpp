#include "tests/sim/simulation.h"

#include <charconv>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <random>

using namespace reprise::sim;

namespace {

constexpr const char *kUsage
    = "simulation [--seed N] [--steps N] [--seeds N] [--strict] [--verbose]\n"
      "\n"
      "Runs executors, store, clock, owners, operators and provider in one thread, with faults, "
      "and\n"
      "checks the invariants. Exit code 1 where one does not hold; the seed is printed.\n"
      "\n"
      "  --seed N     the first seed (without it: a new one, printed)\n"
      "  --seeds N    as many seeds, one after the other (1)\n"
      "  --steps N    steps for each seed (30000)\n"
      "  --strict     faults of core that are known and not mended fail, too\n"
      "  --verbose    every step to standard error\n";

struct Arguments
{
    SimulationOptions options;
    std::uint64_t seeds = 1;
};

template <typename N> bool number(const char *text, N &out)
{
    const char *end = text + std::strlen(text);
    const auto [stopped, error] = std::from_chars(text, end, out);
    return error == std::errc() && stopped == end;
}

bool parse(int argc, char **argv, Arguments &out)
{
    out.options.seed = std::random_device {}();
    out.options.steps = 30'000;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        const bool more = i + 1 < argc;
        if (word == "--strict") {
            out.options.strict = true;
        } else if (word == "--verbose") {
            out.options.verbose = true;
        } else {
            const bool taken = more
                && ((word == "--seed" && number(argv[i + 1], out.options.seed))
                    || (word == "--seeds" && number(argv[i + 1], out.seeds))
                    || (word == "--steps" && number(argv[i + 1], out.options.steps)));
            if (!taken)
                return false;
            ++i;
        }
    }
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    Arguments arguments;
    if (!parse(argc, argv, arguments)) {
        std::cerr << kUsage;
        return 2;
    }
    Reached reached;
    std::vector<std::int64_t> known(static_cast<std::size_t>(Known::Count));
    std::int64_t steps = 0;
    for (std::uint64_t i = 0; i < arguments.seeds; ++i) {
        SimulationOptions options = arguments.options;
        options.seed += i;
        const SimulationResult result = simulate(options);
        steps += result.steps;
        reached.add(result.reached);
        for (std::size_t k = 0; k < known.size(); ++k)
            known[k] += result.known[k];
        std::cout << "seed " << options.seed << ": " << result.steps << " steps, " << result.actions
                  << " actions, " << result.calls << " calls, " << result.permits << " permits, "
                  << result.deaths << " deaths, " << result.entries << " entries, digest "
                  << std::hex << result.digest << std::dec << std::endl;
        if (!result.failure.empty()) {
            std::cout << "FAILED with --seed " << options.seed << " --steps "
                      << arguments.options.steps << ": " << result.failure;
            return 1;
        }
    }
    std::cout << "\nreached in " << steps << " steps:\n";
    for (std::size_t i = 0; i < Reached::kBranches; ++i) {
        const auto branch = static_cast<Branch>(i);
        std::cout << std::setw(9) << reached.times(branch) << "  " << name(branch) << "\n";
    }
    for (std::size_t k = 0; k < known.size(); ++k)
        if (known[k] > 0)
            std::cout << "known fault, " << known[k] << " times: " << name(static_cast<Known>(k))
                      << "\n";
    return 0;
}

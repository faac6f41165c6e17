#pragma once

#include "tests/sim/oracle.h"
#include "tests/sim/reached.h"

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::sim {

struct SimulationOptions
{
    std::uint64_t seed = 1;
    std::int64_t steps = 10'000;
    bool verbose = false; ///< every step to standard error
    bool strict = false; ///< known faults fail, too
};

/// What one simulation came to. Empty `failure`: all invariants held.
struct SimulationResult
{
    std::string failure;
    std::int64_t steps = 0;
    std::int64_t actions = 0;
    std::int64_t calls = 0;
    std::int64_t permits = 0; ///< of more than one call
    std::int64_t entries = 0; ///< of the journal
    std::int64_t deaths = 0; ///< of executors
    std::uint64_t digest = 0; ///< of everything that happened: the same seed gives the same
    Reached reached;
    std::vector<std::int64_t> known; ///< times, by `Known`
};

/// Executors, store, clock, owners, operators, planner, tool and provider in one thread, from one
/// seed. See tests/sim/README.md.
[[nodiscard]] SimulationResult simulate(const SimulationOptions &options);

} // namespace reprise::sim

#pragma once

#include "tests/speed/measure.h"

#include <cstdint>
#include <span>
#include <string>

namespace reprise::speed {

/// What the command line asked for.
struct Settings
{
    Effort effort;
    std::int64_t largeActions = 10'000'000; ///< size of the large store
    std::string program; ///< this program, to start as another process
};

/// One goal of the measurement: its name, what it asks, and how it is measured.
struct Goal
{
    const char *name;
    const char *what;
    std::vector<Row> (*measure)(const Settings &settings);
};

/// All goals, in their order.
[[nodiscard]] std::span<const Goal> goals();

std::vector<Row> measureExecution(const Settings &settings); // G1
std::vector<Row> measureFlushes(const Settings &settings); // G2
std::vector<Row> measureCallers(const Settings &settings); // G3
std::vector<Row> measureReplay(const Settings &settings); // G4
std::vector<Row> measureReplayCallers(const Settings &settings); // G5
std::vector<Row> measureProcesses(const Settings &settings); // G9
std::vector<Row> measureLargeStore(const Settings &settings); // G10
std::vector<Row> measureVerify(const Settings &settings); // G11
std::vector<Row> measureImport(const Settings &settings); // G12
std::vector<Row> measureMemory(const Settings &settings); // memory

/// The part of another process of `measureProcesses` and `measureMemory`: what it is told stands in
/// its arguments, what it found goes to standard output. Answers the exit code.
int workAsProcess(std::span<const std::string> arguments);
int measureMemoryHere(std::span<const std::string> arguments);

} // namespace reprise::speed

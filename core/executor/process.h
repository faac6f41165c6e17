#pragma once

#include "core/model/action.h"

#include <cstdint>
#include <optional>
#include <string>

namespace reprise {

/// This machine's name and the id of its current boot (empty where /proc does not tell).
[[nodiscard]] std::string hostName();
[[nodiscard]] std::string bootId();

/// Start time of a running process in clock ticks since boot (field 22 of /proc/PID/stat); nothing
/// for a process that is not there or has ended and only waits to be collected.
[[nodiscard]] std::optional<std::int64_t> processStartTicks(std::int64_t pid);

/// True while that very process lives: same id and start time, in the boot `boot`.
[[nodiscard]] bool processLives(const ProcessId &process, const std::string &boot);

} // namespace reprise

#pragma once

#include <functional>

namespace reprise::sim {

/// Whoever waits on a fiber, waits in simulated time: the program's `poll` without descriptors is
/// replaced (pause.cpp), so that an executor's pauses take no real time and others act meanwhile;
/// and so is the taking of a mutex, so that two callers of one executor can wait for each other.
/// One hook for the process; empty: pauses take no time at all.
void onPause(std::function<void(int ms)> hook);

} // namespace reprise::sim

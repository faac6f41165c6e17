#pragma once

#include "core/base/clock.h"

#include <atomic>
#include <cstdint>

namespace reprise {

/// A clock that stands still until it is told to move: time in a sandbox and in the demonstration
/// comes from the script, never from the machine. Any thread.
class SandboxClock final : public Clock
{
public:
    explicit SandboxClock(Time start)
        : m_us(start.us)
    {
    }
    [[nodiscard]] Time now() override { return Time {m_us.load()}; }
    void advance(std::int64_t us) { m_us.fetch_add(us); }

private:
    std::atomic<std::int64_t> m_us;
};

} // namespace reprise

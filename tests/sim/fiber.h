#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <ucontext.h>

namespace reprise::sim {

/// A caller that can be stopped in the middle of what it does and goes on when it is told to: one
/// thread, no races, every order of steps possible. Owned by the scheduler, which is the only one
/// that resumes; all of it on one thread.
class Fiber
{
public:
    /// `body` starts with the first `resume()`.
    explicit Fiber(std::function<void()> body);
    /// It has to have ended: what stands on its stack would not be destroyed.
    ~Fiber();
    Fiber(const Fiber &) = delete;
    Fiber &operator=(const Fiber &) = delete;

    /// Goes on until it yields or ends.
    void resume();
    /// Ends it as a killed process ends: whatever it is in the middle of throws SimulatedCrash. One
    /// that waits for a lock ends when it has it: kill it again after the one who holds it.
    void kill();
    [[nodiscard]] bool ended() const { return m_ended; }
    /// Did it end by a SimulatedCrash?
    [[nodiscard]] bool crashed() const { return m_crashed; }

    /// Back to the scheduler. Called on a fiber; throws SimulatedCrash once it was killed.
    static void yield();
    /// The same for a place that cannot throw: whoever waits for a lock that another fiber holds.
    static void letOthersGo();
    /// Throws SimulatedCrash on a fiber that was killed.
    static void throwIfKilled();
    /// Kills the fiber that runs now: throws SimulatedCrash.
    [[noreturn]] static void die();
    /// The fiber that runs now; nullptr in the scheduler.
    [[nodiscard]] static Fiber *current();

private:
    static void enter();
    void run();
    void switchBack(bool forGood);

    std::function<void()> m_body;
    std::unique_ptr<char[]> m_stack;
    ucontext_t m_context {};
    ucontext_t m_scheduler {};
    void *m_fakeStack = nullptr; ///< AddressSanitizer's, of the side that waits
    const void *m_schedulerStack = nullptr;
    std::size_t m_schedulerStackBytes = 0;
    bool m_started = false;
    bool m_ended = false;
    bool m_killed = false;
    bool m_crashed = false;
};

} // namespace reprise::sim

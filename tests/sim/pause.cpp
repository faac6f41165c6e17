#include "tests/sim/pause.h"

#include "tests/sim/fiber.h"

#include <poll.h>

#include <cerrno>
#include <ctime>
#include <pthread.h>

namespace reprise::sim {

namespace {

std::function<void(int ms)> &pauseHook()
{
    static std::function<void(int ms)> hook;
    return hook;
}

} // namespace

void onPause(std::function<void(int ms)> hook)
{
    pauseHook() = std::move(hook);
}

} // namespace reprise::sim

/// Takes the place of the C library's, which code of this program that is linked statically calls.
extern "C" int poll(struct pollfd *fds, nfds_t count, int timeoutMs)
{
    if (count == 0 && reprise::sim::Fiber::current() != nullptr) {
        if (const auto &hook = reprise::sim::pauseHook())
            hook(timeoutMs);
        return 0;
    }
    struct timespec limit
    {
        timeoutMs / 1000, (timeoutMs % 1000) * 1'000'000L
    };
    return ::ppoll(fds, count, timeoutMs < 0 ? nullptr : &limit, nullptr);
}

/// ThreadSanitizer has one of its own.
#if !defined(__SANITIZE_THREAD__)
extern "C" int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept
{
    for (;;) {
        const int code = ::pthread_mutex_trylock(mutex);
        if (code != EBUSY)
            return code;
        if (reprise::sim::Fiber::current() != nullptr) {
            reprise::sim::Fiber::letOthersGo();
            continue;
        }
        // Another thread holds it: there are none in a simulation, but there may be in a test.
        struct timespec soon
        {
            0, 100'000
        };
        ::nanosleep(&soon, nullptr);
    }
}
#endif

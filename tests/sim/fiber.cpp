#include "tests/sim/fiber.h"

#include "core/executor/executor.h"

#include <exception>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace reprise::sim {

namespace {

constexpr std::size_t kStackBytes = 1 << 20;

thread_local Fiber *currentFiber = nullptr;

/// AddressSanitizer has to be told which stack is used.
void startSwitch([[maybe_unused]] void **fakeStack, [[maybe_unused]] const void *stack,
    [[maybe_unused]] std::size_t bytes)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(fakeStack, stack, bytes);
#endif
}

void finishSwitch([[maybe_unused]] void *fakeStack, [[maybe_unused]] const void **stack,
    [[maybe_unused]] std::size_t *bytes)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fakeStack, stack, bytes);
#endif
}

} // namespace

Fiber::Fiber(std::function<void()> body)
    : m_body(std::move(body))
    , m_stack(new char[kStackBytes])
{
}

Fiber::~Fiber()
{
    if (m_started && !m_ended)
        std::terminate();
}

void Fiber::resume()
{
    if (m_ended)
        return;
    if (!m_started) {
        m_started = true;
        ::getcontext(&m_context);
        m_context.uc_stack.ss_sp = m_stack.get();
        m_context.uc_stack.ss_size = kStackBytes;
        m_context.uc_link = nullptr;
        ::makecontext(&m_context, &Fiber::enter, 0);
    }
    currentFiber = this;
    void *fakeStack = nullptr;
    startSwitch(&fakeStack, m_stack.get(), kStackBytes);
    ::swapcontext(&m_scheduler, &m_context);
    finishSwitch(fakeStack, nullptr, nullptr);
    currentFiber = nullptr;
}

void Fiber::kill()
{
    if (m_ended)
        return;
    m_killed = true;
    if (!m_started)
        m_ended = true;
    resume();
}

void Fiber::yield()
{
    currentFiber->switchBack(false);
    throwIfKilled();
}

void Fiber::letOthersGo()
{
    currentFiber->switchBack(false);
}

void Fiber::throwIfKilled()
{
    // Never out of a destructor that runs because of the same death.
    if (currentFiber != nullptr && currentFiber->m_killed && std::uncaught_exceptions() == 0)
        throw SimulatedCrash {};
}

void Fiber::die()
{
    currentFiber->m_killed = true;
    throw SimulatedCrash {};
}

Fiber *Fiber::current()
{
    return currentFiber;
}

void Fiber::enter()
{
    currentFiber->run();
}

void Fiber::run()
{
    finishSwitch(nullptr, &m_schedulerStack, &m_schedulerStackBytes);
    try {
        throwIfKilled();
        m_body();
    } catch (const SimulatedCrash &) {
        m_crashed = true;
    }
    m_ended = true;
    switchBack(true);
}

void Fiber::switchBack(bool forGood)
{
    startSwitch(forGood ? nullptr : &m_fakeStack, m_schedulerStack, m_schedulerStackBytes);
    ::swapcontext(&m_context, &m_scheduler);
    finishSwitch(m_fakeStack, &m_schedulerStack, &m_schedulerStackBytes);
}

} // namespace reprise::sim

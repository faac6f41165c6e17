#include "tests/speed/raw_group_commit.h"

#include <utility>

namespace reprise::speed {

namespace {

RawDigest keyOf(std::string_view run, std::int64_t seq)
{
    thread_local RawSha256 sha256;
    return rawKey(sha256, run, seq);
}

} // namespace

void RawGroupCommit::execute(std::string_view run, std::int64_t seq)
{
    const RawDigest key = keyOf(run, seq);
    Job claim {key, run, seq, false};
    submit(claim);
    Job outcome {key, run, seq, true};
    submit(outcome);
}

void RawGroupCommit::submit(Job &job)
{
    std::unique_lock lock(m_mutex);
    m_waiting.push_back(&job);
    if (m_led) {
        lock.unlock();
        job.state.wait(Job::Waiting);
        if (job.state == Job::Done)
            return;
        lock.lock();
    }
    m_led = true;
    const std::vector<Job *> mine = std::exchange(m_waiting, {});
    lock.unlock();
    commitAll(mine);
    lock.lock();
    Job *next = m_waiting.empty() ? nullptr : m_waiting.front();
    m_led = next != nullptr;
    lock.unlock();
    if (next != nullptr) {
        next->state = Job::Leads;
        next->state.notify_one();
    }
    for (Job *done : mine) {
        if (done == &job)
            continue;
        // The job lives on its caller's stack and may be gone once it is done: only its address is
        // used for the call that wakes.
        done->state = Job::Done;
        done->state.notify_one();
    }
}

void RawGroupCommit::commitAll(const std::vector<Job *> &jobs)
{
    m_store.begin();
    for (const Job *job : jobs) {
        if (job->isOutcome)
            m_store.record(job->key, job->seq);
        else
            m_store.claim(job->key, job->run, job->seq);
    }
    m_store.commit();
}

void RawMutexed::execute(std::string_view run, std::int64_t seq)
{
    const RawDigest key = keyOf(run, seq);
    {
        const std::lock_guard guard(m_mutex);
        m_store.begin();
        m_store.claim(key, run, seq);
        m_store.commit();
    }
    const std::lock_guard guard(m_mutex);
    m_store.begin();
    m_store.record(key, seq);
    m_store.commit();
}

} // namespace reprise::speed

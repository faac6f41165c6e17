#pragma once

#include "tests/speed/raw_store.h"

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::speed {

/// The floor for many callers: one connection and a queue. Whoever finds nobody committing takes
/// everything that waits into one transaction, and hands the lead to one that came meanwhile.
class RawGroupCommit
{
public:
    explicit RawGroupCommit(const std::string &path)
        : m_store(path, RawSync::Full)
    {
    }

    /// A fresh execution; any thread. The key must be new.
    void execute(std::string_view run, std::int64_t seq);

private:
    struct Job
    {
        const RawDigest &key;
        std::string_view run;
        std::int64_t seq;
        bool isOutcome; ///< else a claim
        enum State { Waiting, Leads, Done };
        std::atomic<int> state {Waiting};
    };

    /// Returns when the job is committed.
    void submit(Job &job);
    void commitAll(const std::vector<Job *> &jobs);

    RawStore m_store; ///< used by the leader alone
    std::mutex m_mutex; // guards everything below
    std::vector<Job *> m_waiting;
    bool m_led = false;
};

/// The usual way: one connection behind a mutex, which is free while the tool works.
class RawMutexed
{
public:
    explicit RawMutexed(const std::string &path)
        : m_store(path, RawSync::Full)
    {
    }

    void execute(std::string_view run, std::int64_t seq);

private:
    std::mutex m_mutex; // guards everything below
    RawStore m_store;
};

} // namespace reprise::speed

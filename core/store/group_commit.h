#pragma once

#include "core/store/store.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace reprise {

/// One `Store::append` on its way to the disk. What it points to is the caller's, who waits.
struct AppendRequest
{
    std::span<const Event> events;
    std::span<const Body> bodies;
    std::span<const Precondition> preconditions;
    Durability durability = Durability::Full;
    std::optional<Result<AppendReceipt>> result; ///< set by the committer
};

/// Hands the requests of many threads to one durable transaction. Leader and follower: whoever
/// finds nobody committing commits everything that waits, then wakes the others; the first of those
/// who came meanwhile leads next. A single caller pays no hand-over. Thread-safe.
class GroupCommit
{
public:
    /// `commit` writes a batch of at least one request and sets every result; it is called by one
    /// thread at a time and does not throw.
    explicit GroupCommit(std::function<void(std::span<AppendRequest *const>)> commit)
        : m_commit(std::move(commit))
    {
    }

    /// Returns when the request's result is set.
    void submit(AppendRequest &request);

    /// Requests of one transaction: a bound for its time and memory, far above what callers of one
    /// process reach.
    static constexpr std::size_t kBatchMax = 256;

private:
    struct Waiting
    {
        AppendRequest *request = nullptr;
        std::condition_variable wake;
        bool leads = false;
    };

    std::function<void(std::span<AppendRequest *const>)> m_commit;
    std::mutex m_mutex; // guards everything below
    std::vector<Waiting *> m_queue; ///< in the order they came
    bool m_committing = false;
};

} // namespace reprise

#include "core/store/group_commit.h"

#include <algorithm>

namespace reprise {

void GroupCommit::submit(AppendRequest &request)
{
    Waiting self;
    self.request = &request;
    std::unique_lock lock(m_mutex);
    m_queue.push_back(&self);
    if (m_committing)
        self.wake.wait(lock, [&] { return self.leads || request.result.has_value(); });
    if (request.result)
        return;
    m_committing = true;
    const auto count = static_cast<std::ptrdiff_t>(std::min(m_queue.size(), kBatchMax));
    const std::vector<Waiting *> batch(m_queue.begin(), m_queue.begin() + count);
    m_queue.erase(m_queue.begin(), m_queue.begin() + count);
    std::vector<AppendRequest *> requests;
    requests.reserve(batch.size());
    for (const Waiting *waiting : batch)
        requests.push_back(waiting->request);
    lock.unlock();
    m_commit(requests);
    lock.lock();
    m_committing = false;
    // Woken under the lock: a follower's `Waiting` is gone as soon as it may run.
    for (Waiting *waiting : batch)
        if (waiting != &self)
            waiting->wake.notify_one();
    if (!m_queue.empty()) {
        m_committing = true;
        m_queue.front()->leads = true;
        m_queue.front()->wake.notify_one();
    }
}

} // namespace reprise

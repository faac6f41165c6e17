#pragma once

#include "core/store/store.h"

#include <functional>

namespace reprise::test {

/// A store whose writes fail as told. Everything else goes to the store behind it.
class FaultyStore final : public Store
{
public:
    /// When a write fails: before anything of it is there, or after all of it is (an I/O error at
    /// COMMIT says neither).
    enum class Fault { None, Before, After };

    explicit FaultyStore(Store &behind)
        : m_behind(behind)
    {
    }

    /// Asked once for every append. Not set: no faults.
    std::function<Fault(std::span<const Event>)> fault;
    ErrorCode code = ErrorCode::Io;
    /// Called after every append that was written: what others do right then.
    std::function<void(std::span<const Event>)> afterwards;

    [[nodiscard]] StoreInfo info() override { return m_behind.info(); }
    Result<AppendReceipt> append(std::span<const Event> events, std::span<const Body> bodies,
        std::span<const Precondition> preconditions, Durability durability) override
    {
        const Fault now = fault ? fault(events) : Fault::None;
        if (now == Fault::Before)
            return fail(code, "made to fail before the commit");
        auto written = m_behind.append(events, bodies, preconditions, durability);
        if (written && afterwards)
            afterwards(events);
        if (now == Fault::After && written)
            return fail(code, "made to fail after the commit");
        return written;
    }
    [[nodiscard]] Result<std::optional<ActionRecord>> find(const Key &key) override
    {
        return m_behind.find(key);
    }
    [[nodiscard]] Result<std::int64_t> stateEntryOf(const Key &key) override
    {
        return m_behind.stateEntryOf(key);
    }
    [[nodiscard]] Result<Time> latestTime() override { return m_behind.latestTime(); }
    [[nodiscard]] Result<std::optional<RunRecord>> findRun(const RunId &run) override
    {
        return m_behind.findRun(run);
    }
    [[nodiscard]] Result<std::optional<Digest>> planContent(
        const RunId &run, std::int64_t revision) override
    {
        return m_behind.planContent(run, revision);
    }
    [[nodiscard]] Result<std::vector<std::int64_t>> seqsOf(
        const RunId &run, std::int64_t revision) override
    {
        return m_behind.seqsOf(run, revision);
    }
    [[nodiscard]] Result<std::optional<std::string>> body(const Digest &digest) override
    {
        return m_behind.body(digest);
    }
    [[nodiscard]] std::string ownersFolder() const override { return m_behind.ownersFolder(); }

private:
    Store &m_behind;
};

} // namespace reprise::test

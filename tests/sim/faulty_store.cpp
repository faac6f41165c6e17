#include "tests/sim/faulty_store.h"

#include "tests/sim/fiber.h"

#include <array>

namespace reprise::sim {

namespace {

constexpr std::array kWriteErrors {
    ErrorCode::StoreBusy, ErrorCode::StoreFull, ErrorCode::StoreReadOnly, ErrorCode::Io};

template <typename E> bool holds(std::span<const Event> events)
{
    return events.size() == 1 && std::holds_alternative<E>(events[0].body);
}

} // namespace

bool FaultyStore::chance(std::uint64_t thousandths)
{
    return m_faults && m_around.random.below(1000) < thousandths;
}

tl::unexpected<Error> FaultyStore::fault(ErrorCode code, bool writing)
{
    Actor &actor = m_around.actor();
    if (actor.request) {
        actor.request->storeFailed = true;
        actor.request->writeFailed = actor.request->writeFailed || writing;
    }
    m_around.oracle.log(actor.name + ": a store fault");
    return fail(code, "simulated trouble", "the store");
}

void FaultyStore::sortsOfFailure(std::span<const Event> events, ErrorCode code, bool onDisk)
{
    const bool conflict = code == ErrorCode::Conflict;
    Reached &reached = m_around.reached;
    if (holds<Claimed>(events))
        reached(conflict ? Branch::ClaimLostRace
                : onDisk ? Branch::ClaimFailedButCommitted
                         : Branch::ClaimFailed);
    else if (holds<OutcomeRecorded>(events) && !conflict)
        reached(onDisk ? Branch::OutcomeFailedButCommitted : Branch::OutcomeWriteFailed);
    else if (holds<DoubtRaised>(events) && conflict)
        reached(Branch::DoubtLostRace);
    else if (holds<Settled>(events) && conflict && std::get<Settled>(events[0].body).byProbe)
        reached(Branch::ProbeLostRace);
}

Result<AppendReceipt> FaultyStore::append(std::span<const Event> events,
    std::span<const Body> bodies, std::span<const Precondition> preconditions,
    Durability durability)
{
    Fiber::throwIfKilled();
    m_around.others();
    if (chance(4))
        m_around.die(Branch::CrashBeforeCommit);
    // The writes that matter most fail most.
    const bool matters = holds<Claimed>(events) || holds<OutcomeRecorded>(events);
    if (m_troubleWrites == 0 && chance(matters ? 30 : 4)) {
        m_trouble = kWriteErrors[m_around.random.below(kWriteErrors.size())];
        m_troubleWrites = 1 + static_cast<std::int64_t>(m_around.random.below(30));
    }
    if (m_faults && m_troubleWrites > 0) {
        --m_troubleWrites;
        sortsOfFailure(events, m_trouble, false);
        return fault(m_trouble, true);
    }
    if (chance(matters ? 40 : 10)) {
        const ErrorCode code = kWriteErrors[m_around.random.below(kWriteErrors.size())];
        sortsOfFailure(events, code, false);
        return fault(code, true);
    }
    auto written = m_inner->append(events, bodies, preconditions, durability);
    if (!written) {
        sortsOfFailure(events, written.error().code, false);
        return written;
    }
    Actor &actor = m_around.actor();
    if (holds<OutcomeRecorded>(events) && actor.request && actor.request->writeFailed
        && !actor.request->calls.empty())
        m_around.reached(Branch::OutcomeWriteRetried);
    m_around.oracle.committed(actor, events, bodies, *written);
    for (const Event &event : events)
        if (const auto key = event.key())
            m_around.oracle.compare(*m_inner, *key, std::holds_alternative<Claimed>(event.body));
    if (chance(4))
        m_around.die(Branch::CrashAfterCommit);
    // An I/O error at COMMIT: what was written is on disk, and nobody says so.
    if (chance(matters ? 40 : 10)) {
        sortsOfFailure(events, ErrorCode::Io, true);
        return fault(ErrorCode::Io, true);
    }
    m_around.others();
    return written;
}

Result<void> FaultyStore::beforeRead()
{
    Fiber::throwIfKilled();
    m_around.others();
    if (chance(3)) {
        m_around.reached(Branch::ReadFailed);
        return fault(m_around.random.below(2) == 0 ? ErrorCode::Io : ErrorCode::StoreBusy, false);
    }
    return {};
}

Result<std::optional<ActionRecord>> FaultyStore::find(const Key &key)
{
    RETURN_IF_ERROR(beforeRead());
    m_around.oracle.looked(m_around.actor(), key);
    return m_inner->find(key);
}

Result<std::int64_t> FaultyStore::stateEntryOf(const Key &key)
{
    RETURN_IF_ERROR(beforeRead());
    return m_inner->stateEntryOf(key);
}

Result<Time> FaultyStore::latestTime()
{
    RETURN_IF_ERROR(beforeRead());
    return m_inner->latestTime();
}

Result<std::optional<RunRecord>> FaultyStore::findRun(const RunId &run)
{
    RETURN_IF_ERROR(beforeRead());
    return m_inner->findRun(run);
}

Result<std::optional<Digest>> FaultyStore::planContent(const RunId &run, std::int64_t revision)
{
    RETURN_IF_ERROR(beforeRead());
    return m_inner->planContent(run, revision);
}

Result<std::vector<std::int64_t>> FaultyStore::seqsOf(const RunId &run, std::int64_t revision)
{
    RETURN_IF_ERROR(beforeRead());
    return m_inner->seqsOf(run, revision);
}

Result<std::optional<std::string>> FaultyStore::body(const Digest &digest)
{
    RETURN_IF_ERROR(beforeRead());
    return m_inner->body(digest);
}

} // namespace reprise::sim

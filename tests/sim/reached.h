#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reprise::sim {

/// What is rare, and has to be reached by the short run: a branch that no seed reaches is a
/// finding.
enum class Branch {
    Executed,
    Replayed,
    ReplayedWithoutNote,
    Busy,
    ConflictOfArgs,
    ConflictOfTool,
    PlannedByExecute,
    NotSentBeforeClaim,
    NotSentByTool,
    Declined,
    TruncatedResult,
    RefusedInput,
    RefusedUnplanned,
    RefusedClosedRun,
    RefusedOrder,
    RefusedByStore,
    ReadFailed,
    ClaimLostRace,
    ClaimFailed,
    ClaimFailedButCommitted,
    ClaimReleased,
    OutcomeWriteFailed,
    OutcomeWriteRetried,
    OutcomeFailedButCommitted,
    ExecutedUnrecorded,
    LateOutcomeEndedDoubt,
    LateReport,
    Contradiction,
    ForwardedAgain,
    ForwardingWindowClosed,
    ForwardingCapReached,
    ForwardedAfterRestart,
    ProbeApplied,
    ProbeNotApplied,
    ProbeNotKnown,
    ProbeLostRace,
    CalledAgainAfterProbe,
    RepeatedTool,
    OperatorLanded,
    OperatorLandedByReference,
    OperatorRetry,
    OperatorFailed,
    OperatorLostRace,
    OperatorRaisedDoubt,
    OperatorHeldByTool,
    CalledAgainByOperator,
    DoubtRaised,
    DoubtLostRace,
    CrashBeforeClaim,
    CrashAfterClaim,
    CrashInCall,
    CrashAfterCall,
    CrashAfterRecord,
    CrashBeforeCommit,
    CrashAfterCommit,
    CrashInRetry,
    OwnerDeadLockFree,
    OwnerDeadNoLock,
    DeclaredDeadWhileAlive,
    ZombieCommitted,
    CallHeldBack,
    ClockBack,
    ClockForward,
    ClockAtWindowEnd,
    ToolOutlivedOwner,
    ToolHeldSecondCall,
    LateEffect,
    SameKeyHonoured,
    PlanHandedInAgain,
    PlanChanged,
    PlanLostRace,
    RunClosed,
    ActionCancelled,
    Count,
};

[[nodiscard]] std::string_view name(Branch branch);

/// How often each branch was reached.
class Reached
{
public:
    void operator()(Branch branch) { ++m_counts[static_cast<std::size_t>(branch)]; }
    [[nodiscard]] std::int64_t times(Branch branch) const
    {
        return m_counts[static_cast<std::size_t>(branch)];
    }
    void add(const Reached &other)
    {
        for (std::size_t i = 0; i < m_counts.size(); ++i)
            m_counts[i] += other.m_counts[i];
    }

    static constexpr std::size_t kBranches = static_cast<std::size_t>(Branch::Count);

private:
    std::array<std::int64_t, kBranches> m_counts {};
};

} // namespace reprise::sim

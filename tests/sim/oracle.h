#pragma once

#include "core/executor/executor.h"
#include "core/executor/settlement.h"
#include "tests/sim/provider.h"
#include "tests/sim/reached.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reprise::sim {

/// One claim and what became of it.
struct Call
{
    std::int64_t epoch = 0;
    std::string actor; ///< who claimed
    std::string owner;
    bool ran = false;
    bool fromDoubt = false; ///< claimed while an earlier call might have landed
    bool released = false; ///< the claim was given back unused: it must never run
    std::optional<ToolAnswer> answer;
    bool recorded = false; ///< as an outcome or as a late report
    bool excused = false; ///< its owner died, or its store failed, before it was recorded
};

/// What is true of one key, kept without looking into the store.
struct Model
{
    std::string runId;
    std::int64_t seq = 0;
    std::string tool;
    Digest contract;
    Digest fingerprint;
    Digest args;
    std::int64_t amount = -1; ///< what its args mean
    ActionState state = ActionState::Planned;
    std::int64_t stateEntry = 0;
    std::int64_t moves = 0; ///< counts changes of state
    std::string lastMoveBy;
    bool raisedLast = false; ///< the last change of state was a doubt raised
    std::vector<Call> calls; ///< one for each claim
    std::optional<Permit> permit;
    std::optional<Time> firstDispatch;
    bool openDoubt = false; ///< an earlier call may have landed, and nobody vouched that it did not
    std::optional<std::int64_t> toolRuns; ///< epoch of a call whose tool's process lives
    std::optional<std::string> body; ///< of the final result
    std::int64_t plannedAt = 0; ///< oracle's time
    std::int64_t finalAt = -1; ///< oracle's time
};

/// What one request led to so far.
struct Request
{
    Key key;
    std::string runId;
    std::optional<std::string> tool;
    std::optional<std::int64_t> amount;
    bool badInput = false;
    bool inNoPlan = false;
    bool otherVersion = false; ///< the executor's contract of the tool is not the bound one
    std::int64_t startedAt = 0; ///< oracle's time
    std::vector<std::size_t> calls; ///< of the model of `key`
    bool storeFailed = false;
    bool writeFailed = false;
    bool prepareFailed = false;
    bool claimed = false;
    bool released = false; ///< a claim was given back without a call
    std::optional<ProbeResult> probe;
    Time newestAt; ///< the latest time in the journal when the action was looked at last
};

/// An operator's decision on what was seen.
struct Asked
{
    SettleRequest request;
    std::int64_t movesSeen = 0;
    std::size_t callsSeen = 0;
    bool inFlightSeen = false;
};

/// One caller of an executor, an operator or a planner.
struct Actor
{
    std::string name;
    std::string owner; ///< of a caller: its executor's identity
    const ToolSet *tools = nullptr;
    std::optional<Request> request;
    std::optional<Asked> asked;
};

/// Faults of core that are known and not mended yet; everything else fails the simulation.
enum class Known {
    WindowOpenedAgain,
    DeclineOfOtherBytes,
    Count,
};

/// The reference model: permits granted, calls made, results, per key, from what passes between
/// executor, store, tool and caller. It knows the rules of the design and none of the store's code.
class Oracle
{
public:
    Oracle(Reached &reached, Provider &provider)
        : m_reached(reached)
        , m_provider(provider)
    {
    }

    /// A write that is on disk.
    void committed(Actor &actor, std::span<const Event> events, std::span<const Body> bodies,
        const AppendReceipt &receipt);
    /// An executor looks at a key now.
    void looked(Actor &actor, const Key &key);
    /// The tool is about to be called; answers which of the model's calls this is.
    std::size_t called(Actor &actor, const ToolCall &call);
    void returned(Actor &actor, const Key &key, std::size_t call, const ToolAnswer &answer);
    void answered(Actor &actor, const ExecuteReport &report);
    void ownerDied(const std::string &owner);
    void ownerLives(const std::string &owner) { m_diedAt[owner] = -1; }
    [[nodiscard]] bool isAlive(const std::string &owner) const;
    /// The store's view of a key, read without faults.
    /// `claimed`: right after its claim.
    void compare(Store &store, const Key &key, bool claimed = false);
    /// Every outcome that was returned is somewhere.
    void checkOutcomesKept();

    [[nodiscard]] Model *find(const Key &key);
    [[nodiscard]] const std::vector<Key> &keys() const { return m_keys; }
    [[nodiscard]] const std::vector<Key> &keysOf(const std::string &runId)
    {
        return m_ofRun[runId];
    }
    [[nodiscard]] bool isClosed(const std::string &runId) const { return m_closed.contains(runId); }
    [[nodiscard]] bool isOrdered(const std::string &runId) const;
    /// Of those that were planned before `before`.
    [[nodiscard]] bool lowerSeqsAreFinal(const Model &model, std::int64_t before = INT64_MAX);
    /// The latest time of any entry so far.
    [[nodiscard]] Time newestAt() const { return m_newestAt; }
    [[nodiscard]] std::int64_t now() const { return m_now; }
    [[nodiscard]] std::int64_t calls() const { return m_calls; }
    [[nodiscard]] std::int64_t permits() const { return m_permits; }
    /// (kind, key) of everything committed, in order, for comparison with the journal.
    [[nodiscard]] const std::vector<std::pair<std::string, std::optional<Key>>> &journal() const
    {
        return m_journal;
    }

    void wrong(const std::string &what);
    void known(Known fault, const std::string &what);
    void log(const std::string &line);
    [[nodiscard]] const std::string &failure() const { return m_failure; }
    [[nodiscard]] std::int64_t timesKnown(Known fault) const;
    [[nodiscard]] std::uint64_t digest() const { return m_digest; }
    /// Writes every line of the log as it comes; for looking at one seed.
    bool verbose = false;
    /// Fails on known faults, too.
    bool strict = false;

private:
    void apply(Actor &actor, const Event &event, std::int64_t entry);
    void claimed(Actor &actor, const Claimed &event, Time at);
    void outcome(Actor &actor, const OutcomeRecorded &event);
    void settled(Actor &actor, const Settled &event);
    void reportedLate(Actor &actor, const ReportedLate &event);
    void move(Model &model, Actor &actor, ActionState state);
    void finish(Model &model, const std::optional<RecordedResult> &result);
    void checkForwarding(
        const Actor &actor, const Model &model, const std::string &sentKey, Time at);
    [[nodiscard]] const ToolContract *contractOf(const Model &model) const;
    [[nodiscard]] Call *callOf(Model &model, std::int64_t epoch);
    /// Something is known from this call that the store has to keep and has not kept.
    [[nodiscard]] bool isOwed(const Model &model, const Call &call) const;
    [[nodiscard]] static std::string place(const Model &model);
    /// Does the request mean another action than the one that was planned?
    [[nodiscard]] static bool differs(const Request &request, const Model *model);

    Reached &m_reached;
    Provider &m_provider;
    std::map<Key, Model> m_models;
    std::vector<Key> m_keys;
    std::map<std::string, bool> m_ordered; ///< by run
    std::map<std::string, std::int64_t> m_closed; ///< run, oracle's time
    std::map<std::string, std::vector<Key>> m_ofRun;
    std::map<std::string, std::int64_t> m_diedAt; ///< by owner; -1: alive
    std::map<Digest, std::string> m_bodies;
    std::map<Digest, ToolContract> m_contracts;
    std::vector<std::pair<std::string, std::optional<Key>>> m_journal;
    std::deque<std::string> m_log;
    std::string m_failure;
    std::array<std::int64_t, static_cast<std::size_t>(Known::Count)> m_known {};
    Time m_newestAt;
    std::int64_t m_now = 0;
    std::int64_t m_calls = 0;
    std::int64_t m_permits = 0;
    std::int64_t m_entry = 0;
    std::uint64_t m_digest = 14'695'981'039'346'656'037U;
};

[[nodiscard]] std::string_view name(Known fault);

/// The key of the design, derived on its own.
[[nodiscard]] Key keyOf(const std::string &runId, std::int64_t seq);

} // namespace reprise::sim

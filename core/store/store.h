#pragma once

#include "core/base/result.h"
#include "core/journal/event.h"
#include "core/model/action.h"
#include "core/model/contract.h"
#include "core/model/ids.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reprise {

/// Identity and head of a store.
struct StoreInfo
{
    std::string storeId;
    StoreKind kind = StoreKind::Live;
    int schemaVersion = 0;
    Time createdAt;
    std::int64_t entries
        = 0; ///< number of the newest journal entry; entries count from 1 without gaps
    Digest head; ///< hash of the newest entry
};

/// The claim that an in-flight action is under, or was under last.
struct ClaimState
{
    std::int64_t attempt = 0;
    std::int64_t epoch = 0;
    Owner owner;
    std::optional<ProcessId> toolProcess;
    std::string sentKey;
    Time at;
    std::optional<OutcomeClass> outcome; ///< how its call ended, as far as that is recorded
};

/// What a store knows of an action now.
struct ActionRecord
{
    std::string runId;
    std::int64_t seq = 0;
    Key key;
    std::string tool;
    std::string environment;
    std::string account;
    bool dryRun = false;
    bool imported = false;
    bool runClosed = false;
    bool runOrdered = false; ///< every lower seq has to be final first
    ToolContract contract; ///< bound when the action was planned
    Digest fingerprint;
    Digest args;
    ActionState state = ActionState::Planned;
    std::string reason; ///< why it is in doubt, not sent, failed
    /// Number and hash of the journal entry that put the action into its state. Decisions are made
    /// on what was seen: they name this hash and are refused once it has changed (compare-and-set).
    std::int64_t stateEntry = 0;
    Digest stateHash;
    std::int64_t attempts = 0; ///< of every kind; the next attempt is this plus one
    std::int64_t calls = 0; ///< authorised tool calls so far
    std::optional<Permit> nextPermit; ///< a recorded permit for one more call
    std::optional<ClaimState> claim;
    std::optional<Time> firstDispatchedAt;
    std::optional<RecordedResult> result;
    std::string recordedBy; ///< owner id, operator or probe that recorded the result
};

struct RunRecord
{
    std::string runId;
    std::int64_t revision = 0;
    std::int64_t seqMax = -1; ///< the largest seq ever used; -1: none
    std::string label;
    bool ordered = false;
    std::string environment;
    std::string account;
    bool dryRun = false;
    bool imported = false;
    bool closed = false;
};

/// A write is refused (ErrorCode::Conflict) unless the action is still in the state that was seen.
struct Precondition
{
    Key key;
    std::int64_t stateEntry = 0; ///< ActionRecord::stateEntry; 0: the key must be unknown
    /// ActionRecord::attempts, where the event carries the next attempt's number; notes of others
    /// move it without moving the state.
    std::optional<std::int64_t> attempts = {};
    bool runOpen = false; ///< the run must not be closed
};

/// Numbers of the journal entries that one write made.
struct AppendReceipt
{
    std::int64_t firstEntry = 0;
    std::int64_t lastEntry = 0;
};

/// Bytes that the events of the same write refer to by digest.
struct Body
{
    Digest digest;
    std::string bytes;
};

/// The bytes of a body as they were read, if they are the recorded ones; StoreDamaged otherwise. A
/// body is never handed on without this: what is replayed is what was recorded, byte for byte.
[[nodiscard]] Result<std::optional<std::string>> intactBody(
    std::string bytes, const Digest &digest);

/// What a power cut may take of an append. A kill takes nothing of either.
enum class Durability {
    Full, ///< nothing: the call returns after the commit reached the disk
    /// The newest entries that no Full append followed, always a tail of the journal. For notes
    /// that authorise nothing, such as a replay; claims and outcomes are Full.
    Lazy,
};

/// The recorded-action store: an append-only journal of events and the state that follows from it.
/// A store is used by one executor in one process, from any thread; several processes may open the
/// same file. Every call is one transaction: after an error nothing of it is there. Errors are of
/// the Store* classes, Conflict for a failed precondition, and Internal.
class Store
{
public:
    virtual ~Store() = default;

    [[nodiscard]] virtual StoreInfo info() = 0;
    /// Appends all events, in order, in one transaction, and updates the state they imply. Calls of
    /// several threads may share a transaction; each still succeeds or fails by itself.
    virtual Result<AppendReceipt> append(std::span<const Event> events,
        std::span<const Body> bodies, std::span<const Precondition> preconditions,
        Durability durability = Durability::Full)
        = 0;
    [[nodiscard]] virtual Result<std::optional<ActionRecord>> find(const Key &key) = 0;
    /// ActionRecord::stateEntry alone, for a last look before a call; 0 for an unknown key.
    [[nodiscard]] virtual Result<std::int64_t> stateEntryOf(const Key &key) = 0;
    /// The latest time that is recorded: a clock that shows less went back. Reads every run's
    /// summary; for rare questions.
    [[nodiscard]] virtual Result<Time> latestTime() = 0;
    [[nodiscard]] virtual Result<std::optional<RunRecord>> findRun(const RunId &run) = 0;
    /// The digest of the content of a plan revision, if it was handed in.
    [[nodiscard]] virtual Result<std::optional<Digest>> planContent(
        const RunId &run, std::int64_t revision)
        = 0;
    /// Seqs of a run that `revision` added, ascending; all of the run where revision is 0.
    [[nodiscard]] virtual Result<std::vector<std::int64_t>> seqsOf(
        const RunId &run, std::int64_t revision)
        = 0;
    /// Bytes of a body; nothing where it was pruned; NotFound where it never was.
    [[nodiscard]] virtual Result<std::optional<std::string>> body(const Digest &digest) = 0;
    /// Where owners of this store keep their lock files; empty for a store that has no owners.
    [[nodiscard]] virtual std::string ownersFolder() const = 0;
};

} // namespace reprise

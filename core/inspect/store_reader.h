#pragma once

#include "core/base/result.h"
#include "core/journal/event.h"
#include "core/model/action.h"
#include "core/store/evidence.h"
#include "core/store/store.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Read-only questions about a store, for the inspector, the reports and the reading commands.
namespace reprise {

class SqliteDatabase;

/// One row of the Runs table (inspector.md), from the run summary that the store keeps.
struct RunRow
{
    std::int64_t id = 0; ///< row number in the store
    RunRecord run;
    std::string source; ///< of an imported run: format and file
    std::int64_t actions = 0;
    std::int64_t executed = 0; ///< attempts that called the tool, the first of each key
    std::int64_t replayed = 0;
    std::int64_t executedAgain = 0;
    std::int64_t inDoubt = 0; ///< actions in doubt now, or in flight under an owner that died
    std::int64_t inFlight = 0; ///< actions in flight under an owner that lives
    std::int64_t conflicts = 0;
    std::int64_t failed = 0;
    std::optional<Time> firstAt; ///< of the first attempt; absent where the source has no times
    std::optional<Time> lastAt;
};

/// One row of a run's Seqs table.
struct ActionRow
{
    std::int64_t id = 0; ///< row number in the store: fixed tiebreak
    std::string runId;
    std::int64_t seq = 0;
    Key key;
    bool keyDerivedAtImport = false;
    std::string tool;
    bool sideEffect = true;
    ActionState state = ActionState::Planned;
    std::string reason;
    Digest fingerprint;
    Digest args;
    Business business;
    std::int64_t attempts = 0;
    std::int64_t executed = 0;
    std::int64_t executedAgain = 0;
    std::int64_t replayed = 0;
    std::int64_t conflicts = 0;
    std::string reference; ///< the provider's reference in the recorded result
    std::optional<Time> firstAt; ///< first dispatch
    std::optional<Time> outcomeAt;
};

/// One attempt under an action.
struct AttemptRow
{
    std::int64_t n = 0;
    AttemptKind kind = AttemptKind::Executed;
    std::optional<OutcomeClass> outcome; ///< of a call; absent while it is in flight
    std::optional<Time> startedAt;
    std::optional<Time> endedAt;
    std::string
        owner; ///< host:pid of the executor, or the operator's name; empty when not recorded
    std::string sentKey;
    std::optional<RecordedResult> result; ///< what this attempt was answered with
    std::optional<Digest> args; ///< of a conflict: the args that were refused
    std::string reason;
    std::string note;
    std::string locator; ///< of an imported attempt: where its record stands in the source
    std::optional<Digest> toolLog;
    bool original = false; ///< this attempt's result is the recorded one
    /// For a replayed or repeated answer: are its bytes those of the recorded result?
    std::optional<bool> sameAsOriginal;
};

/// Everything about one action; bodies are fetched separately by digest.
struct ActionDetail
{
    ActionRow row;
    std::string environment;
    std::string account;
    bool dryRun = false;
    bool imported = false;
    ToolContract contract;
    Digest stateHash;
    std::int64_t calls = 0; ///< authorised tool calls
    std::optional<ClaimState> claim;
    std::optional<bool> ownerAlive; ///< for an action in flight: is its owner's lock held now?
    std::optional<RecordedResult> result;
    std::string recordedBy;
    std::optional<Digest> acceptance; ///< body: {"accepted":true,"checks":[{"name","ok","what"}]}
    std::vector<AttemptRow> attempts;
};

/// A side effect that happened or may have happened: one call of a side-effecting tool. What the
/// rules for suspected double charges work on. Replays, conflicts and definite failures are none.
struct Effect
{
    std::int64_t actionId = 0;
    std::string runId;
    std::int64_t seq = 0;
    Key key;
    bool keyDerivedAtImport = false;
    std::string tool;
    Digest fingerprint;
    std::int64_t attempt = 0;
    AttemptKind kind = AttemptKind::Executed;
    bool inDoubt = false; ///< outcome not known: it may have happened
    /// Why the executor was allowed to make this call; absent for imported calls.
    std::optional<Permit> permit;
    Business business;
    std::string reference;
    std::optional<Time> startedAt;
    std::optional<Time> endedAt;
    std::int64_t timeoutMs = 0; ///< of the tool's contract
    std::string locator;
    /// The state of the action as it stands now: doubt that was settled as "did not land" is no
    /// effect and is left out; settled as landed it is one.
    ActionState actionState = ActionState::Succeeded;
};

struct JournalRow
{
    std::int64_t entry = 0;
    Time at;
    std::string kind;
    std::string payload;
    Digest hash;
};

enum class RunSort { Started, RunId, Actions, InDoubt, Executed, Replayed, Again, Conflicts };

[[nodiscard]] std::optional<RunSort> runSortFrom(std::string_view name);

/// Which runs, in which order. Paged by key, never by offset.
struct RunQuery
{
    /// Words that all have to match, separated by blanks. `state:in_doubt`, `state:again`,
    /// `state:conflict`, `state:failed`, `tool:NAME`, `run:TEXT`, `key:HEX-PREFIX`, `payee:X`,
    /// `order:X`, `cur:EUR`, `after:DATE`, `before:DATE`; a bare word is looked for in run id and
    /// label. A value with blanks stands between double quotes: `payee:"Finca El Roble"`.
    std::string filter;
    RunSort sort = RunSort::Started;
    bool descending = true;
    std::int64_t limit = 100; ///< 1 to 10,000
    std::string after; ///< cursor of the page before; empty for the first
};

struct RunPage
{
    std::vector<RunRow> rows;
    std::string next; ///< cursor of the next page; empty at the end
};

struct RunTotals
{
    std::int64_t runs = 0; ///< that match the filter
    std::int64_t runsInStore = 0;
    std::int64_t actions = 0;
    std::int64_t executed = 0;
    std::int64_t replayed = 0;
    std::int64_t executedAgain = 0;
    std::int64_t inDoubt = 0; ///< as in RunRow
    std::int64_t inFlight = 0;
    std::int64_t conflicts = 0;
};

/// A store opened without writing: no byte, time stamp or neighbour file changes. A store at rest
/// is read in place as immutable; one with a log that no process has open is read through a private
/// copy of the log; one that is in use is read as a second reader. Never holds a read transaction
/// between calls. One thread at a time; open one per thread. Long calls stop soon after
/// `interrupt()` from another thread and answer ErrorCode::Cancelled.
class StoreReader
{
public:
    [[nodiscard]] static Result<std::unique_ptr<StoreReader>> open(const std::string &path);
    virtual ~StoreReader() = default;

    [[nodiscard]] virtual const std::string &path() const = 0;
    [[nodiscard]] virtual Result<StoreInfo> info() = 0;
    /// "immutable", "private copy of the log" or "live": how the evidence is being read.
    [[nodiscard]] virtual std::string access() const = 0;
    /// Has the store or its log been written since it was opened? Then what is shown is a snapshot
    /// that may no longer fit the file (for a live store: more can be read now). Open it again to
    /// go on.
    [[nodiscard]] virtual Result<bool> changedOnDisk() = 0;

    [[nodiscard]] virtual Result<RunPage> runs(const RunQuery &query) = 0;
    [[nodiscard]] virtual Result<RunTotals> totals(const std::string &filter) = 0;
    [[nodiscard]] virtual Result<std::optional<RunRow>> run(const RunId &run) = 0;
    /// Actions of a run, seq ascending. `afterSeq` -1 for the first page.
    [[nodiscard]] virtual Result<std::vector<ActionRow>> actions(
        const RunId &run, std::int64_t afterSeq, std::int64_t limit)
        = 0;
    /// Actions now in doubt or in flight, oldest first.
    [[nodiscard]] virtual Result<std::vector<ActionRow>> actionsInDoubt(std::int64_t limit) = 0;
    [[nodiscard]] virtual Result<std::optional<ActionDetail>> action(const Key &key) = 0;
    /// The key of a run's seq, if the store has that action.
    [[nodiscard]] virtual Result<std::optional<Key>> keyOf(const RunId &run, Seq seq) = 0;
    /// Keys whose hex form starts with `prefix` (lower case), at most `limit`.
    [[nodiscard]] virtual Result<std::vector<Key>> keysLike(
        const std::string &prefix, std::int64_t limit)
        = 0;
    /// Bytes of a body; nothing where it was pruned.
    [[nodiscard]] virtual Result<std::optional<std::string>> body(const Digest &digest) = 0;
    /// All effects in a fixed order (run, seq, attempt); the callback returns false to stop.
    virtual Result<void> forEachEffect(const std::function<bool(const Effect &)> &use) = 0;
    /// Journal entries above `afterEntry`, ascending.
    [[nodiscard]] virtual Result<std::vector<JournalRow>> journal(
        std::int64_t afterEntry, std::int64_t limit)
        = 0;

    /// The connection itself, for verification (core/journal/verify.cpp); nullptr where there is
    /// none.
    [[nodiscard]] virtual SqliteDatabase *database() { return nullptr; }

    /// Safe from any thread.
    virtual void interrupt() = 0;
};

} // namespace reprise

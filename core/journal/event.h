#pragma once

#include "core/base/bytes.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/model/action.h"
#include "core/model/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

/// What can happen in a store. State is a pure function of these events in their order: every row
/// that is not a body is written by core/store/projector.cpp from an event, and from nothing else.
///
/// An event's journal form is {kind, key or null, time, payload}; the payload is the canonical JSON
/// of the fields below. New fields may be added; the meaning of an existing one never changes.
namespace reprise {

enum class StoreKind { Live, Sandbox };

/// The first entry of every store.
struct StoreCreated
{
    std::string storeId; ///< 32 hex digits
    StoreKind kind = StoreKind::Live;
};

/// The text of a contract, before the first action that is bound to it.
struct ContractBound
{
    std::string tool;
    std::string version;
    Digest digest;
    std::string text; ///< canonical JSON
};

/// A plan revision of a run; the first one makes the run.
struct RunPlanned
{
    std::string runId;
    std::int64_t revision = 1;
    Digest content; ///< digest of what the revision says; the same revision again must match it
    std::string label;
    bool ordered = false;
    std::string environment = "live";
    std::string account;
    bool dryRun = false;
    bool imported = false; ///< records of another system: nothing here may ever be executed
    std::string source; ///< where imported records came from: format and file name
};

/// An action of a run, bound to its fingerprint. Its run stands in an earlier event.
struct ActionPlanned
{
    std::string runId;
    std::int64_t seq = 0;
    Key key;
    bool keyDerivedAtImport
        = false; ///< the key was computed by an importer; no planner assigned it
    std::string tool;
    bool sideEffect = true;
    Digest contract;
    Digest fingerprint;
    Digest args; ///< body digest of the args bytes as given
    Business business;
};

/// Why a call was authorised.
enum class Permit { First, Forwarding, Repeatable, NotApplied, NotSent, Operator };

struct Claimed
{
    Key key;
    std::int64_t attempt = 0;
    std::int64_t epoch = 0;
    Owner owner;
    std::optional<ProcessId> toolProcess; ///< the process that will run the tool, where it is one
    std::string sentKey; ///< the exact string that goes downstream; empty: none
    Permit permit = Permit::First;
};

/// How the call of a claim ended.
struct OutcomeRecorded
{
    Key key;
    std::int64_t attempt = 0;
    std::int64_t epoch = 0;
    OutcomeClass outcome = OutcomeClass::Unknown;
    std::string reason; ///< for not_sent and unknown
    std::optional<RecordedResult> result; ///< partial and not complete where the outcome is unknown
    std::optional<Digest> toolLog; ///< body digest of standard error
    std::optional<Digest> acceptance; ///< body digest of the acceptance check (JSON)
};

/// A claim whose owner died: dispatched, outcome not known.
struct DoubtRaised
{
    Key key;
    std::int64_t attempt = 0;
    std::int64_t epoch = 0;
    std::string reason;
};

/// An attempt that called nothing: replayed, conflict, busy or refused.
struct AttemptAnswered
{
    Key key;
    AttemptKind kind = AttemptKind::Replayed;
    std::optional<Owner> by;
    std::optional<Digest> args; ///< the differing args of a conflict
    std::string note;
};

/// What settles doubt: a probe or an operator.
enum class Decision { Landed, Retry, Failed };

struct Settled
{
    Key key;
    Decision decision = Decision::Failed;
    bool byProbe = false;
    std::string by; ///< the operator's name, or the probe's program
    std::string reason;
    std::string evidence;
    std::optional<RecordedResult> result; ///< for Landed
    std::optional<Digest> acceptance;
};

/// An outcome that came after its claim had been taken away. It never overwrites.
struct ReportedLate
{
    Key key;
    std::int64_t attempt = 0;
    std::int64_t epoch = 0;
    OutcomeClass outcome = OutcomeClass::Unknown;
    std::optional<RecordedResult> result;
    bool contradiction = false;
    std::string note;
};

/// Stopped before dispatch.
struct ActionCancelled
{
    Key key;
    std::string by;
};

/// No new actions in this run.
struct RunClosed
{
    std::string runId;
};

/// One attempt of an imported record, with the state of its action after it.
struct AttemptImported
{
    Key key;
    AttemptKind kind = AttemptKind::Executed;
    OutcomeClass outcome = OutcomeClass::Unknown; ///< of a replay: that of the answer
    std::string reason;
    std::optional<Time> startedAt;
    std::optional<Time> endedAt;
    std::optional<RecordedResult> result;
    std::string sentKey; ///< the key that the other system sent, if the record names one
    std::string locator; ///< where the record stands in its source: "line 12", "/0/traj/7"
    std::string note;
};

using EventBody = std::variant<StoreCreated, ContractBound, RunPlanned, ActionPlanned, Claimed,
    OutcomeRecorded, DoubtRaised, AttemptAnswered, Settled, ReportedLate, ActionCancelled,
    RunClosed, AttemptImported>;

struct Event
{
    Time at;
    EventBody body;

    /// The stored word for the alternative: "claimed", "outcome", …
    [[nodiscard]] std::string_view kind() const;
    /// The action it is about, if it is about one.
    [[nodiscard]] std::optional<Key> key() const;
    /// Canonical JSON of the body's fields.
    [[nodiscard]] std::string payload() const;
    [[nodiscard]] static Result<Event> decode(
        std::string_view kind, Time at, std::string_view payload);
};

[[nodiscard]] std::string_view name(StoreKind kind);
[[nodiscard]] std::string_view name(Permit permit);
[[nodiscard]] std::string_view name(Decision decision);
[[nodiscard]] std::optional<StoreKind> storeKindFrom(std::string_view name);
[[nodiscard]] std::optional<Permit> permitFrom(std::string_view name);
[[nodiscard]] std::optional<Decision> decisionFrom(std::string_view name);

/// Hash of a journal entry: SHA-256 over length-prefixed store id, entry number, time, kind,
/// payload and the previous entry's hash (zeros before the first).
[[nodiscard]] Digest entryHash(const std::string &storeId, std::int64_t entry, Time at,
    std::string_view kind, std::string_view payload, const Digest &previous);

} // namespace reprise

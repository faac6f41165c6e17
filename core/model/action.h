#pragma once

#include "core/base/bytes.h"
#include "core/base/clock.h"
#include "core/model/ids.h"
#include "core/model/money.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Values of design section 1 and 4. No I/O, no behaviour beyond naming.
namespace reprise {

/// Design section 4. `name()` gives the words of cli.md.
enum class ActionState { Planned, InFlight, Succeeded, Failed, InDoubt, Cancelled };

[[nodiscard]] std::string_view name(ActionState state);
[[nodiscard]] std::optional<ActionState> actionStateFrom(std::string_view name);
/// Succeeded, failed and cancelled: answered from the record for ever.
[[nodiscard]] bool isFinal(ActionState state);

/// What one attempt was; the words of cli.md.
enum class AttemptKind {
    Executed, ///< the tool was called (or the record says that it was)
    Replayed, ///< answered from the recorded result
    ExecutedAgain, ///< a second call under the same key
    InDoubt, ///< dispatched, and the outcome is not known
    Conflict,
    Busy,
    Refused,
    Settled, ///< a rule or a person decided
    LateReport, ///< an old owner reported after its claim had been taken from it
};

[[nodiscard]] std::string_view name(AttemptKind kind);
[[nodiscard]] std::optional<AttemptKind> attemptKindFrom(std::string_view name);

/// How a call of a tool ended (design section 4, "Tool outcomes").
enum class OutcomeClass {
    Succeeded,
    Declined, ///< definite and final, without effect
    NotSent, ///< provably before the effect
    Unknown,
};

[[nodiscard]] std::string_view name(OutcomeClass outcome);
[[nodiscard]] std::optional<OutcomeClass> outcomeFrom(std::string_view name);

/// Who recorded a result: the call itself, a probe, a late report, an operator, an import.
enum class ResultSource { Call, Probe, LateReport, Operator, Import };

[[nodiscard]] std::string_view name(ResultSource source);
[[nodiscard]] std::optional<ResultSource> resultSourceFrom(std::string_view name);

/// The complete answer that the agent got. Its bytes are in the store's content-addressed bodies.
struct RecordedResult
{
    std::string status; ///< the tool's own word or exit status, "0" for a program that succeeded
    std::string contentType; ///< empty when not declared
    bool complete = true;
    std::optional<Digest> body; ///< absent: there was no result at all (an empty result is a body)
    std::int64_t bodyBytes = 0;
    std::string reference; ///< the provider's reference; empty when not known
    Time recordedAt;
    ResultSource source = ResultSource::Call;
    friend bool operator==(const RecordedResult &, const RecordedResult &) = default;
};

/// What kind of business effect an action has; the words of cli.md.
enum class BusinessKind {
    Charge,
    Refund,
    Authorisation,
    Capture,
    Booking,
    Cancellation,
    Message,
    Other,
};

[[nodiscard]] std::string_view name(BusinessKind kind);
[[nodiscard]] std::optional<BusinessKind> businessKindFrom(std::string_view name);

/// Business meaning of an action, read from its args by the contract's pointers (or by a mapping).
struct Business
{
    BusinessKind kind = BusinessKind::Other;
    std::optional<Money> amount;
    std::string payee; ///< customer or account; empty when not recorded
    std::string order; ///< order or invoice; empty when not recorded
    std::string undoes; ///< provider reference that this action reverses (refund, cancellation)
    friend bool operator==(const Business &, const Business &) = default;
};

/// Identity of the process that holds a claim. Alive means: its lock file is locked.
struct Owner
{
    std::string id; ///< 32 hex digits, new for every executor
    std::string host;
    std::string bootId;
    std::int64_t pid = 0;
    std::int64_t startTicks = 0; ///< field 22 of /proc/PID/stat
    friend bool operator==(const Owner &, const Owner &) = default;
};

/// A process, told apart from a later one with the same id by its start time and boot.
struct ProcessId
{
    std::int64_t pid = 0;
    std::int64_t startTicks = 0;
    friend bool operator==(const ProcessId &, const ProcessId &) = default;
};

} // namespace reprise

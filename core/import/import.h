#pragma once

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/action.h"
#include "core/model/contract.h"
#include "core/store/store.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Records that other systems wrote, brought into a store (shared document: formats).
namespace reprise {

/// One attempted side effect of another system: the row that every importer makes.
struct ImportedAttempt
{
    std::optional<std::int64_t>
        seq; ///< absent: the source gives no identity, each call is an action
    std::string callId; ///< the source's own id of the call; may repeat
    std::string tool;
    std::string args; ///< bytes as found; may be invalid JSON
    AttemptKind kind
        = AttemptKind::Executed; ///< Executed, Replayed or InDoubt; again is found later
    OutcomeClass outcome = OutcomeClass::Unknown;
    std::optional<std::string> result; ///< bytes of the answer
    std::string contentType;
    std::string errorText;
    std::optional<Time> startedAt;
    std::optional<Time> endedAt;
    std::string sentKey; ///< an idempotency key that the record shows
    std::string reference; ///< the provider's reference in the answer
    std::string locator; ///< where the record stands: "line 12", "/0/traj/7"
    std::string note;
    std::optional<bool> readOnlyHint; ///< what the source says about the tool
};

struct ImportedRun
{
    std::string runId;
    std::string label;
    /// The records name the run themselves: what several files say about it belongs together. Else
    /// the id was made from a file's name or a task's number, and two of them are two runs.
    bool named = false;
    std::vector<ImportedAttempt> attempts; ///< in order of appearance
};

struct ImportBatch
{
    std::string format; ///< "mcp", "tau-bench", "tau2-bench", "chat", "jsonl"
    std::vector<ImportedRun> runs;
    std::vector<std::string> warnings; ///< lines that were passed over, and why
};

/// What an error says about the effect: by its words, or by its JSON-RPC code.
struct ErrorRule
{
    std::string contains {}; ///< lower case; looked for without regard to case
    std::optional<std::int64_t> code {}; ///< of a JSON-RPC error; `contains` is empty then
    OutcomeClass outcome = OutcomeClass::Declined;
};

/// How records of other systems are to be read: which tools have a side effect, where the business
/// meaning and the provider's reference stand, and what an error says. Data, not code: the built-in
/// one is resources/import-mapping.json, and a user's own is laid over it.
struct ImportMapping
{
    std::map<std::string, ToolContract> tools {};
    std::vector<std::string>
        readOnlyPrefixes; ///< tools not named above that start so have no effect
    std::vector<std::string> errorPrefixes {}; ///< an answer that starts so is an error
    /// The first that fits counts. Without one a text says that it was declined, and a code says
    /// nothing: the outcome is not known.
    std::vector<ErrorRule> errorRules {};
    std::vector<std::string>
        replayMarks {}; ///< pointers into an answer that are true in a replayed one

    /// The mapping that is built in (resources/import-mapping.json).
    [[nodiscard]] static ImportMapping builtIn();
    /// A user's own mapping. A list that it has takes the place of the built-in list, its tools are
    /// added to the built-in tools or replace them, and what it does not say stays as built in.
    [[nodiscard]] static Result<ImportMapping> parse(
        std::string_view text, const std::string &where);
    /// The contract of a tool: named, or undeclared with `sideEffect` by prefix and hint.
    [[nodiscard]] ToolContract contractFor(
        const std::string &tool, std::optional<bool> readOnlyHint) const;
    /// Is this text of an answer an error by its beginning?
    [[nodiscard]] bool looksLikeError(const std::string &text) const;
    /// What an error of this text says about the effect.
    [[nodiscard]] OutcomeClass outcomeOfError(const std::string &text) const;
    /// What a JSON-RPC error of this code says about the effect.
    [[nodiscard]] OutcomeClass outcomeOfCode(std::int64_t code) const;
    /// The provider's reference in an answer of that tool; empty where none is found.
    [[nodiscard]] std::string referenceIn(const std::string &tool, const Json &answer) const;
};

/// Reads one file: one JSON value, a list (bare, or wrapped in an object), or one record a line.
/// `format` empty: recognised by content. Errors: InvalidInput with the place.
[[nodiscard]] Result<ImportBatch> readRecords(std::string_view bytes, const std::string &path,
    const std::string &format, const ImportMapping &mapping);

struct ImportSummary
{
    std::string format;
    std::int64_t runs = 0;
    std::int64_t actions = 0;
    std::int64_t attempts = 0;
    std::vector<std::string> warnings;
};

struct ImportFile
{
    std::string name; ///< without its folder; stands in the store as the source
    ImportBatch batch;
};

/// Writes all files in one transaction: all of them or nothing. A run that its records name may be
/// spread over several files (a resumed agent starts a new capture) and becomes one run, by time
/// where every record has one, else in the order of the files. Any other id that stands twice, and
/// a run that the store already has, is refused (Conflict): importing the same file twice changes
/// nothing.
[[nodiscard]] Result<ImportSummary> writeImport(
    Store &store, Clock &clock, std::vector<ImportFile> files, const ImportMapping &mapping);

/// The same for one file.
[[nodiscard]] Result<ImportSummary> writeImport(Store &store, Clock &clock,
    const ImportBatch &batch, const std::string &fileName, const ImportMapping &mapping);

} // namespace reprise

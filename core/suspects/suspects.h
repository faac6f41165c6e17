#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/inspect/store_reader.h"
#include "core/model/money.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Suspected double charges: rules, scores and explanations (shared document: suspects).
namespace reprise {

enum class Severity { Critical, High, Medium, Low, Info };

[[nodiscard]] std::string_view name(Severity severity);

/// A: a provider statement confirms the count · B: store records only · C: inference, an outcome is
/// missing.
enum class Proof { A, B, C };

[[nodiscard]] char letter(Proof proof);

struct RuleHit
{
    std::string rule; ///< "R01" …
    std::string title; ///< the rule in words
    int weight = 0; ///< hundredths, as in the rules file
    std::string why; ///< explains this hit and names its rows
};

/// One effect of a cluster, and what became of it.
struct Member
{
    Effect effect;
    bool live = true; ///< false: undone by a later refund or cancellation
    std::string undoneBy; ///< words: "cancel_reservation, seq 12"
    std::int64_t refundedMinor = 0; ///< of its amount, by refunds that name its reference
    /// Not hit by a rule: it stands beside members that were undone, with the same tool, payee and
    /// amount in the same run.
    bool standsBeside = false;
};

/// A group of effects that may be one intention carried out more than once.
struct Cluster
{
    std::string
        id; ///< "S-" and the first 8 hex digits of a digest over the members: stable between runs
    Severity severity = Severity::Info;
    int score = 0; ///< 0 to 99
    Proof proof = Proof::B;
    std::vector<RuleHit> rules; ///< heaviest first
    std::vector<std::string> same; ///< "payee", "amount", …: fields that all members share
    std::vector<std::string> different;
    std::vector<std::string> against; ///< what argues against a double, in words
    std::vector<std::string> missing; ///< evidence that would prove it
    std::vector<Member> members; ///< run, seq, attempt order
    std::vector<Money> atRisk; ///< excess amount by currency; empty where no amount is known
    std::int64_t effects = 0; ///< live effects, in-doubt ones included
    std::int64_t excess = 0; ///< effects above the one that was meant
    std::optional<std::int64_t> gapUs; ///< between the first two members
};

struct RuleNotRun
{
    std::string rule;
    std::string why; ///< "field missing: payee", "no statement"
};

struct SuspectReport
{
    std::int64_t rulesVersion = 0;
    std::vector<Cluster> clusters; ///< ranked: severity, proof, amount at risk, id
    std::vector<RuleNotRun> rulesNotRun;
    std::int64_t effectsChecked = 0;
    std::int64_t runsChecked = 0;
    double coverage = 1.0; ///< below 1 where the search was stopped: results are partial
};

struct SuspectOptions
{
    const std::atomic<bool> *stop = nullptr; ///< not owned
    std::function<void(double)> onProgress = {}; ///< 0 to 1, from the calling thread
};

[[nodiscard]] Result<SuspectReport> findSuspects(
    StoreReader &reader, const SuspectOptions &options);

/// For people: one block for each cluster.
[[nodiscard]] std::string suspectsText(const SuspectReport &report);
/// The document of `reprise suspects --json`.
[[nodiscard]] Json suspectsToJson(const SuspectReport &report);

} // namespace reprise

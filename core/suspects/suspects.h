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
    std::string explanation {}; ///< what the rule looks for, in whole sentences
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
    /// The provider answered with the reference of an earlier member: that effect, not another one.
    bool countedBefore = false;
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
    bool offset = false; ///< what was made more than once was undone or refunded since
    /// "payee", "amount", …: fields that all members share (those that a rule hit).
    std::vector<std::string> same;
    std::vector<std::string> different;
    std::vector<std::string> against; ///< what argues against a double, in words
    std::vector<std::string> missing; ///< evidence that would prove it
    std::vector<Member> members; ///< run, seq, attempt order
    /// Live effects less the largest single one, less refunds, by currency; never below zero, and
    /// empty where it is zero or no amount is known.
    std::vector<Money> atRisk;
    std::int64_t effects = 0; ///< live effects, in-doubt ones included
    std::int64_t excess = 0; ///< effects above the one that was meant; 0 where offset
    std::optional<std::int64_t> gapUs; ///< between the first two members in time
};

/// A rule that did not run, or not on everything.
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
    /// Part of the runs whose effects were compared: below 1 where the search was stopped, and then
    /// the results are partial.
    double coverage = 1.0;
};

struct SuspectOptions
{
    const std::atomic<bool> *stop = nullptr; ///< not owned
    std::function<void(double)> onProgress = {}; ///< 0 to 1, from the calling thread
};

/// Reads the store's effects twice, in their order; memory grows with the effects that look alike,
/// not with the store. The result does not depend on the order in which a store holds its runs.
[[nodiscard]] Result<SuspectReport> findSuspects(
    StoreReader &reader, const SuspectOptions &options);

/// For people: one block for each cluster.
[[nodiscard]] std::string suspectsText(const SuspectReport &report);
/// The document of `reprise suspects --json`.
[[nodiscard]] Json suspectsToJson(const SuspectReport &report);

} // namespace reprise

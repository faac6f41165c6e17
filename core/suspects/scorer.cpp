#include "core/suspects/scorer.h"

#include "core/base/sha256.h"
#include "core/suspects/explain.h"
#include "core/suspects/lowering.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace reprise {

namespace {

constexpr int kScoreMax = 99; // certainty is never shown
constexpr std::size_t kMembersOfASuspectMin = 2;

using Indices = std::vector<std::size_t>;

auto place(const Effect &effect)
{
    return std::tie(effect.runId, effect.seq, effect.attempt);
}

Indices membersOf(const EffectSet &set, const std::vector<const PairHit *> &hits)
{
    Indices members;
    for (const PairHit *hit : hits) {
        members.push_back(hit->earlier);
        members.push_back(hit->later);
    }
    std::sort(members.begin(), members.end(),
        [&](std::size_t a, std::size_t b) { return place(set[a]) < place(set[b]); });
    members.erase(std::unique(members.begin(), members.end()), members.end());
    return members;
}

/// The id is that of the hits: it stays when a further effect is found to stand beside them.
std::string clusterId(const EffectSet &set, const Indices &members)
{
    Sha256 hash;
    for (const std::size_t i : members) {
        hash.add(set[i].key.digest.view());
        hash.addNumber(static_cast<std::uint64_t>(set[i].attempt));
    }
    constexpr std::size_t kDigits = 8;
    return "S-" + hash.finish().hex().substr(0, kDigits);
}

Member memberOf(const EffectSet &set, std::size_t i, bool beside)
{
    Member member;
    member.effect = set[i];
    member.standsBeside = beside;
    if (const auto *undoing = set.undoingOf(i); undoing != nullptr) {
        member.live = !undoing->whole;
        member.undoneBy = undoing->by;
        member.refundedMinor = undoing->refundedMinor;
    }
    return member;
}

bool counts(const Member &member)
{
    return member.live && !member.countedBefore;
}

/// Effects outside the hits that still stand in their run, with the same tool, payee and amount.
/// They matter where one of two was undone: then two may stand all the same.
Indices standingBeside(const EffectSet &set, const Indices &members, std::size_t most)
{
    const Effect &first = set[members.front()];
    Indices beside;
    const auto otherRun = [&](std::size_t i) { return set[i].runId != first.runId; };
    if (std::any_of(members.begin(), members.end(), otherRun))
        return beside;
    const std::set<std::size_t> own(members.begin(), members.end());
    for (const std::size_t i : set.standingLike(members.front())) {
        if (beside.size() == most)
            break;
        const std::string &order = set[i].business.order;
        const bool otherOrder
            = !order.empty() && !first.business.order.empty() && order != first.business.order;
        if (own.count(i) == 0 && !otherOrder && mayPair(first, set[i]))
            beside.push_back(i);
    }
    return beside;
}

void addMembers(Cluster &cluster, const EffectSet &set, const Indices &members, std::size_t most)
{
    std::set<std::pair<std::string, std::string>> references;
    for (const std::size_t i : members) {
        Member member = memberOf(set, i, false);
        member.countedBefore = !member.effect.reference.empty()
            && !references.emplace(member.effect.tool, member.effect.reference).second;
        cluster.members.push_back(std::move(member));
    }
    const auto live = std::count_if(cluster.members.begin(), cluster.members.end(), counts);
    if (live > 1)
        return;
    const Indices beside = standingBeside(set, members, most);
    // One effect that stands alone is what was meant.
    if (static_cast<std::size_t>(live) + beside.size() < kMembersOfASuspectMin)
        return;
    for (const std::size_t i : beside)
        cluster.members.push_back(memberOf(set, i, true));
    std::sort(cluster.members.begin(), cluster.members.end(),
        [](const Member &a, const Member &b) { return place(a.effect) < place(b.effect); });
}

void addTo(std::int64_t &sum, std::int64_t minor)
{
    if (__builtin_add_overflow(sum, minor, &sum))
        sum = INT64_MAX;
}

/// What the cluster comes to: effects, excess, money at risk, and whether refunds cover it.
void count(Cluster &cluster)
{
    struct Sum
    {
        std::int64_t live = 0;
        std::int64_t largest = 0;
        std::int64_t refunded = 0;
    };
    std::map<std::string, Sum> sums;
    bool amountsKnown = true;
    bool refunded = false;
    for (const Member &member : cluster.members) {
        if (!counts(member))
            continue;
        ++cluster.effects;
        const auto &amount = member.effect.business.amount;
        amountsKnown = amountsKnown && amount;
        refunded = refunded || member.refundedMinor > 0;
        if (!amount || amount->minor <= 0)
            continue;
        Sum &sum = sums[amount->currency];
        addTo(sum.live, amount->minor);
        addTo(sum.refunded, member.refundedMinor);
        sum.largest = std::max(sum.largest, amount->minor);
    }
    for (const auto &[currency, sum] : sums)
        if (sum.live - sum.largest > sum.refunded)
            cluster.atRisk.push_back({currency, sum.live - sum.largest - sum.refunded});
    cluster.offset = cluster.effects <= 1 || (amountsKnown && refunded && cluster.atRisk.empty());
    cluster.excess = cluster.offset ? 0 : cluster.effects - 1;
}

/// round(100 · (1 − Π(1 − weight)) · Π factor) in whole numbers: the same on every machine.
void score(Cluster &cluster, const EffectSet &set, const RulesFile &rules,
    const std::vector<const PairHit *> &hits)
{
    std::map<std::string, int> heaviest; // by family
    for (const PairHit *hit : hits) {
        int &weight = heaviest[rules.rules.at(hit->rule).family];
        weight = std::max(weight, rules.rules.at(hit->rule).weight);
    }
    constexpr std::int64_t kOne = 1'000'000'000'000;
    const auto rounded = [](std::int64_t part) {
        const std::int64_t hundredths = (part + kOne / 200) / (kOne / 100);
        return static_cast<int>(std::min<std::int64_t>(hundredths, kScoreMax));
    };
    std::int64_t rest = kOne;
    for (const auto &[family, weight] : heaviest)
        rest = rest * (100 - weight) / 100;
    std::int64_t value = kOne - rest;
    const int unlowered = rounded(value);
    std::string reasons;
    for (const Lowering *lowering : loweringsFor(set, rules, hits)) {
        value = value * lowering->factor / 100;
        reasons += (reasons.empty() ? "" : "; ") + lowering->explanation;
    }
    cluster.score = rounded(value);
    if (!reasons.empty())
        cluster.against.push_back("score lowered from " + std::to_string(unlowered) + " to "
            + std::to_string(cluster.score) + ": " + reasons);
}

void addRules(Cluster &cluster, const RulesFile &rules, const std::vector<const PairHit *> &hits)
{
    for (const PairHit *hit : hits) {
        const RuleData &data = rules.rules.at(hit->rule);
        cluster.rules.push_back({hit->rule, data.title, data.weight, hit->why, data.explanation});
    }
    std::sort(cluster.rules.begin(), cluster.rules.end(), [](const RuleHit &a, const RuleHit &b) {
        return std::tie(b.weight, a.rule, a.why) < std::tie(a.weight, b.rule, b.why);
    });
}

Severity bandOf(int score, const RulesFile &rules)
{
    if (score >= rules.critical)
        return Severity::Critical;
    if (score >= rules.high)
        return Severity::High;
    if (score >= rules.medium)
        return Severity::Medium;
    return score >= rules.low ? Severity::Low : Severity::Info;
}

std::optional<std::int64_t> firstGap(const std::vector<Member> &members)
{
    std::vector<Time> times;
    for (const Member &member : members)
        if (member.effect.startedAt && !member.standsBeside)
            times.push_back(*member.effect.startedAt);
    if (times.size() < kMembersOfASuspectMin)
        return std::nullopt;
    std::partial_sort(times.begin(), times.begin() + 2, times.end());
    return times[1].us - times[0].us;
}

/// A pattern rather than one double: everything was counted, not everything is listed.
void cutPattern(Cluster &cluster, std::size_t most)
{
    if (cluster.members.size() <= most)
        return;
    cluster.against.push_back("a pattern of " + std::to_string(cluster.members.size())
        + " effects rather than one double; the first " + std::to_string(most) + " are listed");
    cluster.members.resize(most);
    cluster.rules.resize(std::min(cluster.rules.size(), most));
}

} // namespace

Cluster scoreCluster(
    const EffectSet &set, const RulesFile &rules, const std::vector<const PairHit *> &hits)
{
    const Indices members = membersOf(set, hits);
    Cluster cluster;
    cluster.id = clusterId(set, members);
    addMembers(cluster, set, members, rules.membersMax);
    addRules(cluster, rules, hits);
    count(cluster);
    score(cluster, set, rules, hits);
    cluster.severity = cluster.offset ? Severity::Info : bandOf(cluster.score, rules);
    const bool doubtful = std::any_of(cluster.members.begin(), cluster.members.end(),
        [](const Member &member) { return member.effect.inDoubt; });
    cluster.proof = doubtful ? Proof::C : Proof::B;
    cluster.gapUs = firstGap(cluster.members);
    explainCluster(cluster, rules.membersMax);
    cutPattern(cluster, rules.membersMax);
    return cluster;
}

bool ranksBefore(const Cluster &a, const Cluster &b)
{
    const auto risk = [](const Cluster &cluster) {
        return cluster.atRisk.empty()
            ? std::make_tuple(1, std::string(), std::int64_t {0})
            : std::make_tuple(0, cluster.atRisk[0].currency, -cluster.atRisk[0].minor);
    };
    const auto rank = [&](const Cluster &cluster) {
        return std::make_tuple(cluster.severity, cluster.proof, risk(cluster), cluster.id);
    };
    if (rank(a) != rank(b))
        return rank(a) < rank(b);
    // Ids are short; members are never shared.
    return place(a.members.front().effect) < place(b.members.front().effect);
}

} // namespace reprise

#include "core/suspects/scorer.h"

#include "core/base/sha256.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

namespace reprise {

namespace {

constexpr int kScoreMax = 99; // certainty is never shown

/// Effects outside the hits that stand beside members that were undone: same run, tool, payee and
/// amount. They matter where a compensation seems to have put things right.
std::vector<std::size_t> standingBeside(
    const EffectSet &set, const std::vector<std::size_t> &members)
{
    std::vector<std::size_t> beside;
    const Effect &first = set[members.front()];
    if (first.business.payee.empty())
        return beside;
    // The effects of a run stand together.
    std::size_t begin = members.front();
    while (begin > 0 && set[begin - 1].runId == first.runId)
        --begin;
    for (std::size_t i = begin; i < set.effects().size() && set[i].runId == first.runId; ++i) {
        const Effect &other = set[i];
        const auto *undoing = set.undoingOf(i);
        if (std::binary_search(members.begin(), members.end(), i)
            || (undoing != nullptr && undoing->whole))
            continue;
        if (other.tool == first.tool && other.business.payee == first.business.payee
            && other.business.amount == first.business.amount && mayPair(first, other))
            beside.push_back(i);
    }
    return beside;
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

/// Σ live effects − the largest single one − refunds, by currency; never negative.
std::vector<Money> moneyAtRisk(const std::vector<Member> &members)
{
    struct Sum
    {
        std::int64_t live = 0;
        std::int64_t largest = 0;
    };
    std::map<std::string, Sum> sums;
    for (const Member &member : members) {
        const auto &amount = member.effect.business.amount;
        if (!amount || !member.live)
            continue;
        Sum &sum = sums[amount->currency];
        const std::int64_t left = std::max<std::int64_t>(amount->minor - member.refundedMinor, 0);
        if (__builtin_add_overflow(sum.live, left, &sum.live))
            sum.live = INT64_MAX;
        sum.largest = std::max(sum.largest, left);
    }
    std::vector<Money> risk;
    for (const auto &[currency, sum] : sums)
        if (sum.live > sum.largest)
            risk.push_back({currency, sum.live - sum.largest});
    return risk;
}

void compareFields(Cluster &cluster)
{
    const auto field
        = [&](const std::string &name, const std::function<std::string(const Effect &)> &value) {
              const std::string first = value(cluster.members.front().effect);
              bool equal = true;
              bool any = !first.empty();
              for (const Member &member : cluster.members) {
                  equal = equal && value(member.effect) == first;
                  any = any || !value(member.effect).empty();
              }
              if (any)
                  (equal ? cluster.same : cluster.different).push_back(name);
          };
    field("tool", [](const Effect &e) { return e.tool; });
    field("payee", [](const Effect &e) { return e.business.payee; });
    field("amount", [](const Effect &e) {
        return e.business.amount ? e.business.amount->withCode() : std::string();
    });
    field("order", [](const Effect &e) { return e.business.order; });
    field("arguments", [](const Effect &e) { return e.fingerprint.hex(); });
    field("run", [](const Effect &e) { return e.runId; });
    field("key", [](const Effect &e) { return e.key.hex(); });
    field("provider reference", [](const Effect &e) { return e.reference; });
}

std::string clusterId(const std::vector<Member> &members)
{
    Sha256 hash;
    for (const Member &member : members) {
        hash.add(member.effect.key.digest.view());
        hash.addNumber(static_cast<std::uint64_t>(member.effect.attempt));
    }
    constexpr std::size_t kDigits = 8;
    return "S-" + hash.finish().hex().substr(0, kDigits);
}

void addRules(Cluster &cluster, const RulesFile &rules, const std::vector<const PairHit *> &hits)
{
    std::map<std::string, int> heaviest; // by family
    for (const PairHit *hit : hits) {
        const RuleData &data = rules.rules.at(hit->rule);
        int &weight = heaviest[data.family];
        weight = std::max(weight, data.weight);
        cluster.rules.push_back({hit->rule, data.title, data.weight, hit->why});
    }
    std::sort(cluster.rules.begin(), cluster.rules.end(), [](const RuleHit &a, const RuleHit &b) {
        return std::tie(b.weight, a.rule, a.why) < std::tie(a.weight, b.rule, b.why);
    });
    // round(100 · (1 − Π(1 − weight))) in whole hundredths: the same on every machine.
    std::int64_t rest = 1'000'000'000'000;
    for (const auto &[family, weight] : heaviest)
        rest = rest * (100 - weight) / 100;
    const std::int64_t hundredths = (1'000'000'000'000 - rest + 5'000'000'000) / 10'000'000'000;
    cluster.score = static_cast<int>(std::min<std::int64_t>(hundredths, kScoreMax));
}

void argue(Cluster &cluster)
{
    for (const Member &member : cluster.members) {
        if (!member.undoneBy.empty())
            cluster.against.push_back(nameOf(member.effect)
                + (member.live ? " was refunded in part afterwards (" : " was undone afterwards (")
                + member.undoneBy + ")");
        if (member.standsBeside)
            cluster.against.push_back(nameOf(member.effect)
                + " stands beside them: same tool, payee and amount, other arguments");
    }
    std::string window;
    std::optional<Time> from;
    std::optional<Time> to;
    for (const Member &member : cluster.members)
        if (const auto at = member.effect.startedAt) {
            from = from ? std::min(*from, *at) : *at;
            to = to ? std::max(*to, *at) : *at;
        }
    if (from)
        window = " between " + from->rfc3339() + " and " + to->rfc3339();
    const Business &business = cluster.members.front().effect.business;
    const std::string subject = !business.order.empty() ? "order " + printable(business.order, 60)
        : !business.payee.empty()                       ? "payee " + printable(business.payee, 60)
                                                        : "these calls";
    if (cluster.proof == Proof::C)
        cluster.missing.push_back("the outcome of the call in doubt");
    const auto executions = std::max<std::int64_t>(
        static_cast<std::int64_t>(cluster.members.size()), std::int64_t {2});
    cluster.missing.push_back("the provider's lines for " + subject + window + ": "
        + std::to_string(executions) + " charges show that each was carried out, 1 that one was");
    if (!business.amount)
        cluster.missing.push_back("the amount: no field of the arguments is known to hold it");
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

} // namespace

Cluster scoreCluster(const EffectSet &set, const RulesFile &rules,
    const std::vector<std::size_t> &members, const std::vector<const PairHit *> &hits)
{
    Cluster cluster;
    for (const std::size_t i : members)
        cluster.members.push_back(memberOf(set, i, false));
    const auto sortMembers = [&] {
        std::sort(
            cluster.members.begin(), cluster.members.end(), [](const Member &a, const Member &b) {
                return std::tie(a.effect.runId, a.effect.seq, a.effect.attempt)
                    < std::tie(b.effect.runId, b.effect.seq, b.effect.attempt);
            });
    };
    sortMembers();
    // The id is that of the hits: it does not change when a further effect is found to stand
    // beside, nor with the order in which a store holds its runs.
    cluster.id = clusterId(cluster.members);
    cluster.gapUs = gapUs(cluster.members[0].effect, cluster.members[1].effect);
    const auto liveCount = [&] {
        return std::count_if(cluster.members.begin(), cluster.members.end(),
            [](const Member &member) { return member.live; });
    };
    if (liveCount() <= 1)
        for (const std::size_t i : standingBeside(set, members))
            cluster.members.push_back(memberOf(set, i, true));
    sortMembers();
    cluster.effects = liveCount();
    cluster.excess = std::max<std::int64_t>(cluster.effects - 1, 0);
    const bool doubtful = std::any_of(cluster.members.begin(), cluster.members.end(),
        [](const Member &member) { return member.effect.inDoubt; });
    cluster.proof = doubtful ? Proof::C : Proof::B;
    addRules(cluster, rules, hits);
    cluster.severity = cluster.excess == 0 ? Severity::Info : bandOf(cluster.score, rules);
    cluster.atRisk = moneyAtRisk(cluster.members);
    compareFields(cluster);
    argue(cluster);
    if (cluster.excess == 0)
        cluster.against.emplace_back("offset: what was made twice has been undone");
    if (cluster.members.size() > rules.membersMax) {
        cluster.against.push_back("a pattern of " + std::to_string(cluster.members.size())
            + " effects rather than one double; the first " + std::to_string(rules.membersMax)
            + " are listed");
        cluster.members.resize(rules.membersMax);
    }
    return cluster;
}

bool ranksBefore(const Cluster &a, const Cluster &b)
{
    const auto risk = [](const Cluster &cluster) {
        return cluster.atRisk.empty()
            ? std::make_tuple(1, std::string(), std::int64_t {0})
            : std::make_tuple(0, cluster.atRisk[0].currency, -cluster.atRisk[0].minor);
    };
    return std::make_tuple(a.severity, a.proof, risk(a), a.id)
        < std::make_tuple(b.severity, b.proof, risk(b), b.id);
}

} // namespace reprise

#include "core/suspects/rule.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace reprise {

namespace {

/// An action whose outcome is not known was made again: under another key (planned anew), or under
/// the same one by a caller who did not wait for the doubt to be settled. If the first one landed,
/// there are two.
class InDoubtThenAgain final : public Rule
{
public:
    [[nodiscard]] std::string id() const override { return "R05"; }

    void find(const EffectSet &set, const RuleData &data, std::vector<PairHit> &hits) const override
    {
        std::set<std::pair<std::size_t, std::size_t>> found;
        // Equal fingerprints: equal tool, payee, amount and currency follow.
        for (const auto &[fingerprint, group] : set.byFingerprint())
            findInGroup(set, data, group, "equal arguments", found, hits);
        for (const auto &[order, group] : set.byOrder())
            findInGroup(set, data, group, "same order, payee and amount", found, hits);
    }

    [[nodiscard]] std::optional<std::string> cannotRun(const EffectSet & /*set*/) const override
    {
        return std::nullopt;
    }

private:
    void findInGroup(const EffectSet &set, const RuleData &data, const EffectSet::Group &group,
        const std::string &equal, std::set<std::pair<std::size_t, std::size_t>> &found,
        std::vector<PairHit> &hits) const
    {
        if (std::none_of(group.begin(), group.end(), [&](std::size_t i) { return set[i].inDoubt; }))
            return;
        const EffectSet::Group ordered = byTime(set, group);
        for (std::size_t n = 0; n < group.size(); ++n) {
            const std::size_t doubtful = group[n];
            if (!set[doubtful].inDoubt)
                continue;
            // The next one that follows it: further ones are paired with that one in turn.
            auto again = nextInRun(set, group, n);
            if (!again)
                again = nextInOtherRun(set, data, ordered, doubtful);
            if (again && found.emplace(doubtful, *again).second)
                hits.push_back(
                    {doubtful, *again, id(), explain(set[doubtful], set[*again], equal)});
        }
    }

    /// The effects of a run stand together, in the order of their seqs.
    static std::optional<std::size_t> nextInRun(
        const EffectSet &set, const EffectSet::Group &group, std::size_t n)
    {
        const Effect &doubtful = set[group[n]];
        for (std::size_t m = n + 1; m < group.size() && set[group[m]].runId == doubtful.runId;
             ++m) {
            const auto gap = gapUs(doubtful, set[group[m]]);
            if (mayPair(doubtful, set[group[m]]) && (!gap || *gap >= 0))
                return group[m];
        }
        return std::nullopt;
    }

    /// Across runs only time can say what came later, not the order in which a store holds them.
    static std::optional<std::size_t> nextInOtherRun(const EffectSet &set, const RuleData &data,
        const EffectSet::Group &ordered, std::size_t doubtful)
    {
        if (!set[doubtful].startedAt)
            return std::nullopt;
        const auto earlier = [&](std::size_t a, std::size_t b) { return isEarlier(set, a, b); };
        for (auto it = std::upper_bound(ordered.begin(), ordered.end(), doubtful, earlier);
             it != ordered.end(); ++it) {
            if (*gapUs(set[doubtful], set[*it]) > data.windowUs)
                break;
            if (set[*it].runId != set[doubtful].runId && mayPair(set[doubtful], set[*it]))
                return *it;
        }
        return std::nullopt;
    }

    static bool isEarlier(const EffectSet &set, std::size_t a, std::size_t b)
    {
        const auto place = [&](std::size_t i) {
            return std::tie(*set[i].startedAt, set[i].runId, set[i].seq, set[i].attempt);
        };
        return place(a) < place(b);
    }

    /// Those of the group whose time is known.
    static EffectSet::Group byTime(const EffectSet &set, const EffectSet::Group &group)
    {
        EffectSet::Group ordered;
        for (const std::size_t i : group)
            if (set[i].startedAt)
                ordered.push_back(i);
        std::sort(ordered.begin(), ordered.end(),
            [&](std::size_t a, std::size_t b) { return isEarlier(set, a, b); });
        return ordered;
    }

    static std::string explain(
        const Effect &doubtful, const Effect &again, const std::string &equal)
    {
        const auto gap = gapUs(doubtful, again);
        const bool sameKey = doubtful.key == again.key;
        return "the outcome of " + nameOf(doubtful) + " is not known, and "
            + (gap ? gapText(*gap) + " later " : std::string()) + "it was made again "
            + (sameKey ? "under the same key" : "under another key, with " + equal) + ": "
            + nameOf(again) + (again.inDoubt ? ", also in doubt" : "");
    }
};

} // namespace

std::unique_ptr<Rule> makeR05()
{
    return std::make_unique<InDoubtThenAgain>();
}

} // namespace reprise

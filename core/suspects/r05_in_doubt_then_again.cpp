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
        Found found {set, data, hits, {}};
        // Equal fingerprints: equal tool, payee, amount and currency follow.
        for (const auto &[fingerprint, group] : set.byFingerprint())
            findInGroup(found, group, "equal arguments");
        for (const auto &[order, group] : set.byOrder())
            findInGroup(found, group, "the same order, payee and amount");
    }

    [[nodiscard]] std::optional<std::string> fieldMissing(const Collected &found) const override
    {
        if (!found.doubtWithoutTime)
            return std::nullopt;
        return "field missing: time of an effect in doubt; it was looked for in its own run only";
    }

private:
    struct Found
    {
        const EffectSet &set;
        const RuleData &data;
        std::vector<PairHit> &hits;
        std::set<std::pair<std::size_t, std::size_t>> pairs;
    };

    void findInGroup(Found &found, const EffectSet::Group &group, const std::string &equal) const
    {
        const EffectSet &set = found.set;
        if (group.size() < 2 || std::none_of(group.begin(), group.end(), [&](std::size_t i) {
                return set[i].inDoubt;
            }))
            return;
        for (auto from = group.begin(); from != group.end();) {
            const auto to = std::find_if(
                from, group.end(), [&](std::size_t i) { return set[i].runId != set[*from].runId; });
            findInRun(found, {from, to}, equal);
            from = to;
        }
        findAcrossRuns(found, group, equal);
    }

    /// Pairs each one in doubt with the next one of its run: further ones are paired with that in
    /// turn. Times decide where all are known, else the order of seqs.
    void findInRun(Found &found, EffectSet::Group group, const std::string &equal) const
    {
        const EffectSet &set = found.set;
        const auto hasTime = [&](std::size_t i) { return set[i].startedAt.has_value(); };
        if (std::all_of(group.begin(), group.end(), hasTime))
            std::stable_sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
                return *set[a].startedAt < *set[b].startedAt;
            });
        for (std::size_t n = 0; n + 1 < group.size(); ++n)
            addPair(found, group[n], group[n + 1], equal);
    }

    /// Across runs only time can say what came later.
    void findAcrossRuns(Found &found, const EffectSet::Group &group, const std::string &equal) const
    {
        const EffectSet &set = found.set;
        EffectSet::Group timed;
        for (const std::size_t i : group)
            if (set[i].startedAt)
                timed.push_back(i);
        std::sort(timed.begin(), timed.end(), [&](std::size_t a, std::size_t b) {
            const auto order = [&](std::size_t i) {
                return std::tie(*set[i].startedAt, set[i].runId, set[i].seq, set[i].attempt);
            };
            return order(a) < order(b);
        });
        // From the end: `next` is the first effect after n that belongs to another run than n.
        std::size_t next = timed.size();
        for (std::size_t n = timed.size(); n-- > 1;) {
            if (set[timed[n]].runId != set[timed[n - 1]].runId)
                next = n;
            if (next == timed.size())
                continue;
            if (*gapUs(set[timed[n - 1]], set[timed[next]]) <= found.data.windowUs)
                addPair(found, timed[n - 1], timed[next], equal);
        }
    }

    void addPair(
        Found &found, std::size_t doubtful, std::size_t again, const std::string &equal) const
    {
        const EffectSet &set = found.set;
        const auto gap = gapUs(set[doubtful], set[again]);
        if (!set[doubtful].inDoubt || (gap && *gap < 0) || !mayPair(set[doubtful], set[again])
            || !found.pairs.emplace(doubtful, again).second)
            return;
        found.hits.push_back({doubtful, again, id(), explain(set[doubtful], set[again], equal)});
    }

    static std::string explain(
        const Effect &doubtful, const Effect &again, const std::string &equal)
    {
        const auto gap = gapUs(doubtful, again);
        return "the outcome of " + nameOf(doubtful) + " is not known, and "
            + (gap ? gapText(*gap) + " later " : std::string()) + "it was made again "
            + (doubtful.key == again.key ? "under the same key"
                                         : "under another key, with " + equal)
            + ": " + nameOf(again) + (again.inDoubt ? ", also in doubt" : "");
    }
};

} // namespace

std::unique_ptr<Rule> makeR05()
{
    return std::make_unique<InDoubtThenAgain>();
}

} // namespace reprise

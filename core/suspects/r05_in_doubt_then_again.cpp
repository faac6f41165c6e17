#include "core/suspects/rule.h"

#include <cstdlib>
#include <set>
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
        for (std::size_t n = 0; n + 1 < group.size(); ++n) {
            const std::size_t doubtful = group[n];
            if (!set[doubtful].inDoubt)
                continue;
            // The next one that follows it: further ones are paired with that one in turn.
            for (std::size_t m = n + 1; m < group.size(); ++m) {
                const std::size_t again = group[m];
                if (!mayPair(set[doubtful], set[again])
                    || !follows(set[doubtful], set[again], data))
                    continue;
                if (found.emplace(doubtful, again).second)
                    hits.push_back(
                        {doubtful, again, id(), explain(set[doubtful], set[again], equal)});
                break;
            }
        }
    }

    static bool follows(const Effect &doubtful, const Effect &again, const RuleData &data)
    {
        const auto gap = gapUs(doubtful, again);
        if (doubtful.runId == again.runId)
            return !gap || *gap >= 0;
        // Across runs only time can say what came later.
        return gap && std::llabs(*gap) <= data.windowUs;
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

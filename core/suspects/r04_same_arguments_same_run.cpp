#include "core/suspects/rule.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace reprise {

namespace {

/// One run asked for the same thing with equal arguments under two keys: the planner's layer made
/// it anew instead of retrying it. Both were carried out, or one of them is in doubt.
class SameArgumentsSameRun final : public Rule
{
public:
    [[nodiscard]] std::string id() const override { return "R04"; }

    void find(
        const EffectSet &set, const RuleData & /*data*/, std::vector<PairHit> &hits) const override
    {
        for (const auto &[fingerprint, group] : set.byFingerprint())
            for (auto from = group.begin(); from != group.end();) {
                const auto to = std::find_if(from, group.end(),
                    [&](std::size_t i) { return set[i].runId != set[*from].runId; });
                findInRun(set, {from, to}, hits);
                from = to;
            }
    }

    [[nodiscard]] std::optional<std::string> fieldMissing(
        const Collected & /*found*/) const override
    {
        return std::nullopt;
    }

private:
    void findInRun(
        const EffectSet &set, const EffectSet::Group &group, std::vector<PairHit> &hits) const
    {
        // What later effects are compared with: the first two keys that were carried out, and the
        // first two in doubt. Two of each, so that every effect meets one of another key.
        std::vector<std::size_t> anchors;
        std::set<std::string_view> references;
        for (const std::size_t i : group) {
            const Effect &effect = set[i];
            if (!effect.reference.empty() && !references.insert(effect.reference).second)
                continue;
            const auto partner = std::find_if(anchors.begin(), anchors.end(), [&](std::size_t a) {
                return set[a].key != effect.key && mayPair(set[a], effect)
                    && !(set[a].inDoubt && effect.inDoubt);
            });
            if (partner != anchors.end())
                hits.push_back({*partner, i, id(), explain(set[*partner], effect)});
            const auto alike = [&](std::size_t a) {
                return set[a].inDoubt == effect.inDoubt
                    && set[a].business.kind == effect.business.kind;
            };
            const auto sameKey
                = [&](std::size_t a) { return alike(a) && set[a].key == effect.key; };
            constexpr std::ptrdiff_t kOfEach = 2;
            if (std::count_if(anchors.begin(), anchors.end(), alike) < kOfEach
                && std::none_of(anchors.begin(), anchors.end(), sameKey))
                anchors.push_back(i);
        }
    }

    static std::string explain(const Effect &earlier, const Effect &later)
    {
        const auto gap = gapUs(earlier, later);
        return "equal arguments under two keys in one run: " + nameOf(earlier)
            + (earlier.inDoubt ? ", in doubt, and " : " and ") + nameOf(later)
            + (later.inDoubt ? ", in doubt" : "") + (gap ? ", " + gapText(*gap) + " apart" : "");
    }
};

} // namespace

std::unique_ptr<Rule> makeR04()
{
    return std::make_unique<SameArgumentsSameRun>();
}

} // namespace reprise

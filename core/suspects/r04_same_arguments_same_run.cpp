#include "core/suspects/rule.h"

#include <map>
#include <string>
#include <utility>

namespace reprise {

namespace {

/// One run asked for the same thing with equal arguments under two keys: the planner's layer made
/// it anew instead of retrying it.
class SameArgumentsSameRun final : public Rule
{
public:
    [[nodiscard]] std::string id() const override { return "R04"; }

    void find(
        const EffectSet &set, const RuleData & /*data*/, std::vector<PairHit> &hits) const override
    {
        for (const auto &[fingerprint, group] : set.byFingerprint()) {
            std::map<std::pair<std::string, BusinessKind>, std::size_t> firstOfRun;
            for (const std::size_t i : group) {
                const auto [first, added]
                    = firstOfRun.emplace(std::pair(set[i].runId, set[i].business.kind), i);
                if (added || set[first->second].key == set[i].key
                    || !mayPair(set[first->second], set[i]))
                    continue;
                const auto gap = gapUs(set[first->second], set[i]);
                hits.push_back({first->second, i, id(),
                    "equal arguments under two keys in one run: " + nameOf(set[first->second])
                        + " and " + nameOf(set[i]) + (gap ? ", " + gapText(*gap) + " apart" : "")});
            }
        }
    }

    [[nodiscard]] std::optional<std::string> cannotRun(const EffectSet & /*set*/) const override
    {
        return std::nullopt;
    }
};

} // namespace

std::unique_ptr<Rule> makeR04()
{
    return std::make_unique<SameArgumentsSameRun>();
}

} // namespace reprise

#include "core/suspects/rule.h"

namespace reprise {

namespace {

/// Under one key the provider gave two different references: it carried the action out twice.
class SameKeyTwoEffects final : public Rule
{
public:
    [[nodiscard]] std::string id() const override { return "R01"; }

    void find(
        const EffectSet &set, const RuleData & /*data*/, std::vector<PairHit> &hits) const override
    {
        for (const auto &[key, group] : set.byKey()) {
            std::optional<std::size_t> first;
            for (const std::size_t i : group) {
                if (set[i].reference.empty() || !mayPair(set[i], set[i]))
                    continue;
                if (!first) {
                    first = i;
                } else if (set[i].reference != set[*first].reference) {
                    hits.push_back({*first, i, id(),
                        "one key, two provider references: " + nameOf(set[*first]) + " and "
                            + nameOf(set[i])});
                }
            }
        }
    }

    [[nodiscard]] std::optional<std::string> cannotRun(const EffectSet &set) const override
    {
        if (set.anyReference())
            return std::nullopt;
        return "field missing: provider reference";
    }
};

} // namespace

std::unique_ptr<Rule> makeR01()
{
    return std::make_unique<SameKeyTwoEffects>();
}

} // namespace reprise

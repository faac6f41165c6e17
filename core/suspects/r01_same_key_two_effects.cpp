#include "core/suspects/rule.h"

#include <set>
#include <string_view>

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
            std::set<std::string_view> references;
            for (const std::size_t i : group) {
                // A reference seen before: a repeated answer, not a further effect.
                if (set[i].reference.empty() || !references.insert(set[i].reference).second)
                    continue;
                if (first)
                    hits.push_back({*first, i, id(),
                        "one key, two provider references: " + nameOf(set[*first]) + " and "
                            + nameOf(set[i])});
                else
                    first = i;
            }
        }
    }

    [[nodiscard]] std::optional<std::string> fieldMissing(const Collected &found) const override
    {
        if (found.anyReference)
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

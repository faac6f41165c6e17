#include "core/suspects/rule.h"

#include <set>
#include <string_view>

namespace reprise {

namespace {

/// Attempt n of a seq succeeded, and the next attempt that was no replay called the tool again.
class RetryRepeatedASuccess final : public Rule
{
public:
    [[nodiscard]] std::string id() const override { return "R20"; }

    void find(
        const EffectSet &set, const RuleData & /*data*/, std::vector<PairHit> &hits) const override
    {
        for (const auto &[key, group] : set.byKey()) {
            std::set<std::string_view> references;
            for (std::size_t n = 0; n < group.size(); ++n) {
                const Effect &again = set[group[n]];
                // A reference seen before: the provider recognised the retry and did it once.
                const bool once
                    = !again.reference.empty() && !references.insert(again.reference).second;
                if (n == 0 || once)
                    continue;
                const Effect &before = set[group[n - 1]];
                if (before.inDoubt || !mayPair(before, again))
                    continue;
                hits.push_back({group[n - 1], group[n], id(),
                    nameOf(before) + " had succeeded, and the tool was called again: "
                        + nameOf(again) + (again.inDoubt ? ", whose outcome is not known" : "")});
            }
        }
    }

    [[nodiscard]] std::optional<std::string> fieldMissing(
        const Collected & /*found*/) const override
    {
        return std::nullopt;
    }
};

} // namespace

std::unique_ptr<Rule> makeR20()
{
    return std::make_unique<RetryRepeatedASuccess>();
}

} // namespace reprise

#include "core/suspects/rule.h"

namespace reprise {

namespace {

/// Attempt n of a seq succeeded, and a later attempt called the tool again.
class RetryRepeatedASuccess final : public Rule
{
public:
    [[nodiscard]] std::string id() const override { return "R20"; }

    void find(
        const EffectSet &set, const RuleData & /*data*/, std::vector<PairHit> &hits) const override
    {
        for (const auto &[key, group] : set.byKey()) {
            for (std::size_t n = 1; n < group.size(); ++n) {
                const Effect &before = set[group[n - 1]];
                const Effect &again = set[group[n]];
                // One reference for both: the provider recognised the retry and did it once.
                const bool once = !before.reference.empty() && before.reference == again.reference;
                if (before.inDoubt || once || !mayPair(before, again))
                    continue;
                hits.push_back({group[n - 1], group[n], id(),
                    nameOf(before)
                        + " had succeeded, and the tool was called again: " + nameOf(again)});
            }
        }
    }

    [[nodiscard]] std::optional<std::string> cannotRun(const EffectSet & /*set*/) const override
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

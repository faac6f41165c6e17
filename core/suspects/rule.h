#pragma once

#include "core/suspects/collect.h"
#include "core/suspects/rules_file.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace reprise {

/// Two effects that a rule holds for one intention; indices into an EffectSet. `later` repeats what
/// `earlier` did.
struct PairHit
{
    std::size_t earlier = 0;
    std::size_t later = 0;
    std::string rule;
    std::string why;
};

/// One rule: stateless, finds pairs in a set of effects. Its work grows with the groups it looks
/// at, not with their squares.
class Rule
{
public:
    virtual ~Rule() = default;
    [[nodiscard]] virtual std::string id() const = 0;
    virtual void find(
        const EffectSet &set, const RuleData &data, std::vector<PairHit> &hits) const = 0;
    /// What the rule cannot look at because a field is not recorded; nothing where it lacks none.
    [[nodiscard]] virtual std::optional<std::string> fieldMissing(const Collected &found) const = 0;
};

/// Every rule of this version, in the order of their ids.
[[nodiscard]] const std::vector<std::unique_ptr<Rule>> &allRules();

[[nodiscard]] std::unique_ptr<Rule> makeR01();
[[nodiscard]] std::unique_ptr<Rule> makeR04();
[[nodiscard]] std::unique_ptr<Rule> makeR05();
[[nodiscard]] std::unique_ptr<Rule> makeR20();

} // namespace reprise

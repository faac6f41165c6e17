#pragma once

#include "core/base/random.h"
#include "core/executor/tool.h"
#include "tests/sim/reached.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reprise::sim {

/// One effect that took place at the provider.
struct Effect
{
    std::string body; ///< what it answered, or would have
    std::string sentKey;
    std::int64_t atUs = 0;
};

/// The other side, with a ledger of its own: what really happened, whatever the store says. It
/// keeps the promise of the contract "forwarded" (the same key within the retention has one effect)
/// and no other; its clock is the true one.
class Provider
{
public:
    using Action = std::pair<std::string, std::int64_t>; ///< run, seq

    Provider(SeededRandom &random, const std::int64_t &trueUs, Reached &reached)
        : m_random(random)
        , m_trueUs(trueUs)
        , m_reached(reached)
    {
    }

    /// `outlived`: the tool's owner was killed; the effect, if any, comes when the tool ends.
    [[nodiscard]] ToolAnswer call(const ToolCall &call);
    [[nodiscard]] ProbeResult probe(const ToolCall &call);
    /// Effects that were asked for and have not taken place: some of them do now.
    void landLate(bool all);
    [[nodiscard]] const std::vector<Effect> &effects(const Action &action) const;
    /// From now on every call succeeds at once.
    void calm() { m_calm = true; }

    static constexpr std::int64_t kRetentionUs = 24LL * 3600 * 1'000'000;

private:
    [[nodiscard]] Effect newEffect(const ToolCall &call);
    [[nodiscard]] const Effect *honoured(const ToolCall &call) const;
    [[nodiscard]] bool isPending(const Action &action) const;

    SeededRandom &m_random;
    const std::int64_t &m_trueUs;
    Reached &m_reached;
    std::map<Action, std::vector<Effect>> m_effects;
    std::vector<std::pair<Action, Effect>> m_pending;
    std::int64_t m_effectsMade = 0;
    bool m_calm = false;
};

} // namespace reprise::sim

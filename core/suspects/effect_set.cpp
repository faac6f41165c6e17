#include "core/suspects/effect_set.h"

#include <cstdlib>

namespace reprise {

namespace {

bool isReversal(const Effect &effect)
{
    return effect.business.kind == BusinessKind::Refund
        || effect.business.kind == BusinessKind::Cancellation;
}

std::string orderGroup(const Effect &effect)
{
    const std::string amount = effect.business.amount
        ? effect.business.amount->currency + std::to_string(effect.business.amount->minor)
        : std::string();
    std::string group;
    for (const std::string &part :
        {effect.business.order, effect.tool, effect.business.payee, amount})
        group += std::to_string(part.size()) + ":" + part;
    return group;
}

} // namespace

void EffectSet::add(Effect effect)
{
    const std::size_t index = m_effects.size();
    m_byKey[std::string(effect.key.digest.view())].push_back(index);
    m_byFingerprint[std::string(effect.fingerprint.view())].push_back(index);
    if (!effect.business.order.empty())
        m_byOrder[orderGroup(effect)].push_back(index);
    m_anyReference = m_anyReference || !effect.reference.empty();
    m_effects.push_back(std::move(effect));
}

void EffectSet::finish()
{
    std::unordered_map<std::string, Group> byReference;
    for (std::size_t i = 0; i < m_effects.size(); ++i)
        if (!m_effects[i].reference.empty() && !isReversal(m_effects[i]))
            byReference[m_effects[i].reference].push_back(i);
    for (const Effect &reversal : m_effects) {
        // A reversal in doubt may not have happened: it undoes nothing yet.
        if (!isReversal(reversal) || reversal.business.undoes.empty() || reversal.inDoubt)
            continue;
        const auto found = byReference.find(reversal.business.undoes);
        if (found == byReference.end())
            continue;
        for (const std::size_t i : found->second) {
            // References are the provider's own, but small providers number from one for every run.
            if (found->second.size() > 1 && m_effects[i].runId != reversal.runId)
                continue;
            Undoing &undoing = m_undone[i];
            const auto &amount = m_effects[i].business.amount;
            const auto &back = reversal.business.amount;
            if (amount && back && back->currency == amount->currency)
                undoing.refundedMinor += back->minor;
            undoing.whole
                = undoing.whole || !amount || !back || undoing.refundedMinor >= amount->minor;
            undoing.by += (undoing.by.empty() ? "" : "; ") + reversal.tool + ", "
                + (reversal.runId == m_effects[i].runId ? "" : "run " + reversal.runId + ", ")
                + "seq " + std::to_string(reversal.seq);
        }
    }
}

const EffectSet::Undoing *EffectSet::undoingOf(std::size_t i) const
{
    const auto found = m_undone.find(i);
    return found == m_undone.end() ? nullptr : &found->second;
}

bool mayPair(const Effect &a, const Effect &b)
{
    return a.business.kind == b.business.kind && a.business.kind != BusinessKind::Cancellation;
}

std::string nameOf(const Effect &effect)
{
    return "run " + printable(effect.runId, 80) + ", seq " + std::to_string(effect.seq)
        + ", attempt " + std::to_string(effect.attempt)
        + (effect.reference.empty() ? "" : " (" + printable(effect.reference, 80) + ")");
}

std::optional<std::int64_t> gapUs(const Effect &earlier, const Effect &later)
{
    if (!earlier.startedAt || !later.startedAt)
        return std::nullopt;
    return later.startedAt->us - earlier.startedAt->us;
}

std::string gapText(std::int64_t us)
{
    const std::int64_t seconds = std::llabs(us) / 1'000'000;
    const auto pair
        = [](std::int64_t big, const char *bigUnit, std::int64_t small, const char *unit) {
              return std::to_string(big) + bigUnit
                  + (small > 0 ? " " + std::to_string(small) + unit : "");
          };
    if (seconds < 60) {
        const std::int64_t tenths = std::llabs(us) / 100'000;
        return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
    }
    if (seconds < 3600)
        return pair(seconds / 60, " min", seconds % 60, " s");
    if (seconds < 86'400)
        return pair(seconds / 3600, " h", seconds % 3600 / 60, " min");
    return pair(seconds / 86'400, " d", seconds % 86'400 / 3600, " h");
}

} // namespace reprise

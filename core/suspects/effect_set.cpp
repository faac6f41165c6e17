#include "core/suspects/effect_set.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace reprise {

namespace {

/// One text for several fields; lengths keep ("ab","c") and ("a","bc") apart.
std::string joinedFields(std::initializer_list<std::string_view> fields)
{
    std::string text;
    for (const std::string_view field : fields)
        text.append(std::to_string(field.size())).append(":").append(field);
    return text;
}

std::string amountText(const Business &business)
{
    return business.amount ? business.amount->currency + std::to_string(business.amount->minor)
                           : std::string();
}

std::string orderGroup(const Effect &effect)
{
    return joinedFields(
        {effect.business.order, effect.tool, effect.business.payee, amountText(effect.business)});
}

std::string likeness(const Effect &effect)
{
    return joinedFields({effect.runId, effect.tool, name(effect.business.kind),
        effect.business.payee, amountText(effect.business)});
}

/// What a refund gives back, whichever sign its record uses.
std::int64_t magnitude(std::int64_t minor)
{
    return minor == INT64_MIN ? INT64_MAX : std::llabs(minor);
}

} // namespace

void EffectSet::add(Effect effect)
{
    const std::size_t index = m_effects.size();
    m_byKey[std::string(effect.key.digest.view())].push_back(index);
    m_byFingerprint[std::string(effect.fingerprint.view())].push_back(index);
    if (!effect.business.order.empty())
        m_byOrder[orderGroup(effect)].push_back(index);
    m_effects.push_back(std::move(effect));
}

void EffectSet::addReversal(const Effect &reversal, bool madeHere)
{
    m_reversals.push_back({reversal.business.kind, madeHere, reversal.business.undoes,
        reversal.business.amount, reversal.tool, reversal.runId, reversal.seq, reversal.startedAt});
}

void EffectSet::finish()
{
    Groups byReference;
    for (std::size_t i = 0; i < m_effects.size(); ++i) {
        const BusinessKind kind = m_effects[i].business.kind;
        if (!m_effects[i].reference.empty() && kind != BusinessKind::Refund
            && kind != BusinessKind::Cancellation)
            byReference[m_effects[i].reference].push_back(i);
    }
    for (const Reversal &reversal : m_reversals) {
        const auto found = byReference.find(reversal.undoes);
        if (found == byReference.end())
            continue;
        // References are the provider's own, but some providers number from one for every run:
        // then a reversal elsewhere names nothing for certain.
        const auto sameRun = [&](std::size_t i) {
            return m_effects[i].runId == m_effects[found->second.front()].runId;
        };
        const bool oneRun = std::all_of(found->second.begin(), found->second.end(), sameRun);
        for (const std::size_t i : found->second)
            if (m_effects[i].runId == reversal.runId || (!reversal.madeHere && oneRun))
                undo(i, reversal);
    }
    for (std::size_t i = 0; i < m_effects.size(); ++i) {
        const Effect &effect = m_effects[i];
        if (!wasUndone(i) && !(effect.business.payee.empty() && effect.business.order.empty()))
            m_standing[likeness(effect)].push_back(i);
    }
}

void EffectSet::undo(std::size_t i, const Reversal &reversal)
{
    const Effect &effect = m_effects[i];
    const bool here = effect.runId == reversal.runId;
    // What came before it cannot undo it: that is a namesake.
    if (here ? reversal.seq < effect.seq
             : reversal.at && effect.startedAt && *reversal.at < *effect.startedAt)
        return;
    Undoing &undoing = m_undone[i];
    const auto &amount = effect.business.amount;
    const auto &back = reversal.amount;
    if (reversal.kind == BusinessKind::Cancellation || !back) {
        undoing.whole = true;
    } else if (amount && back->currency == amount->currency && amount->minor >= 0) {
        const std::int64_t left = amount->minor - undoing.refundedMinor;
        undoing.refundedMinor += std::min(left, magnitude(back->minor));
        undoing.whole = undoing.whole || undoing.refundedMinor == amount->minor;
    }
    undoing.by += (undoing.by.empty() ? "" : "; ") + printable(reversal.tool, 60) + ", "
        + (here ? "" : "run " + printable(reversal.runId, 80) + ", ") + "seq "
        + std::to_string(reversal.seq);
}

const EffectSet::Undoing *EffectSet::undoingOf(std::size_t i) const
{
    const auto found = m_undone.find(i);
    return found == m_undone.end() ? nullptr : &found->second;
}

bool EffectSet::wasUndone(std::size_t i) const
{
    const Undoing *undoing = undoingOf(i);
    return undoing != nullptr && undoing->whole;
}

const EffectSet::Group &EffectSet::standingLike(std::size_t i) const
{
    static const Group kNone;
    const auto found = m_standing.find(likeness(m_effects[i]));
    return found == m_standing.end() ? kNone : found->second;
}

bool isReversal(const Effect &effect)
{
    return (effect.business.kind == BusinessKind::Refund
               || effect.business.kind == BusinessKind::Cancellation)
        && !effect.business.undoes.empty() && !effect.inDoubt;
}

bool mayPair(const Effect &a, const Effect &b)
{
    if (a.business.kind != b.business.kind)
        return false;
    const bool bothNamed = !a.reference.empty() && !b.reference.empty();
    if (bothNamed && a.reference == b.reference)
        return false;
    return a.business.kind != BusinessKind::Cancellation || bothNamed;
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

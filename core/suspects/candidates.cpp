#include "core/suspects/candidates.h"

#include "core/suspects/effect_set.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace reprise {

namespace {

/// Folds fields into one number, in the order in which they are added.
class Number
{
public:
    explicit Number(std::uint64_t kind)
        : m_value(kind)
    {
    }
    Number &add(std::uint64_t value)
    {
        constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15; // 2^64 / golden ratio: spreads the bits
        m_value = (m_value ^ (value + kOdd + (m_value << 6) + (m_value >> 2))) * kOdd;
        return *this;
    }
    Number &add(std::string_view text) { return add(std::hash<std::string_view> {}(text)); }
    Number &add(const std::optional<Money> &money)
    {
        return money ? add(money->currency).add(static_cast<std::uint64_t>(money->minor)) : add(0);
    }
    [[nodiscard]] std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value;
};

enum Kind : std::uint64_t { Asked, KeyAsked, Like, Fingerprint, Order, Reference };

std::uint64_t asked(const Effect &effect)
{
    return Number(Asked).add(effect.runId).add(effect.fingerprint.view()).value();
}

std::uint64_t keyAsked(const Effect &effect)
{
    return Number(KeyAsked).add(effect.key.digest.view()).value();
}

std::uint64_t like(const Effect &effect)
{
    if (effect.business.payee.empty() && effect.business.order.empty())
        return 0;
    return Number(Like)
        .add(effect.runId)
        .add(effect.tool)
        .add(static_cast<std::uint64_t>(effect.business.kind))
        .add(effect.business.payee)
        .add(effect.business.amount)
        .value();
}

std::uint64_t fingerprintOf(const Effect &effect)
{
    return Number(Fingerprint).add(effect.fingerprint.view()).value();
}

std::uint64_t orderOf(const Effect &effect)
{
    return Number(Order)
        .add(effect.business.order)
        .add(effect.tool)
        .add(effect.business.payee)
        .add(effect.business.amount)
        .value();
}

std::uint64_t numberOf(const std::string &reference)
{
    return Number(Reference).add(reference).value();
}

} // namespace

void Candidates::look(const Effect &effect)
{
    if (effect.runId != m_runId) {
        closeRun();
        m_runId = effect.runId;
    }
    if (m_key == effect.key)
        m_askedTwice.insert(keyAsked(effect));
    m_key = effect.key;
    m_run.push_back({asked(effect), like(effect)});
    if (effect.inDoubt) {
        m_doubtful.insert(fingerprintOf(effect));
        if (!effect.business.order.empty())
            m_doubtful.insert(orderOf(effect));
        m_likeSuspects.insert(m_run.back().like);
    }
    if (isReversal(effect))
        m_undone.insert(numberOf(effect.business.undoes));
    m_anyReference = m_anyReference || !effect.reference.empty();
}

void Candidates::closeRun()
{
    std::sort(
        m_run.begin(), m_run.end(), [](const Seen &a, const Seen &b) { return a.asked < b.asked; });
    for (std::size_t i = 1; i < m_run.size(); ++i)
        if (m_run[i].asked == m_run[i - 1].asked) {
            m_askedTwice.insert(m_run[i].asked);
            m_likeSuspects.insert(m_run[i].like);
        }
    m_run.clear();
}

bool Candidates::mayBelong(const Effect &effect) const
{
    const std::uint64_t likeness = like(effect);
    return m_askedTwice.contains(asked(effect)) || m_askedTwice.contains(keyAsked(effect))
        || (likeness != 0 && m_likeSuspects.contains(likeness))
        || m_doubtful.contains(fingerprintOf(effect))
        || (!effect.business.order.empty() && m_doubtful.contains(orderOf(effect)));
}

bool Candidates::isNamed(const std::string &reference) const
{
    return m_undone.contains(numberOf(reference));
}

} // namespace reprise

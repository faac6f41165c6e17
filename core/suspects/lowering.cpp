#include "core/suspects/lowering.h"

#include <algorithm>

namespace reprise {

namespace {

constexpr std::int64_t kUsPerDay = 86'400LL * 1'000'000;

/// The executor called again under the same key by a rule that the tool's contract declares. Two
/// references would show that the declaration is wrong; then other rules hit too, and nothing is
/// lowered.
bool isPermitted(const EffectSet &set, const PairHit &hit)
{
    const auto permit = set[hit.later].permit;
    return hit.rule == "R05" && set[hit.earlier].key == set[hit.later].key
        && (permit == Permit::Forwarding || permit == Permit::Repeatable);
}

/// 7, 14, 28 to 31 or 365 days, give or take two; 0 where the gap is none of them.
int periodOf(std::int64_t gap)
{
    struct Period
    {
        int name;
        std::int64_t from;
        std::int64_t to;
    };
    constexpr Period kPeriods[] = {{7, 5, 9}, {14, 12, 16}, {30, 26, 33}, {365, 363, 367}};
    for (const Period &period : kPeriods)
        if (gap >= period.from * kUsPerDay && gap <= period.to * kUsPerDay)
            return period.name;
    return 0;
}

/// Equal calls at one pace: the two of the hit, and at least three before them.
bool isPeriodic(const EffectSet &set, const PairHit &hit)
{
    const auto gap = gapUs(set[hit.earlier], set[hit.later]);
    const int period = gap ? periodOf(*gap) : 0;
    if (period == 0)
        return false;
    std::vector<std::int64_t> times;
    const std::string fingerprint(set[hit.earlier].fingerprint.view());
    for (const std::size_t i : set.byFingerprint().at(fingerprint))
        if (set[i].startedAt && *set[i].startedAt <= *set[hit.earlier].startedAt)
            times.push_back(set[i].startedAt->us);
    std::sort(times.rbegin(), times.rend());
    constexpr std::size_t kEarlier = 3;
    if (times.size() <= kEarlier)
        return false;
    for (std::size_t n = 0; n < kEarlier; ++n)
        if (periodOf(times[n] - times[n + 1]) != period)
            return false;
    return true;
}

} // namespace

std::vector<const Lowering *> loweringsFor(
    const EffectSet &set, const RulesFile &rules, const std::vector<const PairHit *> &hits)
{
    std::vector<const Lowering *> fitting;
    const auto all = [&](bool (*fits)(const EffectSet &, const PairHit &)) {
        return std::all_of(
            hits.begin(), hits.end(), [&](const PairHit *hit) { return fits(set, *hit); });
    };
    if (all(isPermitted))
        fitting.push_back(&rules.permitted);
    // One pair only: a hit for each pair of a long series would read the series each time.
    if (hits.size() == 1 && all(isPeriodic))
        fitting.push_back(&rules.periodic);
    return fitting;
}

} // namespace reprise

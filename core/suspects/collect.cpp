#include "core/suspects/collect.h"

#include "core/suspects/candidates.h"

#include <algorithm>
#include <unordered_set>

namespace reprise {

namespace {

/// One pass over the effects: counts them and their runs, reports progress, stops when asked to.
class Pass
{
public:
    Pass(const SuspectOptions &options, std::int64_t runsInStore, double share)
        : m_options(options)
        , m_runsInStore(runsInStore)
        , m_share(share)
    {
    }

    /// `use` also learns whether the effect is the first of its run.
    template <typename Use> Result<void> read(StoreReader &reader, const Use &use)
    {
        return reader.forEachEffect([&](const Effect &effect) {
            m_stopped = m_options.stop != nullptr && m_options.stop->load();
            if (m_stopped)
                return false;
            const bool firstOfRun = effects == 0 || effect.runId != m_runId;
            if (firstOfRun) {
                m_runId = effect.runId;
                ++runs;
            }
            ++effects;
            use(effect, firstOfRun);
            constexpr std::int64_t kProgressEvery = 10'000;
            if (m_options.onProgress && effects % kProgressEvery == 0)
                m_options.onProgress(m_share + completed(runs) / 2);
            return true;
        });
    }

    [[nodiscard]] bool stopped() const { return m_stopped; }
    /// The part of the store's runs that `count` is; below 1 also where that is not known.
    [[nodiscard]] double completed(std::int64_t count) const
    {
        constexpr double kNotAll = 0.9999;
        return m_runsInStore <= 0
            ? 0
            : std::min(static_cast<double>(count) / static_cast<double>(m_runsInStore), kNotAll);
    }

    std::int64_t effects = 0;
    std::int64_t runs = 0; ///< begun

private:
    const SuspectOptions &m_options;
    std::int64_t m_runsInStore;
    double m_share;
    bool m_stopped = false;
    std::string m_runId;
};

} // namespace

Result<Collected> collectEffects(
    StoreReader &reader, const SuspectOptions &options, SuspectReport &report)
{
    ASSIGN_OR_RETURN(const RunTotals totals, reader.totals({}));
    Collected found;
    Candidates candidates;
    Pass first(options, totals.runsInStore, 0);
    RETURN_IF_ERROR(first.read(reader, [&](const Effect &effect, bool /*firstOfRun*/) {
        candidates.look(effect);
        found.doubtWithoutTime = found.doubtWithoutTime || (effect.inDoubt && !effect.startedAt);
    }));
    candidates.finish();
    found.anyReference = candidates.anyReference();
    if (first.stopped()) {
        // Nothing has been compared yet.
        report.coverage = 0;
        return found;
    }

    Pass second(options, totals.runsInStore, 0.5);
    std::unordered_set<std::string> madeHere; // references of this run that a reversal names
    RETURN_IF_ERROR(second.read(reader, [&](const Effect &effect, bool firstOfRun) {
        if (firstOfRun)
            madeHere.clear();
        if (isReversal(effect))
            found.set.addReversal(effect, madeHere.contains(effect.business.undoes));
        else if (!effect.reference.empty() && candidates.isNamed(effect.reference))
            madeHere.insert(effect.reference);
        if (candidates.mayBelong(effect))
            found.set.add(effect);
    }));
    found.set.finish();
    report.effectsChecked = second.effects;
    report.runsChecked = totals.runsInStore;
    if (second.stopped()) {
        // The run in which it stopped may lack effects.
        report.runsChecked = std::max<std::int64_t>(second.runs - 1, 0);
        report.coverage = second.completed(report.runsChecked);
    }
    return found;
}

} // namespace reprise

#include "core/suspects/suspects.h"

#include "core/suspects/rule.h"
#include "core/suspects/scorer.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace reprise {

namespace {

/// Connected components (union by smaller index, path halving).
class Components
{
public:
    explicit Components(std::size_t size)
        : m_parent(size)
    {
        std::iota(m_parent.begin(), m_parent.end(), std::size_t {0});
    }
    std::size_t root(std::size_t i)
    {
        while (m_parent[i] != i) {
            m_parent[i] = m_parent[m_parent[i]];
            i = m_parent[i];
        }
        return i;
    }
    void join(std::size_t a, std::size_t b)
    {
        a = root(a);
        b = root(b);
        m_parent[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::size_t> m_parent;
};

/// Reads the effects; says how much of the store was seen before it was stopped.
Result<EffectSet> readEffects(
    StoreReader &reader, const SuspectOptions &options, SuspectReport &report)
{
    ASSIGN_OR_RETURN(const RunTotals totals, reader.totals({}));
    EffectSet set;
    std::string runNow;
    bool stopped = false;
    constexpr std::int64_t kProgressEvery = 10'000;
    RETURN_IF_ERROR(reader.forEachEffect([&](const Effect &effect) {
        stopped = options.stop != nullptr && options.stop->load();
        if (stopped)
            return false;
        if (set.effects().empty() || effect.runId != runNow) {
            runNow = effect.runId;
            ++report.runsChecked;
        }
        set.add(effect);
        if (options.onProgress && ++report.effectsChecked % kProgressEvery == 0
            && totals.runsInStore > 0)
            options.onProgress(
                static_cast<double>(report.runsChecked) / static_cast<double>(totals.runsInStore));
        return true;
    }));
    report.effectsChecked = static_cast<std::int64_t>(set.effects().size());
    if (stopped && totals.runsInStore > 0)
        report.coverage = static_cast<double>(std::max<std::int64_t>(report.runsChecked - 1, 0))
            / static_cast<double>(totals.runsInStore);
    else
        report.runsChecked = totals.runsInStore;
    set.finish();
    return set;
}

} // namespace

const std::vector<std::unique_ptr<Rule>> &allRules()
{
    static const std::vector<std::unique_ptr<Rule>> rules = [] {
        std::vector<std::unique_ptr<Rule>> list;
        list.push_back(makeR01());
        list.push_back(makeR04());
        list.push_back(makeR05());
        list.push_back(makeR20());
        return list;
    }();
    return rules;
}

Result<SuspectReport> findSuspects(StoreReader &reader, const SuspectOptions &options)
{
    const RulesFile &file = RulesFile::builtIn();
    SuspectReport report;
    report.rulesVersion = file.version;
    ASSIGN_OR_RETURN(const EffectSet set, readEffects(reader, options, report));

    std::vector<PairHit> hits;
    for (const auto &rule : allRules()) {
        if (const auto why = rule->cannotRun(set); why && !set.effects().empty())
            report.rulesNotRun.push_back({rule->id(), *why});
        else
            rule->find(set, file.rules.at(rule->id()), hits);
    }
    for (const auto &[rule, why] : file.notRun)
        report.rulesNotRun.push_back({rule, why});
    std::sort(report.rulesNotRun.begin(), report.rulesNotRun.end(),
        [](const RuleNotRun &a, const RuleNotRun &b) { return a.rule < b.rule; });

    Components components(set.effects().size());
    for (const PairHit &hit : hits)
        components.join(hit.earlier, hit.later);
    std::map<std::size_t, std::vector<const PairHit *>> hitsOf;
    for (const PairHit &hit : hits)
        hitsOf[components.root(hit.earlier)].push_back(&hit);
    for (const auto &[root, own] : hitsOf) {
        std::vector<std::size_t> members;
        for (const PairHit *hit : own) {
            members.push_back(hit->earlier);
            members.push_back(hit->later);
        }
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
        report.clusters.push_back(scoreCluster(set, file, members, own));
    }
    std::sort(report.clusters.begin(), report.clusters.end(), ranksBefore);
    if (options.onProgress)
        options.onProgress(report.coverage);
    return report;
}

} // namespace reprise

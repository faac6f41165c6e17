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
    ASSIGN_OR_RETURN(const Collected found, collectEffects(reader, options, report));

    std::vector<PairHit> hits;
    for (const auto &rule : allRules()) {
        rule->find(found.set, file.rules.at(rule->id()), hits);
        if (const auto why = rule->fieldMissing(found); why && report.effectsChecked > 0)
            report.rulesNotRun.push_back({rule->id(), *why});
    }
    for (const auto &[rule, why] : file.notRun)
        report.rulesNotRun.push_back({rule, why});
    std::sort(report.rulesNotRun.begin(), report.rulesNotRun.end(),
        [](const RuleNotRun &a, const RuleNotRun &b) { return a.rule < b.rule; });

    Components components(found.set.effects().size());
    for (const PairHit &hit : hits)
        components.join(hit.earlier, hit.later);
    std::map<std::size_t, std::vector<const PairHit *>> hitsOf;
    for (const PairHit &hit : hits)
        hitsOf[components.root(hit.earlier)].push_back(&hit);
    for (const auto &[root, own] : hitsOf)
        report.clusters.push_back(scoreCluster(found.set, file, own));
    std::sort(report.clusters.begin(), report.clusters.end(), ranksBefore);
    if (options.onProgress)
        options.onProgress(report.coverage);
    return report;
}

} // namespace reprise

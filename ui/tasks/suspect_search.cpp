#include "ui/tasks/suspect_search.h"

#include <algorithm>
#include <set>

namespace reprise::ui {

SuspectSearch::SuspectSearch(TaskRunner &runner, QObject *parent)
    : QObject(parent)
    , m_runner(runner)
{
    connect(&m_channel, &TaskChannel::progressed, this, [this](double part) {
        m_progress = part;
        Q_EMIT progressed(part);
    });
}

void SuspectSearch::start()
{
    m_state = State::Running;
    m_progress = 0;
    m_channel.run<SuspectReport>(
        m_runner, Lane::Long, tr("Looking for suspects"),
        [](TaskContext &context) -> Result<SuspectReport> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            return findSuspects(
                *reader, {context.stopFlag(), [&](double part) { context.progress(part); }});
        },
        [this](Result<SuspectReport> result) { take(std::move(result)); });
    Q_EMIT changed();
}

void SuspectSearch::take(Result<SuspectReport> result)
{
    if (result) {
        m_report = std::move(*result);
        m_state = m_report.coverage < 1 ? State::Stopped : State::Done;
        m_byRun.clear();
        m_byAction.clear();
        for (std::size_t i = 0; i < m_report.clusters.size(); ++i) {
            const Cluster &cluster = m_report.clusters[i];
            std::set<std::string> runs;
            for (const Member &member : cluster.members) {
                runs.insert(member.effect.runId);
                auto &entry = m_byAction[{member.effect.runId, member.effect.seq}];
                if (entry.empty() || entry.back() != i)
                    entry.push_back(i);
            }
            for (const std::string &run : runs) {
                RunSuspects &entry = m_byRun[run];
                ++entry.count;
                entry.worst = std::min(entry.worst, cluster.severity);
            }
        }
    } else {
        m_error = result.error();
        m_state = m_error.code == ErrorCode::Cancelled ? State::Stopped : State::Failed;
    }
    Q_EMIT changed();
}

RunSuspects SuspectSearch::of(const std::string &runId) const
{
    const auto found = m_byRun.find(runId);
    return found == m_byRun.end() ? RunSuspects {} : found->second;
}

std::vector<const Cluster *> SuspectSearch::of(const std::string &runId, std::int64_t seq) const
{
    std::vector<const Cluster *> clusters;
    if (const auto found = m_byAction.find({runId, seq}); found != m_byAction.end())
        for (const std::size_t i : found->second)
            clusters.push_back(&m_report.clusters[i]);
    return clusters;
}

std::int64_t SuspectSearch::open() const
{
    return std::count_if(m_report.clusters.begin(), m_report.clusters.end(),
        [](const Cluster &cluster) { return cluster.severity != Severity::Info; });
}

} // namespace reprise::ui

#pragma once

#include "core/suspects/suspects.h"
#include "ui/tasks/task_runner.h"

#include <QHash>
#include <QObject>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reprise::ui {

/// What the suspects say about one run, for the Runs table.
struct RunSuspects
{
    std::int64_t count = 0;
    Severity worst = Severity::Info;
};

/// The search for suspects of one store: runs in the background, is shared by all pages. Lives in
/// the GUI thread.
class SuspectSearch : public QObject
{
    Q_OBJECT
public:
    enum class State { Waiting, Running, Done, Stopped, Failed };

    SuspectSearch(TaskRunner &runner, QObject *parent);

    void start();
    void stop() { m_channel.stop(); }
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] double progress() const { return m_progress; }
    /// Of the newest search that ended; empty before.
    [[nodiscard]] const SuspectReport &report() const { return m_report; }
    [[nodiscard]] const Error &error() const { return m_error; }
    [[nodiscard]] RunSuspects of(const std::string &runId) const;
    /// The suspects that an action is a member of, highest ranked first. Valid until `changed`.
    [[nodiscard]] std::vector<const Cluster *> of(const std::string &runId, std::int64_t seq) const;
    /// Suspects that a reviewer has to look at: all but those of severity Info.
    [[nodiscard]] std::int64_t open() const;

Q_SIGNALS:
    void changed();
    void progressed(double part);

private:
    void take(Result<SuspectReport> result);

    TaskRunner &m_runner;
    TaskChannel m_channel;
    State m_state = State::Waiting;
    double m_progress = 0;
    SuspectReport m_report;
    Error m_error;
    std::map<std::string, RunSuspects> m_byRun;
    std::map<std::pair<std::string, std::int64_t>, std::vector<std::size_t>> m_byAction;
};

} // namespace reprise::ui

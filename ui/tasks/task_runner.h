#pragma once

#include "core/base/result.h"
#include "core/inspect/store_reader.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QString>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

/// The one bridge between the window and the threads that read a store.
namespace reprise::ui {

class TaskRunner;

/// Short questions (a page of rows, one action) do not wait behind long ones (suspects,
/// verification, hashing).
enum class Lane { Quick, Long };

/// What a task works with, on its worker's thread, for as long as it runs.
class TaskContext
{
public:
    TaskContext(TaskRunner &runner, quint64 id, std::unique_ptr<StoreReader> &reader,
        const std::atomic<bool> &stop);

    /// The worker's own reader; opened when it is first needed.
    [[nodiscard]] Result<StoreReader *> reader();
    [[nodiscard]] bool stopped() const { return m_stop.load(); }
    [[nodiscard]] const std::atomic<bool> *stopFlag() const { return &m_stop; }
    /// 0 to 1; may be called as often as is convenient.
    void progress(double part);

private:
    TaskRunner &m_runner;
    quint64 m_id;
    std::unique_ptr<StoreReader> &m_reader;
    const std::atomic<bool> &m_stop;
    int m_permilleShown = -1;
};

/// One asker in the window. Its newest request wins: asking again stops the request before, whose
/// answer is dropped. Lives in the GUI thread; usually a member of the page that asks, and when it
/// goes, answers on their way are dropped.
class TaskChannel : public QObject
{
    Q_OBJECT
public:
    explicit TaskChannel(QObject *parent = nullptr);
    ~TaskChannel() override;

    /// `work` runs on a worker; `done` gets its result on the GUI thread. A task with a title is
    /// shown in the status bar and can be stopped there; it then still delivers what it answers.
    template <typename T>
    void run(TaskRunner &runner, Lane lane, const QString &title,
        std::function<Result<T>(TaskContext &)> work, std::function<void(Result<T>)> done);
    /// Stops the request on its way; no answer will come.
    void abandon();
    /// Asks the task to end early; its answer still comes (partial, or ErrorCode::Cancelled).
    void stop();
    [[nodiscard]] bool isBusy() const { return m_current != 0; }

Q_SIGNALS:
    void busyChanged(bool busy);
    void progressed(double part);

private:
    friend class TaskRunner;
    using Answer = std::shared_ptr<void>;
    void start(TaskRunner &runner, Lane lane, const QString &title,
        std::function<Answer(TaskContext &)> work, std::function<void(const Answer &)> deliver);
    void finish(quint64 id, const Answer &answer);

    QPointer<TaskRunner> m_runner;
    quint64 m_current = 0;
    std::function<void(const Answer &)> m_deliver;
};

/// A task that people are told about.
struct ActiveTask
{
    quint64 id = 0;
    QString title;
    double progress = -1; ///< negative: not known
};

/// Workers for one store. Each has a reader of its own. Lives in the GUI thread; destruction
/// interrupts what runs and waits for it, which takes as long as one step of a query.
class TaskRunner : public QObject
{
    Q_OBJECT
public:
    using OpenReader = std::function<Result<std::unique_ptr<StoreReader>>()>;

    explicit TaskRunner(OpenReader open, QObject *parent = nullptr);
    ~TaskRunner() override;

    /// Tasks with a title that are queued or run, oldest first.
    [[nodiscard]] const std::vector<ActiveTask> &activeTasks() const { return m_active; }
    /// Nothing is queued, running or about to be delivered.
    [[nodiscard]] bool isIdle() const { return m_channels.isEmpty(); }
    void stop(quint64 id);
    void stopTitled();

Q_SIGNALS:
    void activeTasksChanged();

private:
    friend class TaskChannel;
    friend class TaskContext;
    using Answer = TaskChannel::Answer;

    struct Task
    {
        quint64 id = 0;
        std::function<Answer(TaskContext &)> work;
        std::shared_ptr<std::atomic<bool>> stop;
    };
    struct Running
    {
        quint64 id = 0;
        StoreReader *reader = nullptr; ///< set while the task may be interrupted
        std::shared_ptr<std::atomic<bool>> stop;
    };

    quint64 enqueue(TaskChannel *channel, Lane lane, const QString &title,
        std::function<Answer(TaskContext &)> work);
    void runWorker(Lane lane);
    void delivered(quint64 id, const Answer &answer);
    void showProgress(quint64 id, double part);
    void setReader(quint64 id, StoreReader *reader);

    OpenReader m_open;
    // GUI thread only.
    quint64 m_lastId = 0;
    QHash<quint64, QPointer<TaskChannel>> m_channels;
    std::vector<ActiveTask> m_active;
    // Shared with the workers, under m_mutex.
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_ended;
    std::deque<Task> m_queues[2];
    std::vector<Running> m_running;
    int m_workers = 0;
    bool m_closing = false;
    std::vector<std::thread> m_threads;
};

template <typename T>
void TaskChannel::run(TaskRunner &runner, Lane lane, const QString &title,
    std::function<Result<T>(TaskContext &)> work, std::function<void(Result<T>)> done)
{
    start(
        runner, lane, title,
        [work = std::move(work)](
            TaskContext &context) -> Answer { return std::make_shared<Result<T>>(work(context)); },
        [done = std::move(done)](const Answer &answer) {
            done(std::move(*std::static_pointer_cast<Result<T>>(answer)));
        });
}

} // namespace reprise::ui

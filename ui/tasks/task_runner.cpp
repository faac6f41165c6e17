#include "ui/tasks/task_runner.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace reprise::ui {

namespace {

constexpr int kWorkersPerLane = 2;
/// An interrupt between two statements of a task is lost, so closing repeats it.
constexpr std::chrono::milliseconds kInterruptAgain {20};
constexpr double kPermille = 1'000;

} // namespace

TaskContext::TaskContext(TaskRunner &runner, quint64 id, std::unique_ptr<StoreReader> &reader,
    const std::atomic<bool> &stop)
    : m_runner(runner)
    , m_id(id)
    , m_reader(reader)
    , m_stop(stop)
{
}

Result<StoreReader *> TaskContext::reader()
{
    if (!m_reader) {
        ASSIGN_OR_RETURN(m_reader, m_runner.m_open());
    }
    m_runner.setReader(m_id, m_reader.get());
    if (stopped())
        return fail(ErrorCode::Cancelled, "stopped");
    return m_reader.get();
}

void TaskContext::progress(double part)
{
    const int permille = static_cast<int>(part * kPermille);
    if (permille == m_permilleShown)
        return;
    m_permilleShown = permille;
    QMetaObject::invokeMethod(
        &m_runner, [runner = &m_runner, id = m_id, part] { runner->showProgress(id, part); },
        Qt::QueuedConnection);
}

TaskChannel::TaskChannel(QObject *parent)
    : QObject(parent)
{
}

TaskChannel::~TaskChannel()
{
    if (m_runner && m_current != 0)
        m_runner->stop(m_current);
}

void TaskChannel::start(TaskRunner &runner, Lane lane, const QString &title,
    std::function<Answer(TaskContext &)> work, std::function<void(const Answer &)> deliver)
{
    const bool wasBusy = isBusy();
    if (m_runner && wasBusy)
        m_runner->stop(m_current);
    m_runner = &runner;
    m_deliver = std::move(deliver);
    m_current = runner.enqueue(this, lane, title, std::move(work));
    if (!wasBusy)
        Q_EMIT busyChanged(true);
}

void TaskChannel::abandon()
{
    if (!isBusy())
        return;
    if (m_runner)
        m_runner->stop(m_current);
    m_current = 0;
    m_deliver = nullptr;
    Q_EMIT busyChanged(false);
}

void TaskChannel::stop()
{
    if (m_runner && isBusy())
        m_runner->stop(m_current);
}

void TaskChannel::finish(quint64 id, const Answer &answer)
{
    if (id != m_current)
        return;
    m_current = 0;
    const auto deliver = std::exchange(m_deliver, nullptr);
    const QPointer<TaskChannel> self(this);
    deliver(answer);
    if (self && !isBusy())
        Q_EMIT busyChanged(false);
}

TaskRunner::TaskRunner(OpenReader open, QObject *parent)
    : QObject(parent)
    , m_open(std::move(open))
{
    for (const Lane lane : {Lane::Quick, Lane::Long})
        for (int i = 0; i < kWorkersPerLane; ++i) {
            ++m_workers;
            m_threads.emplace_back([this, lane] { runWorker(lane); });
        }
}

TaskRunner::~TaskRunner()
{
    {
        std::unique_lock lock(m_mutex);
        m_closing = true;
        for (auto &queue : m_queues)
            queue.clear();
        m_wake.notify_all();
        do {
            for (const Running &running : m_running) {
                *running.stop = true;
                if (running.reader)
                    running.reader->interrupt();
            }
        } while (!m_ended.wait_for(lock, kInterruptAgain, [this] { return m_workers == 0; }));
    }
    for (std::thread &thread : m_threads)
        thread.join();
}

quint64 TaskRunner::enqueue(TaskChannel *channel, Lane lane, const QString &title,
    std::function<Answer(TaskContext &)> work)
{
    const quint64 id = ++m_lastId;
    m_channels.insert(id, channel);
    {
        const std::lock_guard lock(m_mutex);
        m_queues[static_cast<std::size_t>(lane)].push_back(
            {id, std::move(work), std::make_shared<std::atomic<bool>>(false)});
    }
    m_wake.notify_all();
    if (!title.isEmpty()) {
        m_active.push_back({id, title});
        Q_EMIT activeTasksChanged();
    }
    return id;
}

void TaskRunner::stop(quint64 id)
{
    const std::lock_guard lock(m_mutex);
    for (auto &queue : m_queues)
        for (Task &task : queue)
            if (task.id == id)
                *task.stop = true;
    for (const Running &running : m_running)
        if (running.id == id) {
            *running.stop = true;
            if (running.reader)
                running.reader->interrupt();
        }
}

void TaskRunner::stopTitled()
{
    for (const ActiveTask &task : m_active)
        stop(task.id);
}

void TaskRunner::setReader(quint64 id, StoreReader *reader)
{
    const std::lock_guard lock(m_mutex);
    for (Running &running : m_running)
        if (running.id == id)
            running.reader = reader;
}

void TaskRunner::runWorker(Lane lane)
{
    std::unique_ptr<StoreReader> reader;
    std::deque<Task> &queue = m_queues[static_cast<std::size_t>(lane)];
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [&] { return m_closing || !queue.empty(); });
        if (m_closing)
            break;
        const Task task = std::move(queue.front());
        queue.pop_front();
        m_running.push_back({task.id, nullptr, task.stop});
        lock.unlock();

        TaskContext context(*this, task.id, reader, *task.stop);
        Answer answer = task.work(context);

        lock.lock();
        // From here on no interrupt for this task can meet the next one.
        std::erase_if(m_running, [&](const Running &running) { return running.id == task.id; });
        if (m_closing)
            break;
        QMetaObject::invokeMethod(
            this, [this, id = task.id, answer = std::move(answer)] { delivered(id, answer); },
            Qt::QueuedConnection);
    }
    reader.reset();
    --m_workers;
    m_ended.notify_all();
}

void TaskRunner::delivered(quint64 id, const Answer &answer)
{
    const QPointer<TaskChannel> channel = m_channels.take(id);
    if (std::erase_if(m_active, [id](const ActiveTask &task) { return task.id == id; }) > 0)
        Q_EMIT activeTasksChanged();
    if (channel)
        channel->finish(id, answer);
}

void TaskRunner::showProgress(quint64 id, double part)
{
    for (ActiveTask &task : m_active)
        if (task.id == id) {
            task.progress = part;
            Q_EMIT activeTasksChanged();
        }
    const QPointer<TaskChannel> channel = m_channels.value(id);
    if (channel && channel->m_current == id)
        Q_EMIT channel->progressed(part);
}

} // namespace reprise::ui

#include "tests/support/fake_store_reader.h"
#include "ui/tasks/task_runner.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <semaphore>

using namespace reprise;
using namespace reprise::ui;

namespace {

/// A reader whose totals take until somebody interrupts them.
class SlowReader final : public test::FakeStoreReader
{
public:
    [[nodiscard]] Result<RunTotals> totals(const std::string & /*filter*/) override
    {
        started.release();
        m_interrupted.acquire();
        return fail(ErrorCode::Cancelled, "interrupted");
    }
    void interrupt() override { m_interrupted.release(); }

    static inline std::counting_semaphore<> started {0};

private:
    std::counting_semaphore<> m_interrupted {0};
};

TaskRunner::OpenReader fakeReader()
{
    return [] {
        return Result<std::unique_ptr<StoreReader>>(std::make_unique<test::FakeStoreReader>());
    };
}

TaskRunner::OpenReader slowReader()
{
    return [] { return Result<std::unique_ptr<StoreReader>>(std::make_unique<SlowReader>()); };
}

Result<RunTotals> askTotals(TaskContext &context)
{
    ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
    return reader->totals("");
}

} // namespace

class TestTaskRunner : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void run_worksElsewhere_deliversHere()
    {
        TaskRunner runner(fakeReader());
        TaskChannel channel;
        QThread *worked = nullptr;
        QThread *delivered = nullptr;
        channel.run<QThread *>(
            runner, Lane::Quick, {},
            [](TaskContext &) -> Result<QThread *> { return QThread::currentThread(); },
            [&](Result<QThread *> result) {
                worked = result.value();
                delivered = QThread::currentThread();
            });
        QVERIFY(channel.isBusy());
        QVERIFY(worked == nullptr);
        QTRY_VERIFY(!channel.isBusy());
        QVERIFY(worked != nullptr && worked != QThread::currentThread());
        QCOMPARE(delivered, QThread::currentThread());
        QVERIFY(runner.isIdle());
    }

    void run_twice_deliversTheNewestOnly()
    {
        TaskRunner runner(fakeReader());
        TaskChannel channel;
        QList<int> delivered;
        std::binary_semaphore hold {0};
        channel.run<int>(
            runner, Lane::Quick, {},
            [&](TaskContext &) -> Result<int> {
                hold.acquire();
                return 1;
            },
            [&](Result<int> result) { delivered.append(result.value()); });
        channel.run<int>(
            runner, Lane::Quick, {}, [](TaskContext &) -> Result<int> { return 2; },
            [&](Result<int> result) { delivered.append(result.value()); });
        hold.release();
        QTRY_VERIFY(runner.isIdle());
        QCOMPARE(delivered, QList<int> {2});
    }

    void run_again_interruptsTheQueryBefore()
    {
        TaskRunner runner(slowReader());
        TaskChannel channel;
        bool first = false;
        bool second = false;
        channel.run<RunTotals>(
            runner, Lane::Quick, {}, askTotals, [&](Result<RunTotals>) { first = true; });
        SlowReader::started.acquire();
        channel.run<int>(
            runner, Lane::Quick, {}, [](TaskContext &) -> Result<int> { return 2; },
            [&](Result<int>) { second = true; });
        // Without the interrupt the first one would never end.
        QTRY_VERIFY(runner.isIdle());
        QVERIFY(!first);
        QVERIFY(second);
    }

    void stop_ofATitledTask_deliversItsAnswer()
    {
        TaskRunner runner(slowReader());
        TaskChannel channel;
        QSignalSpy changed(&runner, &TaskRunner::activeTasksChanged);
        std::optional<ErrorCode> code;
        channel.run<RunTotals>(runner, Lane::Long, QStringLiteral("Counting"), askTotals,
            [&](Result<RunTotals> result) { code = result.error().code; });
        QCOMPARE(runner.activeTasks().size(), std::size_t {1});
        QCOMPARE(runner.activeTasks().front().title, QStringLiteral("Counting"));
        SlowReader::started.acquire();
        runner.stopTitled();
        QTRY_VERIFY(code.has_value());
        QCOMPARE(*code, ErrorCode::Cancelled);
        QVERIFY(runner.activeTasks().empty());
        QCOMPARE(changed.count(), 2);
    }

    void channel_gone_dropsTheAnswer()
    {
        TaskRunner runner(fakeReader());
        bool delivered = false;
        {
            TaskChannel channel;
            channel.run<int>(
                runner, Lane::Quick, {}, [](TaskContext &) -> Result<int> { return 1; },
                [&](Result<int>) { delivered = true; });
        }
        QTRY_VERIFY(runner.isIdle());
        QVERIFY(!delivered);
    }

    void runner_gone_interruptsAndWaits()
    {
        TaskChannel channel;
        bool delivered = false;
        {
            TaskRunner runner(slowReader());
            channel.run<RunTotals>(
                runner, Lane::Quick, {}, askTotals, [&](Result<RunTotals>) { delivered = true; });
            SlowReader::started.acquire();
        }
        QVERIFY(!delivered);
    }

    void progress_reachesChannelAndStatus()
    {
        TaskRunner runner(fakeReader());
        TaskChannel channel;
        QSignalSpy progressed(&channel, &TaskChannel::progressed);
        channel.run<int>(
            runner, Lane::Long, QStringLiteral("Work"),
            [](TaskContext &context) -> Result<int> {
                context.progress(0.25);
                context.progress(0.25);
                context.progress(0.5);
                return 1;
            },
            [](Result<int>) {});
        QTRY_VERIFY(!channel.isBusy());
        QCOMPARE(progressed.count(), 2);
        QCOMPARE(progressed.at(1).at(0).toDouble(), 0.5);
    }

    void open_fails_isTheAnswer()
    {
        TaskRunner runner([]() -> Result<std::unique_ptr<StoreReader>> {
            return fail(ErrorCode::StoreForeign, "is not a Reprise store");
        });
        TaskChannel channel;
        std::optional<ErrorCode> code;
        channel.run<RunTotals>(runner, Lane::Quick, {}, askTotals,
            [&](Result<RunTotals> result) { code = result.error().code; });
        QTRY_COMPARE(code, std::optional(ErrorCode::StoreForeign));
    }
};

QTEST_GUILESS_MAIN(TestTaskRunner)
#include "tst_task_runner.moc"

#include "core/executor/executor.h"
#include "core/executor/plan.h"
#include "core/inspect/store_reader.h"
#include "core/journal/verify.h"
#include "core/key/key.h"
#include "core/store/group_commit.h"
#include "core/store/sqlite_store.h"
#include "core/store/write_turn.h"
#include "tests/support/quoted.h"
#include "tests/support/scripted_runner.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <latch>
#include <thread>

using namespace reprise;
using namespace reprise::test;

namespace {

/// Counts and remembers batches; the first one waits until `go`.
struct Recorder
{
    std::latch entered {1};
    std::latch go {1};
    std::vector<std::size_t> sizes;
    std::int64_t entries = 0;

    void commit(std::span<AppendRequest *const> batch)
    {
        if (sizes.empty()) {
            entered.count_down();
            go.wait();
        }
        sizes.push_back(batch.size());
        for (AppendRequest *request : batch) {
            ++entries;
            request->result = AppendReceipt {entries, entries};
        }
    }
};

/// A tool that may be called by many threads at once.
class CountingRunner final : public ToolRunner
{
public:
    std::atomic<int> calls {0};

    [[nodiscard]] Result<std::unique_ptr<PreparedCall>> prepare(const ToolCall &call) override
    {
        return Result<std::unique_ptr<PreparedCall>>(std::make_unique<Prepared>(*this, call));
    }
    [[nodiscard]] ProbeResult probe(const ToolCall & /*call*/) override { return {}; }

private:
    class Prepared final : public PreparedCall
    {
    public:
        Prepared(CountingRunner &runner, const ToolCall &call)
            : m_runner(runner)
            , m_seq(call.seq)
        {
        }
        [[nodiscard]] std::optional<ProcessId> process() const override { return std::nullopt; }
        [[nodiscard]] ToolAnswer run() override
        {
            ++m_runner.calls;
            return {OutcomeClass::Succeeded, "0", {},
                quoted("{'id':'ch_") + std::to_string(m_seq) + quoted("'}"), {}};
        }

    private:
        CountingRunner &m_runner;
        std::int64_t m_seq;
    };
};

} // namespace

class TestGroupCommit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("s.db")).toStdString();
    }

    void submit_whileOneCommits_theRestGoTogether()
    {
        constexpr int kFollowers = 12;
        Recorder recorder;
        GroupCommit group([&](std::span<AppendRequest *const> batch) { recorder.commit(batch); });
        std::atomic<int> submitted {0};
        std::vector<std::jthread> threads;
        AppendRequest first;
        threads.emplace_back([&] { group.submit(first); });
        recorder.entered.wait();
        std::vector<AppendRequest> followers(kFollowers);
        for (AppendRequest &request : followers)
            threads.emplace_back([&] {
                ++submitted;
                group.submit(request);
            });
        while (submitted < kFollowers)
            std::this_thread::yield();
        // `submitted` is counted before the queue is entered: give the last one the time for it.
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        recorder.go.count_down();
        threads.clear();
        QCOMPARE(recorder.sizes[0], std::size_t {1});
        QVERIFY(recorder.sizes.size() <= 1 + kFollowers / 2);
        QCOMPARE(recorder.entries, std::int64_t {1 + kFollowers});
        for (const AppendRequest &request : followers)
            QVERIFY(request.result && *request.result);
    }

    /// Claims, outcomes and replays of many threads, on one journal without gaps.
    void execute_manyThreads_oneCallForEachKey_E13()
    {
        constexpr int kThreads = 8;
        constexpr int kActions = 60;
        SystemClock clock;
        SystemRandom random;
        CountingRunner runner;
        const ToolSet tools = *ToolSet::parse(
            quoted("{'tools':[{'name':'charge','version':'1','result':{'reference':'/id'}}]}"),
            "tools", "/");
        {
            auto store = std::move(*SqliteStore::create(m_path, StoreKind::Live, {clock, random}));
            Plan plan;
            plan.runId = "run-1";
            plan.revision = 1;
            for (int i = 0; i < kActions; ++i)
                plan.actions.push_back({i, "charge", "{}"});
            QVERIFY(writePlan(*store, clock, plan, tools));
            auto executor = std::move(*Executor::create(*store, runner, {clock, random, &tools}));
            std::atomic<int> executed {0};
            std::atomic<int> wrong {0};
            {
                std::vector<std::jthread> threads;
                for (int t = 0; t < kThreads; ++t)
                    threads.emplace_back([&] {
                        for (int i = 0; i < kActions; ++i) {
                            const auto report = executor->execute({*RunId::parse("run-1"),
                                *Seq::of(i), std::nullopt, std::nullopt, 10'000});
                            const auto word = disposition(report.answer);
                            if (word == "executed")
                                ++executed;
                            else if (word != "replayed")
                                ++wrong;
                        }
                    });
            }
            QCOMPARE(wrong.load(), 0);
            QCOMPARE(executed.load(), kActions);
            QCOMPARE(runner.calls.load(), kActions);
        }
        auto reader = StoreReader::open(m_path);
        QVERIFY(reader);
        VerifyOptions options;
        options.deep = true;
        const auto verified = verifyStore(**reader, options);
        QVERIFY(verified && verified->ok);
        // Every thread asked for every action, and every answer stands in the journal.
        QVERIFY(verified->entries >= std::int64_t {kActions} * (kThreads + 2));
        QVERIFY(!QDir(QString::fromStdString(m_path + ".owners")).exists());
    }

    void append_oneConflict_isRefusedAlone()
    {
        constexpr int kThreads = 8;
        SystemClock clock;
        SystemRandom random;
        auto store = std::move(*SqliteStore::create(m_path, StoreKind::Live, {clock, random}));
        Plan plan;
        plan.runId = "run-1";
        plan.revision = 1;
        for (int i = 0; i < kThreads; ++i)
            plan.actions.push_back({i, "charge", "{}"});
        QVERIFY(writePlan(*store, clock, plan, {}));
        std::atomic<int> conflicts {0};
        std::atomic<int> written {0};
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < kThreads; ++t)
                threads.emplace_back([&, t] {
                    const Key key = deriveKey(*RunId::parse("run-1"), *Seq::of(t));
                    const auto record = store->find(key);
                    const bool stale = t % 2 == 0;
                    const std::array events {Event {clock.now(), ActionCancelled {key, "test"}}};
                    const std::array seen {Precondition {key, stale ? 999 : (*record)->stateEntry}};
                    const auto done = store->append(events, {}, seen);
                    if (done)
                        ++written;
                    else if (done.error().code == ErrorCode::Conflict)
                        ++conflicts;
                });
        }
        QCOMPARE(written.load(), kThreads / 2);
        QCOMPARE(conflicts.load(), kThreads / 2);
        for (int t = 0; t < kThreads; ++t) {
            const auto record = store->find(deriveKey(*RunId::parse("run-1"), *Seq::of(t)));
            QCOMPARE((*record)->state, t % 2 == 0 ? ActionState::Planned : ActionState::Cancelled);
        }
    }

    /// An event that cannot be applied takes no other caller's event with it.
    void append_oneFails_theOthersAreWritten()
    {
        constexpr int kThreads = 8;
        SystemClock clock;
        SystemRandom random;
        auto store = std::move(*SqliteStore::create(m_path, StoreKind::Live, {clock, random}));
        Plan plan;
        plan.runId = "run-1";
        plan.revision = 1;
        for (int i = 0; i < kThreads; ++i)
            plan.actions.push_back({i, "charge", "{}"});
        QVERIFY(writePlan(*store, clock, plan, {}));
        std::atomic<int> failed {0};
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < kThreads; ++t)
                threads.emplace_back([&, t] {
                    // Seq 1000 was never planned.
                    const Key key = deriveKey(*RunId::parse("run-1"), *Seq::of(t == 3 ? 1000 : t));
                    const std::array events {Event {clock.now(), ActionCancelled {key, "test"}}};
                    if (!store->append(events, {}, {}))
                        ++failed;
                });
        }
        QCOMPARE(failed.load(), 1);
        for (int t = 0; t < kThreads; ++t) {
            const auto record = store->find(deriveKey(*RunId::parse("run-1"), *Seq::of(t)));
            QCOMPARE((*record)->state, t == 3 ? ActionState::Planned : ActionState::Cancelled);
        }
    }

    void turn_heldByAnother_isBusyAfterTheLimit_andComesLater()
    {
        const std::string folder = m_path + ".owners";
        {
            WriteTurn first(folder);
            WriteTurn second(folder);
            {
                const auto held = first.take(1000);
                QVERIFY(held);
                const auto refused = second.take(30);
                QVERIFY(!refused);
                QCOMPARE(refused.error().code, ErrorCode::StoreBusy);
            }
            // What the second asked for in vain is not its turn for ever.
            for (int i = 0; i < 20; ++i) {
                QVERIFY(first.take(10'000));
                QVERIFY(second.take(10'000));
            }
        }
        QVERIFY(!QDir(QString::fromStdString(folder)).exists());
    }

    void turn_alternates_underContention()
    {
        constexpr int kTurns = 300;
        const std::string folder = m_path + ".owners";
        std::atomic<int> inside {0};
        std::atomic<int> together {0};
        std::vector<int> order; // written by whoever has the turn
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 3; ++t)
                threads.emplace_back([&, t] {
                    WriteTurn turn(folder);
                    for (int i = 0; i < kTurns; ++i) {
                        const auto held = turn.take(60'000);
                        if (!held || ++inside != 1)
                            ++together;
                        order.push_back(t);
                        --inside;
                    }
                });
        }
        QCOMPARE(together.load(), 0);
        QCOMPARE(order.size(), std::size_t {3 * kTurns});
    }

    void turn_fileRemoved_isTakenInANewOne()
    {
        const std::string folder = m_path + ".owners";
        WriteTurn stays(folder);
        QVERIFY(stays.take(1000));
        {
            WriteTurn goes(folder);
            QVERIFY(goes.take(1000));
        }
        QVERIFY(!QFile::exists(QString::fromStdString(folder + "/turn")));
        const auto held = stays.take(1000);
        QVERIFY(held);
        QVERIFY(QFile::exists(QString::fromStdString(folder + "/turn")));
        WriteTurn late(folder);
        QVERIFY(!late.take(20));
    }

    void turn_noFolderToBeHad_leavesItToSqlite()
    {
        WriteTurn nowhere("/proc/nowhere.owners");
        QVERIFY(nowhere.take(10));
        WriteTurn alone {std::string()};
        QVERIFY(alone.take(10));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_path;
};

QTEST_GUILESS_MAIN(TestGroupCommit)
#include "tst_group_commit.moc"

#include "core/executor/executor.h"
#include "core/executor/plan.h"
#include "core/executor/spool.h"
#include "core/inspect/store_reader.h"
#include "core/journal/verify.h"
#include "core/key/key.h"
#include "core/store/liveness.h"
#include "core/store/sqlite.h"
#include "core/store/sqlite_store.h"
#include "tests/support/faulty_store.h"
#include "tests/support/quoted.h"
#include "tests/support/scripted_runner.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace reprise;
using namespace reprise::test;

namespace {

using Fault = FaultyStore::Fault;

bool holds(std::span<const Event> events, std::string_view kind)
{
    return events.size() == 1 && events[0].kind() == kind;
}

} // namespace

/// What the executor does when its store fails. The ledger of calls is the scripted tool's.
class TestStoreTrouble : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("s.db")).toStdString();
        m_tools = *ToolSet::parse(
            quoted("{'tools':[{'name':'charge','version':'1','result':{'content_type':"
                   "'application/json','reference':'/id'}}]}"),
            "tools", "/");
        m_runner = std::make_unique<ScriptedRunner>();
        m_runner->onCall = [](const ToolCall &call) -> ToolAnswer {
            return {OutcomeClass::Succeeded, "0", {},
                quoted("{'id':'ch_") + std::to_string(call.seq) + quoted("'}"), {}};
        };
        m_store = std::move(*SqliteStore::create(m_path, StoreKind::Live, {m_clock, m_random}));
        m_faulty = std::make_unique<FaultyStore>(*m_store);
        Plan plan;
        plan.runId = "run-1";
        plan.revision = 1;
        for (int i = 1; i <= 3; ++i)
            plan.actions.push_back({i, "charge", "{}"});
        QVERIFY(writePlan(*m_store, m_clock, plan, m_tools));
        restart();
    }
    void cleanup()
    {
        m_executor.reset();
        m_store.reset();
    }

    void claim_isRefused_andNothingIsCalled_data()
    {
        QTest::addColumn<int>("code");
        QTest::newRow("E25 busy") << static_cast<int>(ErrorCode::StoreBusy);
        QTest::newRow("E27 full") << static_cast<int>(ErrorCode::StoreFull);
        QTest::newRow("I/O error") << static_cast<int>(ErrorCode::Io);
    }
    void claim_isRefused_andNothingIsCalled()
    {
        QFETCH(int, code);
        m_faulty->code = static_cast<ErrorCode>(code);
        m_faulty->fault
            = [](auto events) { return holds(events, "claimed") ? Fault::Before : Fault::None; };
        const auto report = execute(1);
        QCOMPARE(disposition(report.answer), std::string_view("refused"));
        QCOMPARE(static_cast<int>(std::get<answers::Refused>(report.answer).error.code), code);
        QCOMPARE(m_runner->calls.size(), std::size_t {0});
        QCOMPARE(record(1).state, ActionState::Planned);
        m_faulty->fault = {};
        QCOMPARE(disposition(execute(1).answer), std::string_view("executed"));
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
    }

    /// The claim is on the disk although its commit failed: nothing was sent, and it says so.
    void claim_committedAllTheSame_E36_isTakenBack()
    {
        m_faulty->fault
            = [](auto events) { return holds(events, "claimed") ? Fault::After : Fault::None; };
        QCOMPARE(disposition(execute(1).answer), std::string_view("refused"));
        QCOMPARE(m_runner->calls.size(), std::size_t {0});
        QCOMPARE(record(1).state, ActionState::Planned);
        m_faulty->fault = {};
        QCOMPARE(disposition(execute(1).answer), std::string_view("executed"));
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
    }

    void outcome_committedAllTheSame_E36_isTheAnswer()
    {
        m_faulty->fault = [](auto events) {
            return holds(events, "outcome_recorded") ? Fault::After : Fault::None;
        };
        const auto report = execute(1);
        QCOMPARE(disposition(report.answer), std::string_view("executed"));
        QCOMPARE(record(1).state, ActionState::Succeeded);
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
        QCOMPARE(spools(), 0);
    }

    /// The room that was reserved before the call is given back, and the store takes the outcome.
    void outcome_diskFull_E27_isRecordedInTheReservedRoom()
    {
        m_faulty->code = ErrorCode::StoreFull;
        m_faulty->fault = [this](auto events) {
            return holds(events, "outcome_recorded") && spoolBytes() == Spool::kReservedBytes
                ? Fault::Before
                : Fault::None;
        };
        m_runner->onCall = [this](const ToolCall & /*call*/) -> ToolAnswer {
            m_roomAtTheCall = spoolBytes();
            return {OutcomeClass::Succeeded, "0", {}, quoted("{'id':'ch_1'}"), {}};
        };
        QCOMPARE(disposition(execute(1).answer), std::string_view("executed"));
        QCOMPARE(m_roomAtTheCall, qint64(Spool::kReservedBytes));
        QCOMPARE(spoolBytes(), qint64(Spool::kKeptBytes));
        // The next claim takes the room again.
        QCOMPARE(disposition(execute(2).answer), std::string_view("executed"));
        QCOMPARE(m_roomAtTheCall, qint64(Spool::kReservedBytes));
    }

    void outcome_storeStaysFull_E26_E27_isSpooled_andNoNewEffect()
    {
        m_faulty->code = ErrorCode::StoreFull;
        m_faulty->fault = [](auto events) {
            return holds(events, "outcome_recorded") ? Fault::Before : Fault::None;
        };
        const auto report = execute(1);
        QCOMPARE(disposition(report.answer), std::string_view("executed_unrecorded"));
        const auto &unrecorded = std::get<answers::ExecutedUnrecorded>(report.answer);
        QCOMPARE(*unrecorded.answer.body, quoted("{'id':'ch_1'}"));
        QVERIFY(unrecorded.error.text().find(".spool") != std::string::npos);
        QCOMPARE(record(1).state, ActionState::InFlight);

        QCOMPARE(disposition(execute(2).answer), std::string_view("refused"));
        QCOMPARE(m_runner->calls.size(), std::size_t {1});

        m_faulty->fault = {};
        QCOMPARE(disposition(execute(2).answer), std::string_view("executed"));
        const auto replay = execute(1);
        QCOMPARE(disposition(replay.answer), std::string_view("replayed"));
        QCOMPARE(*std::get<answers::Replayed>(replay.answer).answer->body, quoted("{'id':'ch_1'}"));
        QCOMPARE(m_runner->calls.size(), std::size_t {2});
        verify();
    }

    /// The executor ends with an outcome in its spool; the next one records it before it executes.
    void spool_ofADeadOwner_E28_isTakenUpFirst()
    {
        spoolTheOutcomeOfSeq1();
        m_executor.reset();
        QCOMPARE(spools(), 1);
        m_faulty->fault = {};
        restart();
        QCOMPARE(disposition(execute(2).answer), std::string_view("executed"));
        QCOMPARE(record(1).state, ActionState::Succeeded);
        const auto replay = execute(1);
        QCOMPARE(*std::get<answers::Replayed>(replay.answer).answer->body, quoted("{'id':'ch_1'}"));
        QCOMPARE(m_runner->calls.size(), std::size_t {2});
        m_executor.reset();
        QCOMPARE(spools(), 0);
        verify();
    }

    void spool_beforeItIsTakenUp_E28_noEffectIsAuthorised()
    {
        spoolTheOutcomeOfSeq1();
        restart();
        QCOMPARE(disposition(execute(2).answer), std::string_view("refused"));
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
        QCOMPARE(spools(), 1);
    }

    void spool_thatContradicts_E28_E15_isQuarantined()
    {
        spoolTheOutcomeOfSeq1();
        m_executor.reset();
        m_faulty->fault = {};
        // An operator decides before anybody has taken up the spool.
        const ActionRecord before = record(1);
        const std::array doubt {Event {m_clock.now(),
            DoubtRaised {before.key, before.claim->attempt, before.claim->epoch, "crash"}}};
        QVERIFY(m_store->append(doubt, {}, {}));
        const std::array settled {Event {m_clock.now(),
            Settled {
                before.key, Decision::Failed, false, "Ada", "not at the provider", {}, {}, {}}}};
        QVERIFY(m_store->append(settled, {}, {}));
        restart();
        QCOMPARE(disposition(execute(2).answer), std::string_view("executed"));
        QCOMPARE(record(1).state, ActionState::Failed);
        m_executor.reset();
        const QDir folder(QString::fromStdString(m_path + ".owners"));
        QCOMPARE(folder.entryList({QStringLiteral("*.spool.quarantined")}, QDir::Files).size(), 1);
        QCOMPARE(folder.entryList({QStringLiteral("*.spool")}, QDir::Files).size(), 0);
        auto reader = StoreReader::open(m_path);
        const auto detail = (*reader)->action(before.key);
        QVERIFY(detail && *detail);
        const AttemptRow &late = (*detail)->attempts.back();
        QCOMPARE(late.kind, AttemptKind::LateReport);
        QVERIFY(late.note.starts_with("contradiction"));
        verify();
    }

    /// A kill in the middle of writing the spool: the cut line is not one.
    void spool_cutLine_isNoOutcome()
    {
        const std::string folder = m_path + ".owners";
        const Key key = deriveKey(*RunId::parse("run-1"), *Seq::of(1));
        const auto recording = makeRecording(*m_tools.find("charge"),
            {OutcomeClass::Succeeded, "0", {}, quoted("{'id':'ch_1'}"), "a\nb"}, m_clock.now(), key,
            1, 1);
        std::string path;
        {
            auto spool = Spool::reserve(folder, "feed");
            QVERIFY(spool);
            QVERIFY(spool->keep(recording));
            QVERIFY(spool->keep(recording));
            path = spool->path();
        }
        const auto whole = Spool::read(path);
        QCOMPARE(whole->size(), std::size_t {2});
        QCOMPARE((*whole)[0].outcome.result->body, recording.outcome.result->body);
        QCOMPARE((*whole)[0].bodies.size(), recording.bodies.size());
        QCOMPARE((*whole)[0].bodies[0].bytes, std::string("a\nb"));
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray bytes = file.readAll();
        const auto lines = bytes.lastIndexOf('\n') + 1;
        for (const qint64 cut : {lines - 1, lines - 40, lines / 2 + 1, lines / 2 - 1, qint64(0)}) {
            QVERIFY(file.resize(cut));
            const auto read = Spool::read(path);
            QVERIFY(read);
            QCOMPARE(qint64(read->size()), cut >= lines / 2 ? qint64(1) : qint64(0));
        }
    }

    /// One byte of a recorded result was changed on the disk: it is not handed on as the record,
    /// and the tool is not called for it.
    void replay_ofChangedBytes_E30_E31_isRefused()
    {
        QCOMPARE(disposition(execute(1).answer), std::string_view("executed"));
        QCOMPARE(disposition(execute(2).answer), std::string_view("executed"));
        const Digest body = *record(1).result->body;
        {
            auto database = SqliteDatabase::open(m_path, SqliteDatabase::Mode::ReadWrite);
            auto change = (*database)->prepare("UPDATE body SET bytes = ? WHERE sha256 = ?");
            const std::string changed = quoted("{'id':'ch_9'}");
            change->bindBlob(changed).bind(body);
            QVERIFY(change->run());
        }
        const auto report = execute(1);
        QCOMPARE(disposition(report.answer), std::string_view("refused"));
        QCOMPARE(std::get<answers::Refused>(report.answer).error.code, ErrorCode::StoreDamaged);
        QCOMPARE(disposition(execute(2).answer), std::string_view("replayed"));
        QCOMPARE(m_runner->calls.size(), std::size_t {2});
        auto reader = StoreReader::open(m_path);
        QCOMPARE((*reader)->body(body).error().code, ErrorCode::StoreDamaged);
        const auto verified = verifyStore(**reader, {});
        QVERIFY(verified && !verified->ok);
        QCOMPARE(verified->findings[0].kind, std::string("body"));
    }

    void owners_thatDied_leaveNoFiles_andLivingOnesStay()
    {
        const QString folder = QString::fromStdString(m_path + ".owners/");
        QFile dead(folder + QStringLiteral("dead.lock"));
        QVERIFY(dead.open(QIODevice::WriteOnly));
        dead.close();
        SeededRandom random(12);
        auto other = std::move(*Executor::create(*m_store, *m_runner, {m_clock, random, &m_tools}));
        QCOMPARE(disposition(execute(1).answer), std::string_view("executed"));
        QVERIFY(!dead.exists());
        QVERIFY(ownerAlive(m_store->ownersFolder(), other->owner().id));
        QVERIFY(ownerAlive(m_store->ownersFolder(), m_executor->owner().id));
    }

    /// Recorded results are answered from a store that cannot be written; nothing else is done.
    void readOnlyStore_E29_replaysAndRefuses()
    {
        QCOMPARE(disposition(execute(1).answer), std::string_view("executed"));
        m_executor.reset();
        m_store.reset();
        auto store = SqliteStore::openReadOnly(m_path);
        QVERIFY(store);
        const auto before
            = QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
        m_executor
            = std::move(*Executor::create(**store, *m_runner, {m_clock, m_random, &m_tools}));
        const auto replay = execute(1);
        QCOMPARE(disposition(replay.answer), std::string_view("replayed"));
        QCOMPARE(*std::get<answers::Replayed>(replay.answer).answer->body, quoted("{'id':'ch_1'}"));
        const auto refused = execute(2);
        QCOMPARE(disposition(refused.answer), std::string_view("refused"));
        QCOMPARE(std::get<answers::Refused>(refused.answer).error.code, ErrorCode::StoreReadOnly);
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
        m_executor.reset();
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), before);
    }

private:
    void restart()
    {
        m_executor.reset();
        m_executor
            = std::move(*Executor::create(*m_faulty, *m_runner, {m_clock, m_random, &m_tools}));
    }
    ExecuteReport execute(int seq)
    {
        return m_executor->execute(
            {*RunId::parse("run-1"), *Seq::of(seq), std::nullopt, std::nullopt, 0});
    }
    ActionRecord record(int seq)
    {
        return **m_store->find(deriveKey(*RunId::parse("run-1"), *Seq::of(seq)));
    }
    void spoolTheOutcomeOfSeq1()
    {
        m_faulty->fault = [](auto events) {
            return holds(events, "outcome_recorded") ? Fault::Before : Fault::None;
        };
        QCOMPARE(disposition(execute(1).answer), std::string_view("executed_unrecorded"));
    }
    [[nodiscard]] QStringList spoolFiles() const
    {
        return QDir(QString::fromStdString(m_path + ".owners"))
            .entryList({QStringLiteral("*.spool")}, QDir::Files);
    }
    [[nodiscard]] int spools() const
    {
        int held = 0;
        for (const QString &name : spoolFiles()) {
            const auto read = Spool::read(m_path + ".owners/" + name.toStdString());
            held += read && !read->empty() ? 1 : 0;
        }
        return held;
    }
    [[nodiscard]] qint64 spoolBytes() const
    {
        qint64 bytes = 0;
        for (const QString &name : spoolFiles())
            bytes += QFileInfo(QString::fromStdString(m_path + ".owners/") + name).size();
        return bytes;
    }
    void verify()
    {
        auto reader = StoreReader::open(m_path);
        QVERIFY(reader);
        VerifyOptions options;
        options.deep = true;
        const auto verified = verifyStore(**reader, options);
        QVERIFY(verified && verified->ok);
    }

    FakeClock m_clock;
    SeededRandom m_random {11};
    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_path;
    ToolSet m_tools;
    std::unique_ptr<ScriptedRunner> m_runner;
    std::unique_ptr<Store> m_store;
    std::unique_ptr<FaultyStore> m_faulty;
    std::unique_ptr<Executor> m_executor;
    qint64 m_roomAtTheCall = 0;
};

QTEST_GUILESS_MAIN(TestStoreTrouble)
#include "tst_store_trouble.moc"

#include "core/executor/executor.h"
#include "core/executor/plan.h"
#include "core/inspect/store_reader.h"
#include "core/journal/verify.h"
#include "core/key/key.h"
#include "core/store/sqlite.h"
#include "core/store/sqlite_store.h"
#include "tests/support/quoted.h"
#include "tests/support/scripted_runner.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace reprise;
using namespace reprise::test;

namespace {

/// Plans and executes `runs` runs of two actions in a store on disk.
void fillStore(Store &store, FakeClock &clock, Random &random, int runs)
{
    ScriptedRunner runner;
    runner.onCall = [&](const ToolCall &call) {
        return ToolAnswer {
            OutcomeClass::Succeeded, "0", {}, quoted("{'id':'ch_") + call.runId + quoted("'}"), {}};
    };
    const auto tools = ToolSet::parse(
        quoted(
            "{'tools':[{'name':'charge','result':{'reference':'/id'},'business':{'kind':'charge',"
            "'amount':'/amount','currency':'/currency','payee':'/payee'}}]}"),
        "tools", "/");
    auto executor = std::move(*Executor::create(store, runner, {clock, random, &*tools, {}, {}}));
    for (int i = 0; i < runs; ++i) {
        const std::string id = "run-" + std::to_string(i);
        const auto plan = Plan::parse(quoted("{'run_id':'" + id
                                          + "','actions':[{'tool':'charge','args':{'amount':4900,"
                                            "'currency':'EUR','payee':'cus_1'}},{'tool':'charge',"
                                            "'args':{'amount':1,'currency':'JPY','payee':'cus_"
                                          + std::to_string(i) + "'}}]}"),
            "plan");
        QVERIFY(plan);
        QVERIFY(writePlan(store, clock, *plan, *tools));
        clock.advanceUs(1'000'000);
        (void)executor->execute({*RunId::parse(id), *Seq::of(1), {}, {}, 0});
        (void)executor->execute({*RunId::parse(id), *Seq::of(1), {}, {}, 0});
    }
}

struct Snapshot
{
    std::vector<EvidenceFile> files;
    QStringList listing;
    friend bool operator==(const Snapshot &, const Snapshot &) = default;
};

Snapshot snapshot(const QString &path)
{
    return {*evidenceState(path.toStdString(), true),
        QFileInfo(path).dir().entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)};
}

/// Reads everything that a reader offers.
void tour(StoreReader &reader)
{
    QVERIFY(reader.info());
    QVERIFY(reader.runs({}));
    QVERIFY(reader.totals(""));
    QVERIFY(reader.actions(*RunId::parse("run-0"), -1, 100));
    QVERIFY(reader.actionsInDoubt(100));
    QVERIFY(reader.action(deriveKey(*RunId::parse("run-0"), *Seq::of(1))));
    QVERIFY(reader.forEachEffect([](const Effect &) { return true; }));
    VerifyOptions deep;
    deep.deep = true;
    const auto verified = verifyStore(reader, deep);
    QVERIFY(verified && verified->ok);
}

} // namespace

class TestStoreReader : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("s.db"));
    }

    void open_storeAtRest_changesNothing()
    {
        {
            auto store = makeStore();
            fillStore(*store, m_clock, m_random, 3);
        }
        const Snapshot before = snapshot(m_path);
        {
            auto reader = StoreReader::open(m_path.toStdString());
            QVERIFY(reader);
            QCOMPARE((*reader)->access(), std::string("immutable"));
            tour(**reader);
        }
        QVERIFY(snapshot(m_path) == before);
    }

    // https://github.com/sepinf-inc/IPED/issues/21: rows that are only in the log have to be seen.
    // https://github.com/abrignoni/ALEAPP/pull/1012: and the log must not be merged by looking.
    void open_killedWriter_seesTheLogAndChangesNothing()
    {
        const pid_t child = ::fork();
        if (child == 0) {
            auto store = makeStore();
            fillStore(*store, m_clock, m_random, 3);
            ::_exit(0); // no destructor runs: the log stays, as after a kill
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY(QFileInfo(m_path + QStringLiteral("-wal")).size() > 0);
        const Snapshot before = snapshot(m_path);
        {
            auto reader = StoreReader::open(m_path.toStdString());
            QVERIFY2(reader, reader ? "" : reader.error().text().c_str());
            QCOMPARE((*reader)->access(), std::string("private copy of the log"));
            QCOMPARE((*reader)->totals("")->runs, std::int64_t(3));
            tour(**reader);
        }
        QVERIFY(snapshot(m_path) == before);
    }

    // https://github.com/fr-ser/grafana-sqlite-datasource/issues/167
    void open_readOnlyFolder_works()
    {
        {
            auto store = makeStore();
            fillStore(*store, m_clock, m_random, 1);
        }
        QFile::setPermissions(m_path, QFile::ReadOwner);
        QFile::setPermissions(m_folder->path(), QFile::ReadOwner | QFile::ExeOwner);
        {
            auto reader = StoreReader::open(m_path.toStdString());
            QVERIFY(reader);
            tour(**reader);
        }
        QFile::setPermissions(
            m_folder->path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    // https://github.com/constellation-works/orbit/pull/1901
    void open_liveStore_seesLaterCommits()
    {
        auto store = makeStore();
        fillStore(*store, m_clock, m_random, 1);
        auto reader = StoreReader::open(m_path.toStdString());
        QVERIFY(reader);
        QCOMPARE((*reader)->access(), std::string("live"));
        QCOMPARE((*reader)->totals("")->runs, std::int64_t(1));
        const auto plan
            = Plan::parse(quoted("{'run_id':'later','actions':[{'tool':'t','args':{}}]}"), "plan");
        QVERIFY(writePlan(*store, m_clock, *plan, {}));
        QCOMPARE((*reader)->totals("")->runs, std::int64_t(2));
    }

    void open_badFile_E33_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("code");
        QTest::newRow("empty") << QByteArray("") << int(ErrorCode::StoreForeign);
        QTest::newRow("text") << QByteArray("this is not a database at all, sorry about that")
                              << int(ErrorCode::StoreForeign);
        QTest::newRow("cut header")
            << QByteArray("SQLite format 3\0abc", 19) << int(ErrorCode::StoreDamaged);
    }
    void open_badFile_E33()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, code);
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        const auto reader = StoreReader::open(m_path.toStdString());
        QVERIFY(!reader);
        QCOMPARE(int(reader.error().code), code);
        QCOMPARE(QFileInfo(m_path).dir().entryList(QDir::Files).size(), 1);
    }

    void open_missingForeignNewerCut_E33()
    {
        QCOMPARE(StoreReader::open("/nowhere/at/all.db").error().code, ErrorCode::StoreMissing);
        {
            auto store = makeStore();
            fillStore(*store, m_clock, m_random, 5);
        }
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        const auto variant = [&](const char *name, const QByteArray &bytes) {
            const QString path = m_folder->filePath(QString::fromLatin1(name));
            QFile out(path);
            if (out.open(QIODevice::WriteOnly))
                out.write(bytes);
            out.close();
            const auto reader = StoreReader::open(path.toStdString());
            return reader ? ErrorCode::Internal : reader.error().code;
        };
        QByteArray newer = whole;
        newer[63] = 9;
        QCOMPARE(variant("newer", newer), ErrorCode::StoreNewer);
        QByteArray foreign = whole;
        foreign[68] = 0;
        QCOMPARE(variant("foreign", foreign), ErrorCode::StoreForeign);
        QCOMPARE(variant("cut", whole.left(whole.size() / 2)), ErrorCode::StoreDamaged);
    }

    /// Another name of a store is the same store: who opens it there has to see who is alive.
    void owners_storeByAnotherName_seeEachOther()
    {
        const QString link = m_folder->filePath(QStringLiteral("link.db"));
        auto store = makeStore();
        QVERIFY(QFile::link(m_path, link));
        const auto other
            = SqliteStore::open(link.toStdString(), StoreKind::Live, {m_clock, m_random});
        QVERIFY(other);
        const auto plan
            = Plan::parse(quoted("{'run_id':'r','actions':[{'tool':'t','args':{}}]}"), "plan");
        QVERIFY(writePlan(*store, m_clock, *plan, {}));
        const ExecuteRequest request {*RunId::parse("r"), *Seq::of(1), {}, {}, 0};
        std::string_view word;
        std::optional<bool> alive;
        ScriptedRunner runner;
        runner.onCall = [&](const ToolCall &) {
            ScriptedRunner second;
            second.onCall = [](const ToolCall &) { return ToolAnswer {}; };
            auto executor = std::move(
                *Executor::create(**other, second, {m_clock, m_random, nullptr, {}, {}}));
            word = disposition(executor->execute(request).answer);
            auto reader = StoreReader::open(link.toStdString());
            const auto detail = (*reader)->action(deriveKey(request.run, request.seq));
            alive = (*detail)->ownerAlive;
            return ToolAnswer {OutcomeClass::Succeeded, "0", {}, "{}", {}};
        };
        auto executor
            = std::move(*Executor::create(*store, runner, {m_clock, m_random, nullptr, {}, {}}));
        QCOMPARE(disposition(executor->execute(request).answer), std::string_view("executed"));
        QCOMPARE(word, std::string_view("busy"));
        QVERIFY(alive && *alive);
        QCOMPARE(runner.calls.size(), std::size_t(1));
    }

    void runs_pagedByEverySort_givesEachRunOnce_data()
    {
        QTest::addColumn<int>("sort");
        QTest::addColumn<bool>("descending");
        for (const auto sort :
            {RunSort::Started, RunSort::RunId, RunSort::Actions, RunSort::Replayed})
            for (const bool descending : {true, false})
                QTest::addRow("%d %d", int(sort), int(descending)) << int(sort) << descending;
    }
    void runs_pagedByEverySort_givesEachRunOnce()
    {
        QFETCH(int, sort);
        QFETCH(bool, descending);
        {
            auto store = makeStore();
            fillStore(*store, m_clock, m_random, 7);
            // Two runs without any time: planned only.
            for (const char *id : {"never-1", "never-2"}) {
                const auto plan = Plan::parse(
                    quoted(std::string("{'run_id':'") + id + "','actions':[{'tool':'t'}]}"),
                    "plan");
                QVERIFY(writePlan(*store, m_clock, *plan, {}));
            }
        }
        auto reader = StoreReader::open(m_path.toStdString());
        QVERIFY(reader);
        RunQuery query;
        query.sort = static_cast<RunSort>(sort);
        query.descending = descending;
        query.limit = 2;
        std::vector<std::string> seen;
        for (int pages = 0; pages < 20; ++pages) {
            const auto page = (*reader)->runs(query);
            QVERIFY(page);
            for (const RunRow &row : page->rows)
                seen.push_back(row.run.runId);
            if (page->next.empty())
                break;
            query.after = page->next;
        }
        QCOMPARE(seen.size(), std::size_t(9));
        query.limit = 100;
        query.after.clear();
        std::vector<std::string> atOnce;
        const auto whole = (*reader)->runs(query);
        for (const RunRow &row : whole->rows)
            atOnce.push_back(row.run.runId);
        QVERIFY(seen == atOnce);
        std::sort(seen.begin(), seen.end());
        QVERIFY(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
    }

    void runs_filter_data()
    {
        QTest::addColumn<QByteArray>("filter");
        QTest::addColumn<int>("runs");
        QTest::newRow("all") << QByteArray("") << 3;
        QTest::newRow("word") << QByteArray("run-1") << 1;
        QTest::newRow("payee") << QByteArray("payee:cus_2") << 1;
        QTest::newRow("currency") << QByteArray("cur:jpy") << 3;
        QTest::newRow("two words") << QByteArray("cur:EUR payee:cus_0") << 1;
        QTest::newRow("none") << QByteArray("state:in_doubt") << 0;
        QTest::newRow("wildcard is a letter") << QByteArray("run%") << 0;
        QTest::newRow("key") << QByteArray("key:"
            + QByteArray::fromStdString(deriveKey(*RunId::parse("run-2"), *Seq::of(1)).hex())
                  .left(12)) << 1;
        QTest::newRow("injection") << QByteArray("payee:'OR'1'='1") << 0;
    }
    void runs_filter()
    {
        QFETCH(QByteArray, filter);
        QFETCH(int, runs);
        {
            auto store = makeStore();
            fillStore(*store, m_clock, m_random, 3);
        }
        auto reader = StoreReader::open(m_path.toStdString());
        RunQuery query;
        query.filter = filter.toStdString();
        QCOMPARE(int((*reader)->runs(query)->rows.size()), runs);
        QCOMPARE(int((*reader)->totals(query.filter)->runs), runs);
    }

    void runs_badToken_namesItAndItsPosition()
    {
        {
            auto store = makeStore();
        }
        auto reader = StoreReader::open(m_path.toStdString());
        RunQuery query;
        query.filter = "run-1 cur:QQQ";
        const auto page = (*reader)->runs(query);
        QVERIFY(!page && page.error().code == ErrorCode::InvalidInput);
        QVERIFY(page.error().where.find("position 7") != std::string::npos);
        QVERIFY(page.error().where.find("cur:QQQ") != std::string::npos);
    }

    void queries_useAnIndex()
    {
        {
            auto store = makeStore();
        }
        auto reader = StoreReader::open(m_path.toStdString());
        SqliteDatabase &database = *(*reader)->database();
        for (const char *sql : {"SELECT * FROM action WHERE key = x'00'",
                 "SELECT * FROM action WHERE run = 1 AND seq > 5 ORDER BY seq",
                 "SELECT * FROM attempt WHERE action = 1 ORDER BY n",
                 "SELECT * FROM run WHERE first_at IS NOT NULL AND (first_at, id) < (5, 5) "
                 "ORDER BY first_at DESC, id DESC",
                 "SELECT * FROM action WHERE state IN ('in_doubt', 'in_flight')"}) {
            auto row = database.prepare(std::string("EXPLAIN QUERY PLAN ") + sql);
            QVERIFY(row);
            while (*row->step()) {
                const std::string step = row->text(3);
                QVERIFY2(
                    step.rfind("SCAN", 0) != 0 && step.find("TEMP B-TREE") == std::string::npos,
                    (std::string(sql) + ": " + step).c_str());
            }
        }
    }

    void verify_tampered_E86_data()
    {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QByteArray>("kind");
        QTest::newRow("one byte of a payload") << QByteArray(
            "UPDATE journal SET payload = replace(payload, '4900', '4901') WHERE entry = 4")
                                               << QByteArray("chain");
        QTest::newRow("time") << QByteArray("UPDATE journal SET at = at + 1 WHERE entry = 3")
                              << QByteArray("chain");
        QTest::newRow("deleted entry")
            << QByteArray("PRAGMA foreign_keys=OFF; DELETE FROM journal WHERE entry = 5")
            << QByteArray("gap");
        QTest::newRow("two swapped") << QByteArray(
            "UPDATE journal SET payload = (SELECT payload FROM journal j WHERE j.entry = "
            "9 - journal.entry) WHERE entry IN (4, 5)")
                                     << QByteArray("chain");
        QTest::newRow("state of an action")
            << QByteArray("UPDATE action SET amount_minor = 1 WHERE id = 1") << QByteArray("state");
        QTest::newRow("attempt removed")
            << QByteArray("DELETE FROM attempt WHERE action = 1 AND n = 1") << QByteArray("state");
        QTest::newRow("missing body")
            << QByteArray("DELETE FROM body WHERE sha256 = (SELECT args FROM action WHERE id = 1)")
            << QByteArray("body");
        QTest::newRow("empty journal")
            << QByteArray("PRAGMA foreign_keys=OFF; DELETE FROM journal") << QByteArray("gap");
        QTest::newRow("body") << QByteArray("UPDATE body SET bytes = x'00'") << QByteArray("body");
    }
    void verify_tampered_E86()
    {
        QFETCH(QByteArray, sql);
        QFETCH(QByteArray, kind);
        {
            auto store = makeStore();
            fillStore(*store, m_clock, m_random, 2);
        }
        tamper("DROP TRIGGER journal_is_append_only_update; "
               "DROP TRIGGER journal_is_append_only_delete; "
            + sql.toStdString());
        auto reader = StoreReader::open(m_path.toStdString());
        VerifyOptions options;
        options.deep = true;
        const auto verified = verifyStore(**reader, options);
        QVERIFY(verified && !verified->ok);
        QCOMPARE(QByteArray::fromStdString(verified->findings[0].kind), kind);
    }

    /// A journal page of zeros is a finding, and not the end of the checks.
    void verify_damagedPage_isAFinding()
    {
        {
            auto store = makeStore();
            fillStore(*store, m_clock, m_random, 40);
        }
        std::int64_t page = 0;
        {
            const auto database
                = SqliteDatabase::open(m_path.toStdString(), SqliteDatabase::Mode::ReadOnly);
            page = *(*database)->integer(
                "SELECT rootpage FROM sqlite_master WHERE name = 'journal'");
        }
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        constexpr qint64 kPageBytes = 8192;
        QVERIFY(file.seek((page - 1) * kPageBytes));
        file.write(QByteArray(kPageBytes, '\0'));
        file.close();
        for (const bool deep : {false, true}) {
            auto reader = StoreReader::open(m_path.toStdString());
            if (!reader) // found even earlier
                QCOMPARE(reader.error().code, ErrorCode::StoreDamaged);
            else {
                VerifyOptions options;
                options.deep = deep;
                const auto verified = verifyStore(**reader, options);
                QVERIFY(
                    !verified ? verified.error().code == ErrorCode::StoreDamaged : !verified->ok);
            }
        }
    }

    void verify_deepOnALiveStore_isOneState()
    {
        auto store = makeStore();
        fillStore(*store, m_clock, m_random, 3);
        auto reader = StoreReader::open(m_path.toStdString());
        QCOMPARE((*reader)->access(), std::string("live"));
        VerifyOptions options;
        options.deep = true;
        int writes = 0;
        // A writer commits while the journal is being read.
        options.onProgress = [&](std::int64_t, std::int64_t) {
            const auto plan = Plan::parse(quoted("{'run_id':'during-" + std::to_string(++writes)
                                              + "','actions':[{'tool':'t'}]}"),
                "plan");
            QVERIFY(writePlan(*store, m_clock, *plan, {}));
        };
        const auto verified = verifyStore(**reader, options);
        QVERIFY(verified && verified->ok);
        QVERIFY(writes > 0);
        // No read transaction stays behind: the later commits are seen.
        QCOMPARE((*reader)->totals("")->runs, std::int64_t(3 + writes));
    }

    void bind_valueThatIsTooLarge_isAnError_notNull()
    {
        const auto database = SqliteDatabase::open(":memory:", SqliteDatabase::Mode::Create);
        QVERIFY((*database)->execute("CREATE TABLE t (x BLOB)"));
        sqlite3_limit((*database)->handle(), SQLITE_LIMIT_LENGTH, 1000);
        auto statement = (*database)->prepare("INSERT INTO t VALUES (?)");
        const std::string large(2000, 'x');
        const auto done = statement->bindBlob(large).run();
        QVERIFY(!done && done.error().code == ErrorCode::InvalidInput);
        QCOMPARE(*(*database)->integer("SELECT count(*) FROM t"), std::int64_t(0));
    }

    void verify_anchor_noticesACutTail()
    {
        Anchor anchor;
        {
            auto store = makeStore();
            fillStore(*store, m_clock, m_random, 2);
            const StoreInfo info = store->info();
            anchor = {info.storeId, info.entries, info.head, m_clock.now()};
        }
        const auto check = [&](const Anchor &against) {
            auto reader = StoreReader::open(m_path.toStdString());
            VerifyOptions options;
            options.anchor = against;
            return *verifyStore(**reader, options);
        };
        const auto parsed = Anchor::parse(anchor.toText(), "anchor");
        QVERIFY(parsed);
        QVERIFY(check(*parsed).ok);
        Anchor other = anchor;
        other.hash.bytes[0] ^= 1;
        QCOMPARE(check(other).findings.at(0).kind, std::string("anchor"));
        tamper("PRAGMA foreign_keys=OFF; DROP TRIGGER journal_is_append_only_delete; "
               "DELETE FROM journal WHERE entry = (SELECT max(entry) FROM journal)");
        const auto cut = check(anchor);
        QVERIFY(!cut.ok);
        QCOMPARE(cut.findings.at(0).kind, std::string("anchor"));
    }

private:
    std::unique_ptr<Store> makeStore()
    {
        return std::move(
            *SqliteStore::create(m_path.toStdString(), StoreKind::Live, {m_clock, m_random}));
    }
    void tamper(const std::string &sql)
    {
        const auto database
            = SqliteDatabase::open(m_path.toStdString(), SqliteDatabase::Mode::ReadWrite);
        QVERIFY(database);
        const auto done = (*database)->execute(sql);
        QVERIFY2(done, done ? "" : done.error().text().c_str());
    }

    FakeClock m_clock;
    SeededRandom m_random {3};
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

QTEST_APPLESS_MAIN(TestStoreReader)
#include "tst_store_reader.moc"

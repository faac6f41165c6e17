#include "core/base/json.h"
#include "core/store/sqlite.h"
#include "tests/support/quoted.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using reprise::test::quoted;

namespace {

const QString kReprise = QStringLiteral(REPRISE_BINARY_DIR "/reprise");

struct Outcome
{
    int exitCode = -1;
    QByteArray output;
    QByteArray errors;
};

} // namespace

/// The program as it is called: exit codes, one clear line, nothing created and nothing lost.
class TestCli : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        write("plan.json", quoted("{'run_id':'run-1','actions':[{'tool':'t','args':{}}]}"));
        QCOMPARE(reprise({"init", "s.db"}).exitCode, 0);
        QCOMPARE(reprise({"plan", "s.db", "plan.json"}).exitCode, 0);
    }

    void badInput_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("says");
        const auto row
            = [](const char *name, const char *arguments, int exitCode, const char *says) {
                  QTest::newRow(name) << QString::fromLatin1(arguments).split(QLatin1Char(' '))
                                      << exitCode << QByteArray(says);
              };
        row("foreign SQLite file", "ls foreign.db", 4, "another application");
        row("truncated store", "ls cut.db", 4, "is cut");
        row("cancel in an unknown run", "cancel s.db --run run-9", 3, "no such run");
        row("unknown environment", "fingerprint --tool t --environment test plan.json", 3,
            "live or sandbox");
        row("newer schema", "ls newer.db", 4, "schema 9");
        row("invalid JSON", "plan s.db broken.json", 3, "line 1 column");
        row("duplicate object keys", "plan s.db twice.json", 3, "stands twice");
        row("seq -1", "plan s.db minus.json", 3, "seq");
        row("seq -1 on the command line", "key run-1 -- -1", 3, "seq");
        row("empty run id", "plan s.db norun.json", 3, "is empty");
        row("run id with a control character", "plan s.db control.json", 3, "control character");
        row("seq with a leading zero", "key run-1 03", 3, "seq");
        row("seq 2^63", "show s.db --run run-1 --seq 9223372036854775808", 3, "seq");
        row("text instead of a store", "ls plan.json", 4, "plan.json");
        row("empty file instead of a store", "ls empty.db", 4, "empty.db");
        row("folder instead of a store", "ls folder", 4, "folder");
        row("SQLite file of another program", "ls other.db", 4, "other.db");
        row("plan into another program's file", "plan other.db plan.json", 4, "other.db");
        row("import into another program's file", "import one.jsonl --into other.db", 4,
            "other.db");
        row("import with a broken last line", "import cut.jsonl --into new.db", 3, "line 2");
        row("import below a file", "import one.jsonl --into plan.json/new.db", 4, "plan.json");
        row("import as a format that is unknown", "import one.jsonl --into new.db --format xml", 3,
            "unknown format");
        row("import of nothing", "import empty.db --into new.db", 3, "empty.db");
        row("init below a file", "init plan.json/new.db", 4, "plan.json");
        row("seal below a file", "seal s.db --out plan.json/anchor", 4, "plan.json");
        row("broken anchor", "verify s.db --anchor plan.json", 3, "plan.json");
        row("unknown format", "import plan.json --into new.db", 3, "known format");
        row("unwritable folder", "report s.db --out plan.json/report", 4, "plan.json");
        row("missing store", "ls nothing.db", 4, "no such file");
        row("missing plan", "plan s.db nothing.json", 3, "nothing.json");
        row("init where a store is", "init s.db", 4, "already");
        row("no such run", "show s.db --run run-9", 3, "run");
        row("no report to verify", "report verify nothing", 3, "nothing");
    }
    void badInput()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, says);
        makeBadFiles();
        const auto before = contents();
        const Outcome outcome = reprise(arguments);
        QVERIFY2(outcome.exitCode == exitCode, outcome.errors.constData());
        QCOMPARE(outcome.errors.count('\n'), 1);
        QVERIFY2(outcome.errors.contains(says), outcome.errors.constData());
        QVERIFY(outcome.errors.startsWith("reprise: "));
        QVERIFY(contents() == before);
    }

    void verify_tamperedStore_isExit5()
    {
        {
            const auto database = reprise::SqliteDatabase::open(
                m_folder->filePath(QStringLiteral("s.db")).toStdString(),
                reprise::SqliteDatabase::Mode::ReadWrite);
            QVERIFY(database);
            QVERIFY((*database)->execute("DROP TRIGGER journal_is_append_only_update; UPDATE "
                                         "journal SET at = at + 1 WHERE entry = 2"));
        }
        const auto before = contents();
        const Outcome outcome = reprise({"verify", "s.db", "--json"});
        QCOMPARE(outcome.exitCode, 5);
        const auto json = reprise::Json::parse(outcome.output.toStdString());
        QVERIFY(json && json->find("ok") != nullptr && !(*json)["ok"].boolean());
        QCOMPARE(json->at("/findings/0/kind")->text(), std::string("chain"));
        QVERIFY(contents() == before);
    }

    void verify_anchorOfALongerStore_isExit5()
    {
        const Outcome sealed = reprise({"seal", "s.db", "--out", "anchor"});
        QVERIFY2(sealed.exitCode == 0, sealed.errors.constData());
        QCOMPARE(reprise({"verify", "s.db", "--anchor", "anchor"}).exitCode, 0);
        // Another store has another id and another head.
        QCOMPARE(reprise({"init", "t.db"}).exitCode, 0);
        QCOMPARE(reprise({"verify", "t.db", "--anchor", "anchor"}).exitCode, 5);
    }

    void usage_isExit2()
    {
        for (const QStringList &arguments :
            {QStringList(), QStringList {"frobnicate"}, QStringList {"settle", "s.db"},
                QStringList {"ls", "s.db", "--wrong"}, QStringList {"ls", "s.db", "--limit", "x"},
                QStringList {"simulate", "s.db", "--run", "r", "--seq", "1"}}) {
            const Outcome outcome = reprise(arguments);
            QVERIFY2(outcome.exitCode == 2, outcome.errors.constData());
            QVERIFY2(outcome.errors.startsWith("reprise: "), outcome.errors.constData());
            QCOMPARE(outcome.errors.count('\n'), 1);
            QVERIFY(outcome.output.isEmpty());
        }
        QCOMPARE(reprise({"--help"}).exitCode, 0);
        QVERIFY(reprise({"settle", "--help"}).output.contains("Example:\n  reprise settle"));
    }

    void readingCommands_changeNothing()
    {
        const auto before = contents();
        for (const char *line :
            {"ls s.db", "ls s.db --json", "ls s.db --jsonl", "show s.db --run run-1",
                "show s.db --run run-1 --seq 1 --json", "verify s.db --deep", "suspects s.db",
                "simulate s.db --run run-1 --seq 1 --matrix --json", "seal s.db --out -"}) {
            const Outcome outcome = reprise(QString::fromLatin1(line).split(QLatin1Char(' ')));
            QVERIFY2(outcome.exitCode == 0, line + outcome.errors);
            QVERIFY(!outcome.output.isEmpty());
        }
        QVERIFY(contents() == before);
    }

    /// What README shows a newcomer.
    void examples_planExecuteReplay()
    {
        const QString source = QStringLiteral(REPRISE_SOURCE_DIR "/resources/examples/");
        for (const char *name : {"plan.json", "tools.json", "charge"})
            QVERIFY(QFile::copy(source + QString::fromLatin1(name),
                m_folder->filePath(QStringLiteral("example-") + QString::fromLatin1(name))));
        QVERIFY(QFile::rename(m_folder->filePath(QStringLiteral("example-charge")),
            m_folder->filePath(QStringLiteral("charge"))));
        qputenv("LEDGER", m_folder->filePath(QStringLiteral("ledger")).toLocal8Bit());
        QCOMPARE(reprise({"init", "e.db"}).exitCode, 0);
        const Outcome planned
            = reprise({"plan", "e.db", "example-plan.json", "--tools", "example-tools.json"});
        QCOMPARE(planned.exitCode, 0);
        QVERIFY(planned.output.contains(
            "seq 1  c32c087ad42928af09b20a99b8135af061e3047afe67bbe236675bcbe43232a7"));
        const Outcome executed
            = reprise({"execute", "e.db", "--tools", "example-tools.json", "--run", "run-1"});
        QCOMPARE(executed.exitCode, 0);
        QCOMPARE(executed.output.count("executed  succeeded"), 2);
        const Outcome again
            = reprise({"execute", "e.db", "--tools", "example-tools.json", "--run", "run-1"});
        QCOMPARE(again.exitCode, 0);
        QVERIFY(again.errors.contains("every action is final"));
        const Outcome replay = reprise({"execute", "e.db", "--tools", "example-tools.json", "--run",
            "run-1", "--seq", "1", "--body"});
        QVERIFY(replay.output.startsWith("{\"charge_id\":\"ch_1_"));
        QFile ledger(m_folder->filePath(QStringLiteral("ledger")));
        QVERIFY(ledger.open(QIODevice::ReadOnly));
        QCOMPARE(ledger.readAll().count('\n'), 2);
        qunsetenv("LEDGER");
    }

    void import_refused_leavesNoStore()
    {
        write("twice.jsonl",
            quoted("{'run_id':'r','tool':'t','state':'ok'}\n{'run_id':'r','tool':'t','state':'odd'}"
                   "\n"));
        const Outcome outcome = reprise({"import", "twice.jsonl", "--into", "new.db"});
        QCOMPARE(outcome.exitCode, 3);
        QVERIFY(outcome.errors.contains("line 2"));
        QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("new.db"))));
    }

    void import_sameFileTwice_isAConflict()
    {
        write("one.jsonl", quoted("{'run_id':'r','tool':'t','state':'ok'}\n"));
        QCOMPARE(reprise({"import", "one.jsonl", "--into", "new.db"}).exitCode, 0);
        QCOMPARE(reprise({"import", "one.jsonl", "--into", "new.db"}).exitCode, 3);
        QCOMPARE(reprise({"verify", "new.db", "--deep"}).exitCode, 0);
    }

    void suspects_ofTheRecordedSession_areTheTwoDoubles()
    {
        const QString file
            = QStringLiteral(REPRISE_SOURCE_DIR "/tests/data/mcp/stdio-payment-server.jsonl");
        QCOMPARE(reprise(QStringList {QStringLiteral("import"), file, QStringLiteral("--into"),
                             QStringLiteral("m.db")})
                     .exitCode,
            0);
        const Outcome outcome = reprise({"suspects", "m.db"});
        QCOMPARE(outcome.exitCode, 5);
        QVERIFY(outcome.output.contains("2 suspects; 3 runs"));
        QVERIFY(outcome.output.contains("ch_1yve8y7m2"));
        QVERIFY(outcome.output.contains("ch_2rxwmoktv"));
        QVERIFY(outcome.output.contains("ch_6dutqchiy"));
        // The pair whose second answer was a replay is none.
        QVERIFY(!outcome.output.contains("ch_3i4jm6k5a"));
    }

private:
    void write(const char *name, const std::string &text)
    {
        QFile file(m_folder->filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
    }

    void makeBadFiles()
    {
        QFile store(m_folder->filePath(QStringLiteral("s.db")));
        QVERIFY(store.open(QIODevice::ReadOnly));
        const QByteArray whole = store.readAll();
        QByteArray newer = whole;
        newer[63] = 9; // user_version
        QByteArray foreign = whole;
        foreign[68] = 0; // application id
        write("newer.db", newer.toStdString());
        write("foreign.db", foreign.toStdString());
        write("cut.db", whole.left(whole.size() / 3).toStdString());
        write("broken.json", "{\"run_id\":");
        write("twice.json", quoted("{'run_id':'r','actions':[{'tool':'t','args':{'a':1,'a':2}}]}"));
        write("control.json", quoted("{'run_id':'a\\nb','actions':[{'tool':'t'}]}"));
        write("empty.db", "");
        write("one.jsonl", quoted("{'run_id':'r','tool':'t','state':'ok'}\n"));
        write("cut.jsonl", quoted("{'run_id':'r','tool':'t'}\n{'run_id':'r','to"));
        QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("folder")));
        {
            const auto other = reprise::SqliteDatabase::open(
                m_folder->filePath(QStringLiteral("other.db")).toStdString(),
                reprise::SqliteDatabase::Mode::Create);
            QVERIFY(other && (*other)->execute("CREATE TABLE t(a); INSERT INTO t VALUES (1)"));
        }
        write("minus.json", quoted("{'run_id':'r','actions':[{'seq':-1,'tool':'t'}]}"));
        write("norun.json", quoted("{'run_id':'','actions':[{'tool':'t'}]}"));
    }

    /// Every file of the folder with its bytes.
    QMap<QString, QByteArray> contents() const
    {
        QMap<QString, QByteArray> all;
        const QDir folder(m_folder->path());
        for (const QString &name :
            folder.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) {
            QFile file(folder.filePath(name));
            all.insert(
                name, file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("folder"));
        }
        return all;
    }

    Outcome reprise(const QStringList &arguments)
    {
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.start(kReprise, arguments);
        if (!process.waitForFinished(60'000))
            return {};
        return {
            process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }
    Outcome reprise(std::initializer_list<const char *> words)
    {
        QStringList arguments;
        for (const char *word : words)
            arguments.append(QString::fromLatin1(word));
        return reprise(arguments);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"

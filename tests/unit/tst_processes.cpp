#include "core/base/json.h"
#include "tests/support/quoted.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace reprise;
using namespace reprise::test;

namespace {

const QString kReprise = QStringLiteral(REPRISE_BINARY_DIR "/reprise");
const QString kTool = QStringLiteral(REPRISE_BINARY_DIR "/tests/ledger_tool");

struct Outcome
{
    int exitCode = -1;
    QByteArray output;
    QByteArray errors;

    [[nodiscard]] Json action() const
    {
        const auto json = Json::parse(output.toStdString());
        return json && !(*json)["actions"].items().empty() ? (*json)["actions"].items()[0] : Json();
    }
    [[nodiscard]] std::string disposition() const { return action()["disposition"].text(); }
};

} // namespace

/// Real processes, really killed, compared with a ledger that is kept outside the store.
class TestProcesses : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_environment = QProcessEnvironment::systemEnvironment();
        m_environment.insert(QStringLiteral("LEDGER"), path("ledger"));
        m_environment.insert(QStringLiteral("GATE"), path("gate"));
        QCOMPARE(::mkfifo(path("gate").toLocal8Bit().constData(), 0600), 0);
        write("tools.json",
            quoted("{'tools':[{'name':'charge','version':'1','command':['" + kTool.toStdString()
                + "'],'timeout_ms':60000,'exit':{'0':'succeeded','10':'declined','11':'not_sent'},"
                  "'result':{'content_type':'application/json','required':['/id'],"
                  "'reference':'/id'}}]}"));
        write("plan.json",
            quoted("{'run_id':'run-1','actions':[{'tool':'charge','args':{'amount':4900}},"
                   "{'tool':'charge','args':{'amount':100}}]}"));
        QCOMPARE(reprise({"init", "s.db"}).exitCode, 0);
        QCOMPARE(reprise({"plan", "s.db", "plan.json", "--tools", "tools.json"}).exitCode, 0);
    }

    void execute_killedWhileTheToolWorks_E3_E90_neverCallsAgain()
    {
        auto victim = start(
            {"execute", "s.db", "--tools", "tools.json", "--run", "run-1", "--seq", "1", "--json"},
            "gate");
        QTRY_COMPARE(ledger("start").size(), 1);
        ::kill(static_cast<pid_t>(victim->processId()), SIGKILL);
        QVERIFY(victim->waitForFinished());

        // The orphaned tool is still at work: nobody may call again or decide.
        const Outcome early = execute(1);
        QCOMPARE(early.exitCode, 6);
        QCOMPARE(early.disposition(), std::string("in_doubt"));
        QVERIFY(early.action()["reason"].text().find("process") != std::string::npos);
        QCOMPARE(settle("landed", {"--reference", "ch_1"}).exitCode, 3);

        openGate();
        QTRY_COMPARE(ledger("end").size(), 1);
        const auto orphan = ledger("start")[0].split(' ').last().toInt();
        QTRY_VERIFY(::kill(orphan, 0) != 0);

        const Outcome late = execute(1);
        QCOMPARE(late.exitCode, 6);
        write("result.json", quoted("{'id':'ch_seen'}"));
        QCOMPARE(settle("landed", {"--result", "result.json"}).exitCode, 0);
        const Outcome replay = reprise(
            {"execute", "s.db", "--tools", "tools.json", "--run", "run-1", "--seq", "1", "--body"});
        QCOMPARE(replay.exitCode, 0);
        QCOMPARE(replay.output, QByteArray::fromStdString(quoted("{'id':'ch_seen'}")));
        QCOMPARE(ledger("start").size(), 1);
    }

    // https://github.com/square1-io/laravel-idempotency/issues/1
    void execute_eightProcessesAtOnce_E13_callTheToolOnce()
    {
        std::vector<std::unique_ptr<QProcess>> callers;
        for (int i = 0; i < 8; ++i)
            callers.push_back(start({"execute", "s.db", "--tools", "tools.json", "--run", "run-1",
                                        "--seq", "2", "--wait", "60000", "--body"},
                "gate"));
        QTRY_COMPARE(ledger("start").size(), 1);
        openGate();
        QSet<QByteArray> answers;
        for (const auto &caller : callers) {
            QVERIFY(caller->waitForFinished(60'000));
            QCOMPARE(caller->exitCode(), 0);
            answers.insert(caller->readAllStandardOutput());
        }
        QCOMPARE(answers.size(), 1);
        QCOMPARE(ledger("start").size(), 1);
    }

    void execute_ownerStopped_E10_isBusyNotTakenOver()
    {
        auto owner = start(
            {"execute", "s.db", "--tools", "tools.json", "--run", "run-1", "--seq", "1", "--json"},
            "gate");
        QTRY_COMPARE(ledger("start").size(), 1);
        ::kill(static_cast<pid_t>(owner->processId()), SIGSTOP);
        const Outcome other = execute(1);
        QCOMPARE(other.exitCode, 6);
        QCOMPARE(other.disposition(), std::string("busy"));
        ::kill(static_cast<pid_t>(owner->processId()), SIGCONT);
        openGate();
        QVERIFY(owner->waitForFinished());
        QCOMPARE(owner->exitCode(), 0);
        QCOMPARE(execute(1).disposition(), std::string("replayed"));
        QCOMPARE(ledger("start").size(), 1);
    }

    void execute_timeLimit_E91_endsTheGroupBeforeTheDoubtIsWritten()
    {
        replaceInTools("60000", "300");
        const Outcome outcome = execute(1, "hang");
        QCOMPARE(outcome.exitCode, 6);
        QCOMPARE(outcome.disposition(), std::string("in_doubt"));
        const auto tool = ledger("start")[0].split(' ').last().toInt();
        QVERIFY(::kill(tool, 0) != 0);
        // The action was planned with the longer limit; only the program's own limits may change.
        QCOMPARE(execute(1).disposition(), std::string("in_doubt"));
        QCOMPARE(ledger("start").size(), 1);
    }

    void execute_exitStatuses_data()
    {
        QTest::addColumn<QByteArray>("behaviour");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("disposition");
        QTest::addColumn<QByteArray>("state");
        QTest::newRow("0") << QByteArray("exit0") << 0 << QByteArray("executed")
                           << QByteArray("succeeded");
        QTest::newRow("declined") << QByteArray("exit10") << 0 << QByteArray("executed")
                                  << QByteArray("failed");
        QTest::newRow("not sent") << QByteArray("exit11") << 6 << QByteArray("not_sent")
                                  << QByteArray("planned");
        QTest::newRow("not listed")
            << QByteArray("exit7") << 6 << QByteArray("in_doubt") << QByteArray("in_doubt");
        QTest::newRow("signal") << QByteArray("die") << 6 << QByteArray("in_doubt")
                                << QByteArray("in_doubt");
    }
    void execute_exitStatuses()
    {
        QFETCH(QByteArray, behaviour);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, disposition);
        QFETCH(QByteArray, state);
        const Outcome outcome = execute(1, behaviour.constData());
        QCOMPARE(outcome.exitCode, exitCode);
        QCOMPARE(QByteArray::fromStdString(outcome.disposition()), disposition);
        QCOMPARE(QByteArray::fromStdString(outcome.action()["state"].text()), state);
        QCOMPARE(ledger("start").size(), 1);
    }

    void execute_toolMissing_isNotSentAndStaysPlanned()
    {
        replaceInTools("ledger_tool", "no_such_tool");
        const Outcome outcome = execute(1);
        QCOMPARE(outcome.exitCode, 6);
        QCOMPARE(outcome.disposition(), std::string("not_sent"));
        QVERIFY(ledger("start").isEmpty());
    }

    void execute_otherArgs_E54_conflictsWithExit3()
    {
        QCOMPARE(execute(1).exitCode, 0);
        write("args.json", quoted("{'amount':5000}"));
        const Outcome outcome = reprise({"execute", "s.db", "--tools", "tools.json", "--run",
            "run-1", "--seq", "1", "--args", "args.json"});
        QCOMPARE(outcome.exitCode, 3);
        QVERIFY(outcome.errors.contains("/amount recorded 4900, given 5000"));
        QCOMPARE(ledger("start").size(), 1);
    }

    void execute_wholeRun_stopsAtTheFirstThatIsNotFinal()
    {
        const Outcome outcome = reprise(
            {"execute", "s.db", "--tools", "tools.json", "--run", "run-1", "--json"}, "exit7");
        QCOMPARE(outcome.exitCode, 6);
        const auto json = Json::parse(outcome.output.toStdString());
        QCOMPARE((*json)["actions"].items()[1]["disposition"].text(), std::string("not_reached"));
        QCOMPARE(ledger("start").size(), 1);
        const Outcome further = reprise({"execute", "s.db", "--tools", "tools.json", "--run",
            "run-1", "--keep-going", "--json"});
        QCOMPARE(further.exitCode, 6);
        QCOMPARE(ledger("start").size(), 2);
    }

private:
    QString path(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }

    void write(const char *name, const std::string &text)
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
    }

    void replaceInTools(const char *from, const char *to)
    {
        QFile file(path("tools.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        file.close();
        text.replace(from, to);
        write("tools.json", text.toStdString());
    }

    QList<QByteArray> ledger(const char *word) const
    {
        QFile file(path("ledger"));
        QList<QByteArray> lines;
        if (file.open(QIODevice::ReadOnly))
            for (const QByteArray &line : file.readAll().split('\n'))
                if (line.startsWith(word))
                    lines.append(line);
        return lines;
    }

    /// Lets one tool that waits at the gate go on.
    void openGate()
    {
        const int gate = ::open(path("gate").toLocal8Bit().constData(), O_WRONLY);
        QCOMPARE(::write(gate, "x", 1), ssize_t(1));
        ::close(gate);
    }

    std::unique_ptr<QProcess> start(const QStringList &arguments, const char *behaviour)
    {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = m_environment;
        environment.insert(QStringLiteral("BEHAVIOUR"), QString::fromLatin1(behaviour));
        process->setProcessEnvironment(environment);
        process->setWorkingDirectory(m_folder->path());
        process->start(kReprise, arguments);
        return process;
    }

    Outcome reprise(std::initializer_list<const char *> words, const char *behaviour = "")
    {
        QStringList arguments;
        for (const char *word : words)
            arguments.append(QString::fromLatin1(word));
        auto process = start(arguments, behaviour);
        if (!process->waitForFinished(60'000))
            return {};
        return {
            process->exitCode(), process->readAllStandardOutput(), process->readAllStandardError()};
    }

    Outcome execute(int seq, const char *behaviour = "")
    {
        const QByteArray number = QByteArray::number(seq);
        return reprise({"execute", "s.db", "--tools", "tools.json", "--run", "run-1", "--seq",
                           number.constData(), "--json"},
            behaviour);
    }

    Outcome settle(const char *decision, std::initializer_list<const char *> more)
    {
        const auto json
            = Json::parse(reprise({"show", "s.db", "--run", "run-1", "--seq", "1", "--json"})
                              .output.toStdString());
        const std::string hash = (*json)["actions"].items()[0]["state_hash"].text();
        std::vector<const char *> words {"settle", "s.db", "--run", "run-1", "--seq", "1",
            "--decision", decision, "--by", "Ada", "--reason", "seen at the provider", "--expect",
            hash.c_str()};
        words.insert(words.end(), more);
        QStringList arguments;
        for (const char *word : words)
            arguments.append(QString::fromLatin1(word));
        auto process = start(arguments, "");
        if (!process->waitForFinished(60'000))
            return {};
        return {process->exitCode(), {}, process->readAllStandardError()};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QProcessEnvironment m_environment;
};

QTEST_GUILESS_MAIN(TestProcesses)
#include "tst_processes.moc"

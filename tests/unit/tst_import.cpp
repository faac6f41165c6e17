#include "core/import/import.h"
#include "core/journal/verify.h"
#include "core/key/key.h"
#include "tests/support/imported.h"
#include "tests/support/paths.h"
#include "tests/support/quoted.h"

#include <QTest>

#include <set>

using namespace reprise;
using namespace reprise::test;

namespace {

const char *const kMcpFile = "stdio-payment-server.jsonl";
const char *const kMcpRun = "stdio-payment-server"; // calls that name no run

std::string mcpRecord(const char *name)
{
    return bytesOf(QStringLiteral(REPRISE_SOURCE_DIR "/tests/data/mcp/") + QLatin1String(name));
}

/// One attempt in a line: "executed succeeded ch_1 line 6".
std::string line(const AttemptRow &attempt)
{
    const std::string outcome(attempt.outcome ? name(*attempt.outcome) : "-");
    const std::string reference = attempt.result ? attempt.result->reference : std::string();
    return std::string(name(attempt.kind)) + " " + outcome + " "
        + (reference.empty() ? "-" : reference) + " " + attempt.locator;
}

/// Everything that an import made, for comparing two of them.
std::string dump(const Imported &imported)
{
    std::string text;
    for (const std::string &run : imported.runIds()) {
        const auto rows = imported.reader->actions(*RunId::parse(run), -1, 1000);
        for (const ActionRow &row : *rows) {
            const ActionDetail detail = imported.action(run, row.seq);
            text += run + " " + std::to_string(row.seq) + " " + row.key.hex() + " " + row.tool + " "
                + std::string(name(row.state)) + " " + imported.body(row.args) + "\n";
            for (const AttemptRow &attempt : detail.attempts)
                text += "  " + line(attempt) + " " + attempt.sentKey + " "
                    + (attempt.startedAt ? attempt.startedAt->rfc3339() : "") + " "
                    + (attempt.result ? imported.body(attempt.result->body) : "") + "\n";
        }
    }
    return text;
}

std::string replaced(std::string text, const std::string &what, const std::string &with)
{
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
    return text;
}

} // namespace

class TestImport : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void mcp_recordedSession_givesItsActionsAndAttempts_data()
    {
        QTest::addColumn<QByteArray>("run");
        QTest::addColumn<int>("seq");
        QTest::addColumn<QByteArray>("tool");
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArray>("attempts");
        const auto row = [](const char *ids, const char *run, int seq, const char *tool,
                             const char *state, const char *attempts) {
            QTest::newRow(ids) << QByteArray(run) << seq << QByteArray(tool) << QByteArray(state)
                               << QByteArray(attempts);
        };
        row("ids 2 and 3: charged twice", "run-0001", 1, "charge_card", "succeeded",
            "executed succeeded ch_1yve8y7m2 line 6|executed_again succeeded ch_2rxwmoktv line 8");
        row("ids 4 and 5: the provider recognised its key", "run-0001", 2, "charge_card",
            "succeeded",
            "executed succeeded ch_3i4jm6k5a line 10|replayed succeeded ch_3i4jm6k5a line 12");
        row("id 6: declined", kMcpRun, 1, "charge_card", "failed", "executed declined - line 14");
        row("id 7: 502 says nothing", kMcpRun, 2, "charge_card", "in_doubt",
            "in_doubt unknown - line 16");
        row("id 8: invalid arguments", kMcpRun, 3, "charge_card", "failed",
            "executed declined - line 18");
        row("id 9: no such tool", kMcpRun, 4, "no_such_tool", "failed",
            "executed declined - line 20");
        row("id 10: progress is no attempt", kMcpRun, 5, "charge_card", "succeeded",
            "executed succeeded ch_4css7rhnw line 22");
        row("ids 11 and 12: timed out and sent again", "run-0002", 1, "charge_card", "succeeded",
            "in_doubt unknown - line 27|executed_again succeeded ch_6dutqchiy line 29");
    }
    void mcp_recordedSession_givesItsActionsAndAttempts()
    {
        QFETCH(QByteArray, run);
        QFETCH(int, seq);
        QFETCH(QByteArray, tool);
        QFETCH(QByteArray, state);
        QFETCH(QByteArray, attempts);
        const Imported imported(mcpRecord(kMcpFile), kMcpFile);
        QVERIFY(imported.summary);
        QCOMPARE(imported.summary->format, std::string("mcp"));
        QCOMPARE(imported.summary->runs, std::int64_t(3));
        QCOMPARE(imported.summary->actions, std::int64_t(8));
        QCOMPARE(imported.summary->attempts, std::int64_t(11));
        const ActionDetail action = imported.action(run.toStdString(), seq);
        QCOMPARE(action.row.tool, tool.toStdString());
        QCOMPARE(std::string(name(action.row.state)), state.toStdString());
        QCOMPARE(action.row.key, deriveKey(*RunId::parse(run.toStdString()), *Seq::of(seq)));
        QVERIFY(action.row.keyDerivedAtImport && action.imported);
        std::string found;
        for (const AttemptRow &attempt : action.attempts)
            found += (found.empty() ? "" : "|") + line(attempt);
        QCOMPARE(found, attempts.toStdString());
    }

    void mcp_recordedSession_keepsArgsResultTimesKeyAndMoney()
    {
        const Imported imported(mcpRecord(kMcpFile), kMcpFile);
        const ActionDetail keyed = imported.action("run-0001", 2);
        QCOMPARE(imported.body(keyed.row.args),
            quoted("{'order_id':'W4817420','amount_minor':12950,'currency':'eur',"
                   "'idempotency_key':'8f1c2f0e'}"));
        QCOMPARE(keyed.attempts.at(0).sentKey, std::string("8f1c2f0e"));
        QCOMPARE(
            keyed.attempts.at(0).startedAt->rfc3339(), std::string("2026-12-01T02:57:42.322000Z"));
        QVERIFY(keyed.row.business.kind == BusinessKind::Charge);
        QCOMPARE(*keyed.row.business.amount, (Money {"EUR", 12950}));
        QCOMPARE(keyed.row.business.order, std::string("W4817420"));
        // The envelope byte for byte, as it stands in the file.
        const std::string result = imported.body(keyed.attempts.at(1).result->body);
        QVERIFY(result.starts_with(quoted("{'_meta':{'com.example/replayed':true}")));
        QVERIFY(mcpRecord(kMcpFile).find(result) != std::string::npos);
        const ActionDetail gaveUp = imported.action("run-0002", 1);
        QVERIFY(gaveUp.attempts.at(0).note.find("cancelled by the caller") != std::string::npos);
        QVERIFY(verifyStore(*imported.reader, {})->ok);
    }

    void mcp_newerProtocol_recordedSession()
    {
        const Imported imported(mcpRecord("stdio-2026-07-28-payment-server.jsonl"), "newer.jsonl");
        QVERIFY(imported.summary);
        QCOMPARE(imported.summary->actions, std::int64_t(2));
        const ActionDetail doubled = imported.action("run-0001", 1);
        QCOMPARE(doubled.attempts.size(), std::size_t(2));
        QCOMPARE(line(doubled.attempts[0]), std::string("executed succeeded ch_17nsb73bx line 3"));
        QCOMPARE(
            line(doubled.attempts[1]), std::string("executed_again succeeded ch_2nqzb25sp line 5"));
        QCOMPARE(line(imported.action("newer", 1).attempts.at(0)),
            std::string("executed declined - line 7"));
    }

    void mcp_markOfOrderAndLineEnds_changeNothing()
    {
        const std::string plain = mcpRecord(kMcpFile);
        const std::string expected = dump(Imported(plain, kMcpFile));
        QVERIFY(!expected.empty());
        QCOMPARE(dump(Imported("\xEF\xBB\xBF" + plain, kMcpFile)), expected);
        QCOMPARE(dump(Imported(replaced(plain, "\n", "\r\n"), kMcpFile)), expected);
        QCOMPARE(dump(Imported(plain, kMcpFile, "mcp")), expected);
        QCOMPARE(dump(Imported(plain.substr(0, plain.size() - 1), kMcpFile)), expected);
    }

    void mcp_recordThatEndsEarly_leavesTheCallInDoubt()
    {
        const std::string whole = mcpRecord(kMcpFile);
        const std::size_t answer = whole.rfind('\n', whole.size() - 2);
        const Imported imported(whole.substr(0, answer + 1), kMcpFile);
        const ActionDetail action = imported.action("run-0002", 1);
        QVERIFY(action.row.state == ActionState::InDoubt);
        QCOMPARE(line(action.attempts.at(1)), std::string("in_doubt unknown - line 29"));
    }

    void mcp_bareMessages_data()
    {
        QTest::addColumn<QByteArray>("messages");
        QTest::addColumn<QByteArray>("attempts");
        const auto row = [](const char *title, const std::string &messages, const char *attempts) {
            QTest::newRow(title) << QByteArray::fromStdString(messages) << QByteArray(attempts);
        };
        const auto call = [](const std::string &id) {
            return "{'jsonrpc':'2.0','id':" + id
                + ",'method':'tools/call','params':{'name':'charge_card','arguments':{'a':1}}}";
        };
        const auto answer = [](const std::string &id, const std::string &rest) {
            return "{'jsonrpc':'2.0','id':" + id + "," + rest + "}";
        };
        const std::string paid = "'result':{'structuredContent':{'charge_id':'ch_1'}}";
        row("structured answer", call("1") + "\n" + answer("1", paid),
            "1 executed succeeded ch_1 line 1");
        row("replay without a reference",
            call("1") + "\n" + answer("1", "'result':{'structuredContent':{'replayed':true}}"),
            "1 replayed succeeded - line 1");
        row("error that says it never ran",
            call("1") + "\n" + answer("1", "'error':{'code':-32602,'message':'bad'}"),
            "1 executed declined - line 1");
        row("error that says nothing",
            call("1") + "\n" + answer("1", "'error':{'code':-32603,'message':'internal'}"),
            "1 in_doubt unknown - line 1");
        row("1 is not '1'", call("1") + "\n" + answer("'1'", paid), "1 in_doubt unknown - line 1");
        row("an id that is used again",
            call("1") + "\n" + answer("1", paid) + "\n" + call("1") + "\n"
                + answer("1", "'result':{'structuredContent':{'charge_id':'ch_2'}}"),
            "1 executed succeeded ch_1 line 1|2 executed succeeded ch_2 line 3");
        row("a batch", "[" + call("1") + "," + call("2") + "]\n[" + answer("2", paid) + "]",
            "1 in_doubt unknown - line 1|2 executed succeeded ch_1 line 1");
        row("answered after the caller gave up",
            call("1")
                + "\n{'method':'notifications/"
                  "cancelled','params':{'requestId':1,'reason':'late'}}\n"
                + answer("1", paid),
            "1 executed succeeded ch_1 line 1");
        row("inputs asked for and sent: one call",
            call("1") + "\n" + answer("1", "'result':{'resultType':'input_required'}")
                + "\n{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'charge_card',"
                  "'inputResponses':{},'arguments':{'a':1}}}\n"
                + answer("2", paid),
            "1 executed succeeded ch_1 line 1");
    }
    void mcp_bareMessages()
    {
        QFETCH(QByteArray, messages);
        QFETCH(QByteArray, attempts);
        const Imported imported(quoted(messages.toStdString()), "bare.jsonl");
        QVERIFY2(imported.summary, imported.summary ? "" : imported.summary.error().text().c_str());
        std::string found;
        const auto rows = imported.reader->actions(*RunId::parse("bare"), -1, 10);
        for (const ActionRow &row : *rows)
            for (const AttemptRow &attempt : imported.action("bare", row.seq).attempts)
                found += (found.empty() ? "" : "|") + std::to_string(row.seq) + " " + line(attempt);
        QCOMPARE(found, attempts.toStdString());
    }

    void readRecords_broken_refusedWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("place");
        const auto row = [](const char *title, const std::string &bytes, const char *format,
                             const char *place) {
            QTest::newRow(title) << QByteArray::fromStdString(bytes) << QByteArray(format)
                                 << QByteArray(place);
        };
        const std::string whole = mcpRecord(kMcpFile);
        row("last line cut", whole.substr(0, whole.size() - 40), "", "line 30");
        row("key twice",
            replaced(whole, quoted("'name':'no_such_tool'"), quoted("'name':1,'name':2")), "",
            "line 20");
        row("not JSON in the middle",
            replaced(whole, quoted("{'ts':'2026-12-01T02:57:42.325Z'"), "x"), "", "line 14");
        row("a line that is no message", whole + "7\n", "", "line 31");
        row("unknown content", quoted("{'hello':1}"), "", "f.jsonl");
        row("unknown format", whole, "xml", "f.jsonl");
        row("empty list", "[]", "", "f.jsonl");
        row("empty", "", "", "f.jsonl");
        row("blank", " \n\n", "", "f.jsonl");
        row("empty as mcp", "", "mcp", "f.jsonl");
        row("text", "once upon a time", "", "f.jsonl");
        row("tau-bench that is no list", "{}", "tau-bench", "f.jsonl");
        row("tau-bench without a run", quoted("[{'traj':[]}]"), "", "f.jsonl");
        row("broken chat", "[{", "chat", "line 1");
        const std::string run = "{'run_id':'r','tool':'t',";
        row("bad state", quoted(run + "'state':'ok'}\n" + run + "'state':'done'}"), "", "line 2");
        row("bad time", quoted(run + "'started_at':'yesterday'}"), "", "line 1");
        row("time without a zone", quoted(run + "'ended_at':'2026-01-01T00:00:00'}"), "", "line 1");
        row("seq as text", quoted(run + "'seq':'03'}"), "", "line 1");
        row("seq -1", quoted(run + "'seq':-1}"), "", "line 1");
        row("seq 1.5", quoted(run + "'seq':1.5}"), "", "line 1");
        row("seq true", quoted(run + "'seq':true}"), "", "line 1");
        row("seq 2^63", quoted(run + "'seq':9223372036854775808}"), "", "line 1");
        row("empty run id", quoted("{'run_id':'','tool':'t'}"), "", "line 1");
        row("run id with a line break", quoted("{'run_id':'a\\nb','tool':'t'}"), "", "line 1");
        row("no tool", quoted("{'run_id':'r','tool':null}"), "jsonl", "line 1");
    }
    void readRecords_broken_refusedWithItsPlace()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, place);
        const Imported imported(bytes.toStdString(), "f.jsonl", format.toStdString());
        QVERIFY(!imported.summary);
        QCOMPARE(imported.summary.error().code, ErrorCode::InvalidInput);
        const std::string text = imported.summary.error().text();
        QVERIFY2(text.find(place.toStdString()) != std::string::npos, text.c_str());
        QVERIFY(text.find("f.jsonl") != std::string::npos);
        QVERIFY(text.find('\n') == std::string::npos);
        QVERIFY(imported.runIds().empty());
    }

    void writeImport_sameFileTwice_conflictsAndWritesNothing()
    {
        Imported imported(mcpRecord(kMcpFile), kMcpFile);
        const auto entries = imported.reader->info()->entries;
        imported.reader.reset();
        const auto store = SqliteStore::open(
            imported.storePath, StoreKind::Live, {imported.clock, imported.random});
        QVERIFY(store);
        const auto again = imported.read(**store, mcpRecord(kMcpFile), kMcpFile, "");
        QVERIFY(!again);
        QCOMPARE(again.error().code, ErrorCode::Conflict);
        QCOMPARE((*store)->info().entries, entries);
        // One run of the two is known: the other one is not written either.
        const auto half = imported.read(**store,
            quoted("{'run_id':'new','tool':'t'}\n{'run_id':'run-0001','tool':'t'}\n"), "h", "");
        QVERIFY(!half);
        QCOMPARE(half.error().code, ErrorCode::Conflict);
        QCOMPARE((*store)->info().entries, entries);
        QVERIFY(!*(*store)->findRun(*RunId::parse("new")));
    }

    void tauBench_recordedRuns()
    {
        const QString path = sharedData(QStringLiteral("tau-bench/gpt-4o-airline.subset.json"));
        if (!QFile::exists(path))
            QSKIP("the recorded runs are not here");
        const Imported imported(bytesOf(path), "gpt-4o-airline.subset.json");
        QVERIFY(imported.summary);
        QCOMPARE(imported.summary->format, std::string("tau-bench"));
        QCOMPARE(imported.summary->runs, std::int64_t(19));
        QCOMPARE(imported.summary->actions, std::int64_t(203));
        QCOMPARE(imported.summary->attempts, std::int64_t(203));
        const auto shown = [&](std::int64_t seq) {
            const ActionDetail action = imported.action("0/3", seq);
            return action.row.tool + " " + line(action.attempts.at(0));
        };
        QCOMPARE(imported.reader->actions(*RunId::parse("0/3"), -1, 100)->size(), std::size_t(13));
        // Seqs 6 and 13 share a tool_call_id, and so do 9 and 11: each has its own answer.
        QCOMPARE(shown(6),
            std::string("book_reservation executed succeeded HATHAT /16/traj/20/tool_calls/0"));
        QCOMPARE(shown(10),
            std::string("book_reservation executed succeeded HATHAU /16/traj/30/tool_calls/0"));
        QCOMPARE(shown(11),
            std::string("cancel_reservation executed succeeded HATHAU /16/traj/36/tool_calls/0"));
        QCOMPARE(shown(13),
            std::string("book_reservation executed succeeded HATHAV /16/traj/42/tool_calls/0"));
        QCOMPARE(shown(9), std::string("think executed succeeded - /16/traj/28/tool_calls/0"));
        QCOMPARE(shown(12),
            std::string("book_reservation executed declined - /16/traj/38/tool_calls/0"));
        for (const std::int64_t seq : {6, 10, 13}) {
            const Business business = imported.action("0/3", seq).row.business;
            QCOMPARE(business.amount->withCode(), std::string("USD 305.00"));
            QCOMPARE(business.payee, std::string("mia_li_3668"));
        }
        QCOMPARE(imported.action("0/3", 11).row.business.undoes, std::string("HATHAU"));
        QVERIFY(!imported.action("0/3", 1).row.sideEffect);
        QVERIFY(imported.action("0/3", 6).row.sideEffect);
    }

    void tau2Bench_recordedRuns()
    {
        const QString path = sharedData(
            QStringLiteral("tau2-bench/toolorchestra_airline_gpt-5_1trial.subset.json"));
        if (!QFile::exists(path))
            QSKIP("the recorded runs are not here");
        const Imported imported(bytesOf(path), "airline.json");
        QVERIFY(imported.summary);
        QCOMPARE(imported.summary->format, std::string("tau2-bench"));
        QCOMPARE(imported.runIds(),
            (std::vector<std::string> {"1/0/ef684051", "43/0/8d32009a", "46/0/690c8a71",
                "49/0/0002f65d", "7/0/c2b56a35", "9/0/b4b14e23"}));
    }

    void chat_plainMessages()
    {
        const Imported imported(
            quoted("[{'role':'user','content':'book it'},"
                   "{'role':'assistant','tool_calls':[{'id':'a','function':{'name':'charge_card',"
                   "'arguments':'{\\'amount_minor\\':1,\\'currency\\':\\'JPY\\'}'}},"
                   "{'id':'b','function':{'name':'send_email','arguments':'not JSON'}}]},"
                   "{'role':'tool','tool_call_id':'a','content':'{\\'charge_id\\':\\'ch_1\\'}'}]"),
            "talk.json");
        QVERIFY(imported.summary);
        QCOMPARE(imported.summary->format, std::string("chat"));
        QCOMPARE(line(imported.action("talk", 1).attempts.at(0)),
            std::string("executed succeeded ch_1 /1/tool_calls/0"));
        QCOMPARE(imported.action("talk", 1).row.business.amount->withCode(), std::string("JPY 1"));
        // Never answered, and its args are no JSON: kept as they are, with a warning.
        const ActionDetail mail = imported.action("talk", 2);
        QVERIFY(mail.row.state == ActionState::InDoubt);
        QCOMPARE(imported.body(mail.row.args), std::string("not JSON"));
        QCOMPARE(imported.summary->warnings.size(), std::size_t(1));
    }

    void chat_oneIdForTwoCalls_bothAreAnswered()
    {
        const std::string call = "{'id':'x','function':{'name':'charge_card','arguments':'{}'}}";
        const Imported imported(quoted("[{'role':'assistant','tool_calls':[" + call + "," + call
                                    + "]},{'role':'tool','tool_call_id':'x','content':'one'},"
                                      "{'role':'tool','tool_call_id':'x','content':'two'}]"),
            "talk.json");
        std::set<std::string> answers;
        for (const std::int64_t seq : {1, 2}) {
            const ActionDetail action = imported.action("talk", seq);
            QVERIFY(action.row.state == ActionState::Succeeded);
            answers.insert(imported.body(action.attempts.at(0).result->body));
        }
        QCOMPARE(answers, (std::set<std::string> {"one", "two"}));
    }

    void jsonl_everyField()
    {
        const Imported imported(
            quoted("{'run_id':'r','seq':3,'tool':'charge_card','args':{ 'amount_minor': 5.0,"
                   "'currency':'USD'},'attempt':1,'state':'unknown','error':'timed out',"
                   "'started_at':'2026-01-01T01:00:00+01:00','ended_at':'2026-01-01T00:00:09.5Z',"
                   "'key':'k1'}\n"
                   "{'run_id':'r','seq':3,'tool':'charge_card','args':{'currency':'USD',"
                   "'amount_minor':5},'state':'ok','result':{'charge_id':'ch_9'},'key':'k2'}\n"
                   "{'run_id':'r','seq':3,'tool':'charge_card','state':'replayed','result':'again',"
                   "'provider_ref':'ch_9','args':{'amount_minor':5,'currency':'USD'}}\n"
                   "{'run_id':'r','tool':'charge_card','state':'error','error':'declined'}\n"
                   "{'run_id':'r','tool':'get_time'}\n"
                   "{'run_id':'r','seq':0,'tool':'t','state':'ok','args':null,'result':''}\n"),
            "own.jsonl");
        QVERIFY2(imported.summary, imported.summary ? "" : imported.summary.error().text().c_str());
        QCOMPARE(imported.summary->actions, std::int64_t(4));
        const ActionDetail charge = imported.action("r", 3);
        QCOMPARE(charge.attempts.size(), std::size_t(3));
        QCOMPARE(line(charge.attempts[0]), std::string("in_doubt unknown - line 1"));
        QCOMPARE(
            charge.attempts[0].startedAt->rfc3339(), std::string("2026-01-01T00:00:00.000000Z"));
        QCOMPARE(charge.attempts[0].endedAt->rfc3339(), std::string("2026-01-01T00:00:09.500000Z"));
        QCOMPARE(charge.attempts[0].sentKey, std::string("k1"));
        QCOMPARE(charge.attempts[0].reason, std::string("timed out"));
        QCOMPARE(line(charge.attempts[1]), std::string("executed_again succeeded ch_9 line 2"));
        QCOMPARE(line(charge.attempts[2]), std::string("replayed succeeded ch_9 line 3"));
        QCOMPARE(imported.body(charge.attempts[2].result->body), std::string("again"));
        // The args differ in spelling only: no note says that they differ.
        for (const AttemptRow &attempt : charge.attempts)
            QCOMPARE(attempt.note, std::string());
        QCOMPARE(imported.body(charge.row.args), quoted("{ 'amount_minor': 5.0,'currency':'USD'}"));
        // Without a seq: after the largest that the run names.
        QCOMPARE(line(imported.action("r", 4).attempts.at(0)),
            std::string("executed declined - line 4"));
        QCOMPARE(
            line(imported.action("r", 5).attempts.at(0)), std::string("in_doubt unknown - line 5"));
        // An empty result is a result.
        const ActionDetail zero = imported.action("r", 0);
        QVERIFY(zero.attempts.at(0).result && zero.attempts.at(0).result->body);
        QCOMPARE(zero.attempts.at(0).result->bodyBytes, std::int64_t(0));
    }

    void jsonl_otherArgsUnderOneSeq_areNoted()
    {
        const Imported imported(
            quoted("{'run_id':'r','seq':1,'tool':'t','args':{'a':1},'state':'ok'}\n"
                   "{'run_id':'r','seq':1,'tool':'t','args':{'a':2},'state':'ok'}\n"),
            "own.jsonl");
        const ActionDetail action = imported.action("r", 1);
        QVERIFY(action.attempts.at(1).note.find("its args differ") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestImport)
#include "tst_import.moc"

#include "core/inspect/show_json.h"
#include "core/inspect/show_text.h"
#include "core/inspect/text_table.h"
#include "core/key/key.h"
#include "tests/support/fake_store_reader.h"
#include "tests/support/quoted.h"

#include <QRegularExpression>
#include <QtTest/QTest>

using namespace reprise;
using reprise::test::FakeStoreReader;
using reprise::test::quoted;

namespace {

const Time kStart = *Time::parse("2026-11-30T14:03:22.418001Z");

Time after(std::int64_t us)
{
    return Time {kStart.us + us};
}

/// `run-1`, seq 5: charged once for EUR 49.00, replayed once, and asked for once with other args.
void addCharge(FakeStoreReader &reader)
{
    const RunId run = *RunId::parse("run-1");
    ActionDetail detail;
    ActionRow &row = detail.row;
    row.runId = run.bytes();
    row.seq = 5;
    row.key = deriveKey(run, *Seq::of(5));
    row.tool = "charge_card";
    row.state = ActionState::Succeeded;
    row.args = reader.put(quoted("{'amount': 9007199254740993, 'rate':0.10}"));
    row.fingerprint = Sha256::of("fingerprint");
    row.business = {BusinessKind::Charge, Money {"EUR", 4900}, "cus_8841", "A-771", {}};
    row.attempts = 3;
    row.executed = 1;
    row.replayed = 1;
    row.conflicts = 1;
    row.reference = "ch_91";
    row.firstAt = kStart;
    row.outcomeAt = after(1'500'000);
    detail.environment = "live";
    detail.account = "acct-1";
    detail.contract = ToolContract::undeclared("charge_card");
    detail.contract.ignore = {"/trace_id"};
    detail.stateHash = Sha256::of("state");
    detail.calls = 1;
    detail.recordedBy = "0123456789abcdef0123456789abcdef";
    const std::string body = quoted("{'charge_id':'ch_91'}");
    RecordedResult result;
    result.status = "0";
    result.contentType = "application/json";
    result.body = reader.put(body);
    result.bodyBytes = static_cast<std::int64_t>(body.size());
    result.reference = "ch_91";
    result.recordedAt = after(1'500'000);
    detail.result = result;
    detail.acceptance = reader.put(
        quoted("{'accepted':true,'checks':[{'name':'complete','ok':true,'what':''}]}"));
    AttemptRow executed;
    executed.n = 1;
    executed.outcome = OutcomeClass::Succeeded;
    executed.startedAt = kStart;
    executed.endedAt = after(1'500'000);
    executed.owner = "host-a:412";
    executed.sentKey = formatKey(row.key, KeyForm::Uuid);
    executed.result = result;
    executed.toolLog = reader.put("charged\n");
    AttemptRow replayed;
    replayed.n = 2;
    replayed.kind = AttemptKind::Replayed;
    replayed.startedAt = after(30'000'000);
    replayed.endedAt = after(30'001'000);
    replayed.result = result;
    replayed.sameAsOriginal = true;
    AttemptRow conflict;
    conflict.n = 3;
    conflict.kind = AttemptKind::Conflict;
    conflict.startedAt = after(60'000'000);
    conflict.args = reader.put(quoted("{'rate':0.1,'amount':9007199254740992}"));
    conflict.note = "args differ";
    detail.attempts = {executed, replayed, conflict};
    reader.details.push_back(detail);

    RunRow runRow;
    runRow.run.runId = run.bytes();
    runRow.run.revision = 1;
    runRow.run.seqMax = 5;
    runRow.run.label = "checkout";
    runRow.run.environment = "live";
    runRow.run.account = "acct-1";
    runRow.actions = 1;
    runRow.executed = 1;
    runRow.replayed = 1;
    runRow.conflicts = 1;
    runRow.firstAt = kStart;
    runRow.lastAt = after(60'000'000);
    reader.runRows.push_back(runRow);
}

Json shown(FakeStoreReader &reader)
{
    auto json = showActionJson(reader, reader.details.front());
    return json ? std::move(*json) : Json();
}

} // namespace

class TestShowJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void action_hasTheFieldsOfTheContract()
    {
        FakeStoreReader reader;
        addCharge(reader);
        const Json json = shown(reader);
        for (const char *field : {"seq", "key", "tool", "state", "reason", "fingerprint", "args",
                 "environment", "account", "executed", "replayed", "attempts", "result",
                 "acceptance", "business", "state_hash", "owner_alive", "ignore"})
            QVERIFY2(json.find(field) != nullptr, field);
        QCOMPARE(json["seq"].integer(), std::optional<std::int64_t>(5));
        QCOMPARE(json["key"].text(), reader.details[0].row.key.hex());
        QCOMPARE(json["state"].text(), std::string("succeeded"));
        QVERIFY(json["reason"].isNull());
        QVERIFY(json["owner_alive"].isNull());
        QCOMPARE(json["state_hash"].text(), Sha256::of("state").hex());
        QCOMPARE(json["ignore"].dump(), quoted("['/trace_id']"));
        QCOMPARE(json["business"].dump(),
            quoted("{'kind':'charge','amount':{'currency':'EUR','minor':4900,'text':'49.00'},"
                   "'payee':'cus_8841','order':'A-771','undoes':null}"));
        QVERIFY(json["acceptance"]["accepted"].boolean());
    }

    void action_argsKeepEveryDigit()
    {
        FakeStoreReader reader;
        addCharge(reader);
        QCOMPARE(shown(reader)["args"].dump(), quoted("{'amount':9007199254740993,'rate':0.10}"));
    }

    void attempts_sayWhatEachOneWas()
    {
        FakeStoreReader reader;
        addCharge(reader);
        const Json attempts = shown(reader)["attempts"];
        QCOMPARE(attempts.items().size(), std::size_t(3));
        const Json &executed = attempts.items()[0];
        QCOMPARE(executed["kind"].text(), std::string("executed"));
        QCOMPARE(executed["started_at"].text(), std::string("2026-11-30T14:03:22.418001Z"));
        QCOMPARE(executed["ended_at"].text(), std::string("2026-11-30T14:03:23.918001Z"));
        QCOMPARE(executed["owner"].text(), std::string("host-a:412"));
        QCOMPARE(executed["reference"].text(), std::string("ch_91"));
        QCOMPARE(executed["result_sha256"].text(), reader.details[0].result->body->hex());
        QCOMPARE(executed["tool_log"].text(), std::string("charged\n"));
        QVERIFY(executed["same_as_original"].isNull());
        QVERIFY(attempts.items()[1]["same_as_original"].boolean());
        QVERIFY(attempts.items()[1]["sent_key"].isNull());
        const Json &conflict = attempts.items()[2];
        QVERIFY(conflict["ended_at"].isNull());
        QVERIFY(conflict["result_sha256"].isNull());
        QCOMPARE(conflict["note"].text(), std::string("args differ"));
        QCOMPARE(conflict["diff"].dump(),
            quoted("[{'pointer':'/amount','recorded':'9007199254740993',"
                   "'given':'9007199254740992'}]"));
    }

    void result_bodyIsTextOrBase64OrPruned()
    {
        FakeStoreReader reader;
        addCharge(reader);
        QCOMPARE(shown(reader)["result"]["body"].text(), quoted("{'charge_id':'ch_91'}"));

        const std::string bytes("\xff\x00\x01", 3);
        reader.details[0].result->body = reader.put(bytes);
        Json result = shown(reader)["result"];
        QCOMPARE(fromBase64(result["body_base64"].text()), std::optional<std::string>(bytes));
        QVERIFY(result.find("body") == nullptr);

        reader.bodies[*reader.details[0].result->body] = std::nullopt;
        result = shown(reader)["result"];
        QVERIFY(result["body"].isNull());
        QVERIFY(result["pruned"].boolean());

        // No result at all is not an empty one.
        reader.details[0].result->body = reader.put("");
        QCOMPARE(shown(reader)["result"]["body"].kind(), Json::Kind::String);
        reader.details[0].result->body.reset();
        result = shown(reader)["result"];
        QVERIFY(result["body"].isNull());
        QVERIFY(result.find("pruned") == nullptr);
        reader.details[0].result.reset();
        QVERIFY(shown(reader)["result"].isNull());
    }

    void args_thatAreNotJson_areShownAsTheyAre()
    {
        FakeStoreReader reader;
        addCharge(reader);
        reader.details[0].row.args = reader.put("{'amount': NaN}");
        Json json = shown(reader);
        QVERIFY(json["args"].isNull());
        QCOMPARE(json["args_text"].text(), std::string("{'amount': NaN}"));
        reader.details[0].row.args = reader.put("\xfe");
        json = shown(reader);
        QCOMPARE(json["args_text_base64"].text(), std::string("/g=="));
    }

    void run_listsItsActions()
    {
        FakeStoreReader reader;
        addCharge(reader);
        const auto json = showRunJson(reader, *RunId::parse("run-1"));
        QVERIFY(json.has_value());
        QCOMPARE((*json)["run_id"].text(), std::string("run-1"));
        QCOMPARE((*json)["label"].text(), std::string("checkout"));
        QCOMPARE((*json)["actions"].items().size(), std::size_t(1));
        QVERIFY((*json)["actions"].items()[0].sameValue(shown(reader)));
    }

    void run_ofMoreThanOnePage_isWhole()
    {
        FakeStoreReader reader;
        addCharge(reader);
        const ActionDetail first = reader.details.front();
        reader.details.clear();
        for (std::int64_t seq = 0; seq < 1201; ++seq) {
            ActionDetail detail = first;
            detail.row.seq = seq;
            detail.row.key = deriveKey(*RunId::parse("run-1"), *Seq::of(seq));
            reader.details.push_back(detail);
        }
        const auto json = showRunJson(reader, *RunId::parse("run-1"));
        QVERIFY(json.has_value());
        QCOMPARE((*json)["actions"].items().size(), std::size_t(1201));
        QCOMPARE((*json)["actions"].items().back()["seq"].text(), std::string("1200"));
    }

    void run_thatIsNotThere_isNotFound()
    {
        FakeStoreReader reader;
        const RunId run = *RunId::parse("nobody");
        QCOMPARE(showRunJson(reader, run).error().code, ErrorCode::NotFound);
        QCOMPARE(showRunText(reader, run).error().code, ErrorCode::NotFound);
    }

    void text_ofARun_isAligned()
    {
        FakeStoreReader reader;
        addCharge(reader);
        reader.details[0].row.business.payee = "注文\n💳";
        const auto text = showRunText(reader, *RunId::parse("run-1"));
        QVERIFY(text.has_value());
        const QStringList lines = QString::fromStdString(*text).split(QLatin1Char('\n'));
        const auto at = lines.indexOf(QRegularExpression(QStringLiteral("^seq  tool.*")));
        QVERIFY(at > 0);
        // The columns behind a wide payee begin where their titles begin.
        const std::string title = lines[at].toStdString();
        const std::string row = lines[at + 1].toStdString();
        QCOMPARE(displayWidth(row.substr(0, row.find("A-771"))),
            displayWidth(title.substr(0, title.find("order"))));
        QVERIFY(row.find("注文⟨U+000A⟩💳") != std::string::npos);
        QVERIFY(row.find("EUR 49.00") != std::string::npos);
        QVERIFY(row.find("2026-11-30 14:03:22.418Z") != std::string::npos);
    }

    void text_ofAnAction_namesWhatIsThere()
    {
        FakeStoreReader reader;
        addCharge(reader);
        const auto text = showActionText(reader, reader.details.front());
        QVERIFY(text.has_value());
        for (const char *part : {"run-1", "charge_card", "EUR 49.00", "(ignoring /trace_id)",
                 "host-a:412", "1 executed, 1 replayed, 0 again, 1 conflict",
                 "Acceptance check: accepted", "\"ch_91\"", "1.500 s"})
            QVERIFY2(text->find(part) != std::string::npos, part);
    }

    void text_ofRuns_saysHowManyOfHowMany()
    {
        FakeStoreReader reader;
        QCOMPARE(
            runsText(*reader.runs({}), *reader.totals({})), std::string("0 of 0 runs match.\n"));
        addCharge(reader);
        RunPage page = *reader.runs({});
        page.next = "cursor";
        const std::string text = runsText(page, *reader.totals({}));
        QVERIFY(text.find("1 shown, 1 of 1 run match: 1 action, 1 executed") != std::string::npos);
        QVERIFY(text.find("--after cursor") != std::string::npos);
        QVERIFY(text.find("60.000 s") == std::string::npos);
        QVERIFY(text.find("1 min 00 s") != std::string::npos);
    }

    void humanForms_data()
    {
        QTest::addColumn<QString>("got");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *expected, const std::string &got) {
            QTest::newRow(expected) << QString::fromStdString(got) << QString::fromUtf8(expected);
        };
        row("2026-11-30 14:03:22.418Z", humanTime(kStart));
        row("—", humanTime(std::optional<Time>()));
        row("1969-12-31 23:59:59.999Z", humanTime(Time {-1}));
        row("0 ms", humanDuration(0));
        row("999 ms", humanDuration(999'999));
        row("32.609 s", humanDuration(32'609'000));
        row("-1 min 12 s", humanDuration(-72'000'000));
        row("3 h 05 min", humanDuration(11'100'000'000));
        row("12 d 3 h", humanDuration((12LL * 24 + 3) * 3'600'000'000));
        row("0", humanCount(0));
        row("999", humanCount(999));
        row("12,480", humanCount(12480));
        row("-1,234,567", humanCount(-1234567));
    }
    void humanForms()
    {
        QFETCH(QString, got);
        QFETCH(QString, expected);
        QCOMPARE(got, expected);
    }
};

QTEST_APPLESS_MAIN(TestShowJson)
#include "tst_show_json.moc"

#include "core/report/csv_writer.h"
#include "core/report/html_writer.h"
#include "core/report/json_writer.h"
#include "tests/support/report_fixture.h"

#include <QRegularExpression>
#include <QtTest/QTest>

#include <set>

using namespace reprise;
using reprise::test::ReportFixture;

namespace {

Json parsed(const ReportDocument &document)
{
    auto json = Json::parse(writeJson(document));
    return json ? std::move(*json) : Json();
}

void collectTables(const Json &section, std::vector<const Json *> &out)
{
    for (const Json &block : section["blocks"].items())
        if (block["type"].text() == "table")
            out.push_back(&block);
    for (const Json &inner : section["sections"].items())
        collectTables(inner, out);
}

std::vector<const Json *> tablesIn(const Json &report)
{
    std::vector<const Json *> tables;
    for (const Json &section : report["sections"].items())
        collectTables(section, tables);
    return tables;
}

std::int64_t rowsOf(const std::vector<const Json *> &tables, const std::string &id)
{
    std::int64_t rows = 0;
    for (const Json *table : tables)
        if ((*table)["id"].text() == id)
            rows += static_cast<std::int64_t>((*table)["rows"].items().size());
    return rows;
}

std::string csvOf(const ReportDocument &document, const std::string &name)
{
    for (const auto &[file, text] : writeCsv(document))
        if (file == name)
            return text;
    return {};
}

} // namespace

class TestReportJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void json_namesScopeStoreAndAsker()
    {
        ReportFixture fixture;
        const Json json = parsed(fixture.document());
        QCOMPARE(json["format"].text(), std::string("reprise-report-1"));
        QCOMPARE(json["asked_by"].text(), std::string("A. Auditor <a@example.org>"));
        QCOMPARE(json["at"].text(), std::string("2026-11-30T14:03:22.418001Z"));
        QCOMPARE(json["store"]["id"].text(), std::string(32, 'a'));
        QCOMPARE(json["store"]["kind"].text(), std::string("live"));
        QCOMPARE(json["store"]["schema"].text(), std::string("1"));
        QCOMPARE(json["store"]["head"]["entry"].text(), std::string("3"));
        QCOMPARE(json["store"]["head"]["hash"].text(), Sha256::of("head").hex());
        QVERIFY(json["scope"].text().find("whole store payments.db, 3 runs") != std::string::npos);
        QVERIFY(json["scope"].text().find("no filter") != std::string::npos);
        QVERIFY(json["scope"].text().find("folder/") == std::string::npos);
    }

    void json_amountsAndNumbersAreExact()
    {
        ReportFixture fixture;
        const ReportDocument document = fixture.document();
        const Json json = parsed(document);
        std::set<std::string> amounts;
        for (const Json *table : tablesIn(json))
            if ((*table)["id"].text() == "effects")
                for (const Json &row : (*table)["rows"].items())
                    amounts.insert(row["amount"].dump());
        for (const char *amount : {R"({"currency":"EUR","minor":4900,"text":"49.00"})",
                 R"({"currency":"JPY","minor":777,"text":"777"})",
                 R"({"currency":"KWD","minor":12345,"text":"12.345"})",
                 R"({"currency":"EUR","minor":-5242,"text":"-52.42"})"})
            QVERIFY2(amounts.contains(amount), amount);
        QCOMPARE(json["totals"]["at_risk_KWD"]["minor"].text(), std::string("12345"));
        // 2^53 + 1 in the args, as the store has it.
        QVERIFY(writeJson(document).find("\"id\": 9007199254740993") != std::string::npos);
    }

    void json_bodiesAreByteForByte()
    {
        ReportFixture fixture;
        const Json bodies = parsed(fixture.document())["records"]["bodies"];
        QVERIFY(bodies.items().size() == 9);
        for (const Json &body : bodies.items()) {
            const Json *base64 = body.find("base64");
            const std::string bytes
                = base64 != nullptr ? fromBase64(base64->text()).value() : body["text"].text();
            QCOMPARE(Sha256::of(bytes).hex(), body["sha256"].text());
            QCOMPARE(std::to_string(bytes.size()), body["bytes"].text());
        }
        QVERIFY(std::any_of(bodies.items().begin(), bodies.items().end(),
            [](const Json &body) { return body.find("base64") != nullptr; }));
    }

    void json_prunedBody_saysSo()
    {
        ReportFixture fixture;
        fixture.reader.bodies[*fixture.reader.details[1].result->body] = std::nullopt;
        const Json bodies = parsed(fixture.document())["records"]["bodies"];
        QVERIFY(std::any_of(bodies.items().begin(), bodies.items().end(), [](const Json &body) {
            return body["left_out"].text().find("pruned") != std::string::npos
                && body["bytes"].isNull();
        }));
    }

    void json_citesTheJournal()
    {
        ReportFixture fixture;
        const Json journal = parsed(fixture.document())["records"]["journal"];
        QCOMPARE(journal.items().size(), std::size_t(2));
        QCOMPARE(journal.items()[0]["payload"].text(), fixture.reader.journalRows[1].payload);
        QCOMPARE(journal.items()[1]["kind"].text(), std::string("settled"));
    }

    /// Rows, counts and ids of one document are the same in HTML, CSV and JSON.
    void allForms_haveTheSameRowsAndTotals_data()
    {
        QTest::addColumn<QString>("run");
        QTest::addColumn<QString>("suspect");
        QTest::newRow("store") << QString() << QString();
        QTest::newRow("run") << QStringLiteral("run-1") << QString();
        QTest::newRow("suspect") << QString() << QStringLiteral("S-00000002");
    }
    void allForms_haveTheSameRowsAndTotals()
    {
        QFETCH(QString, run);
        QFETCH(QString, suspect);
        ReportFixture fixture;
        ReportRequest request = fixture.request();
        if (!run.isEmpty())
            request.scope.runId = run.toStdString();
        if (!suspect.isEmpty())
            request.scope.suspectId = suspect.toStdString();
        const auto document = fixture.build(request);
        QVERIFY(document.has_value());
        const Json json = parsed(*document);
        const auto tables = tablesIn(json);
        const QString html = QString::fromStdString(writeHtml(*document));

        for (const auto &[file, text] : writeCsv(*document)) {
            if (file == "totals.csv")
                continue;
            // No text of these tables but that of effects holds a line break, so lines are records.
            const auto lines
                = static_cast<std::int64_t>(std::count(text.begin(), text.end(), '\n'));
            const std::string id = file.substr(0, file.size() - 4);
            if (text.find("line\r\nbreak") == std::string::npos)
                QCOMPARE(lines - 1, rowsOf(tables, id));
        }
        std::set<std::string> keys;
        for (const Json *table : tables)
            for (const Json &row : (*table)["rows"].items())
                if (const Json *key = row.find("key"); key != nullptr)
                    keys.insert(key->text());
        QVERIFY(!keys.empty());
        const std::string csv = csvOf(*document, "effects.csv");
        for (const std::string &key : keys) {
            QVERIFY(html.contains(QString::fromStdString(key)));
            QVERIFY(csv.find(key) != std::string::npos
                || csvOf(*document, "actions.csv").find(key) != std::string::npos);
        }
        const std::string totals = csvOf(*document, "totals.csv");
        for (const auto &[id, value] : json["totals"].members()) {
            const std::string shown = value.isObject()
                ? value["currency"].text() + " " + value["text"].text()
                : value.text();
            QVERIFY2(html.contains(QLatin1String("<b>") + QString::fromStdString(shown)
                         + QLatin1String("</b>")),
                id.c_str());
            QVERIFY2(totals.find("\"" + id + "\"") != std::string::npos, id.c_str());
            QVERIFY2(totals.find("," + (value.isObject() ? value["minor"].text() : value.text()))
                    != std::string::npos,
                id.c_str());
        }
    }

    void scope_run_holdsItsActionsOnly()
    {
        ReportFixture fixture;
        const auto document = fixture.build(fixture.request(std::string("run-1")));
        QVERIFY(document.has_value());
        const Json json = parsed(*document);
        QCOMPARE(json["totals"]["actions"].text(), std::string("2"));
        QCOMPARE(json["totals"]["suspects"].text(), std::string("1"));
        QCOMPARE(rowsOf(tablesIn(json), "actions"), std::int64_t(2));
        QCOMPARE(rowsOf(tablesIn(json), "in_doubt"), std::int64_t(1));
        QCOMPARE(rowsOf(tablesIn(json), "timeline"), std::int64_t(5));
        QVERIFY(writeJson(*document).find("run-2") == std::string::npos);
        QVERIFY(json["totals"].find("at_risk_JPY") == nullptr);
    }

    void scope_thatIsNotThere_isNotFound()
    {
        ReportFixture fixture;
        QCOMPARE(fixture.build(fixture.request(std::string("nobody"))).error().code,
            ErrorCode::NotFound);
        QCOMPARE(
            fixture.build(fixture.request(std::nullopt, std::string("S-ffffffff"))).error().code,
            ErrorCode::NotFound);
    }

    void stopFlag_endsTheReport()
    {
        ReportFixture fixture;
        const std::atomic<bool> stop {true};
        ReportRequest request = fixture.request();
        request.stop = &stop;
        QCOMPARE(fixture.build(request).error().code, ErrorCode::Cancelled);
    }

    void timeline_printsGapsAndPlanning()
    {
        ReportFixture fixture;
        const Json json
            = parsed(*fixture.build(fixture.request(std::nullopt, std::string("S-00000001"))));
        std::string lines;
        for (const Json *table : tablesIn(json))
            if ((*table)["id"].text() == "suspect_timeline")
                for (const Json &row : (*table)["rows"].items())
                    lines += row["gap"].dump() + " " + row["seq"].text() + " " + row["event"].text()
                        + "\n";
        QCOMPARE(lines,
            std::string("null 5 planned\n1000000 5 dispatched\n1500000 5 outcome not known\n"
                        "58500000 6 dispatched\n1500000 6 succeeded\n"));
    }

    void method_saysWhatWasNotDone()
    {
        ReportFixture fixture;
        fixture.suspects.coverage = 0.41;
        fixture.reader.details[0].imported = true;
        const std::string json = writeJson(fixture.document());
        for (const char *part :
            {"stopped at 41 %", "R02", "no statement", "derived at import", "/trace_id",
                "cannot show that the last entries were not cut off", "ticket 7", "M. Reviewer"})
            QVERIFY2(json.find(part) != std::string::npos, part);
    }

    void storeWithoutAnything_makesAReport()
    {
        ReportFixture fixture;
        fixture.reader.runRows.clear();
        fixture.reader.details.clear();
        fixture.reader.journalRows.clear();
        fixture.suspects = {};
        const auto document = fixture.build(fixture.request());
        QVERIFY(document.has_value());
        const std::string json = writeJson(*document);
        QVERIFY(json.find("No suspect was found among 0 effects in 0 runs") != std::string::npos);
        QVERIFY(!writeHtml(*document).empty());
    }

    void twoReportsOfOneMoment_areEqual()
    {
        ReportFixture first;
        ReportFixture second;
        QCOMPARE(writeJson(first.document()), writeJson(second.document()));
        QCOMPARE(writeHtml(first.document()), writeHtml(second.document()));
    }
};

QTEST_APPLESS_MAIN(TestReportJson)
#include "tst_report_json.moc"

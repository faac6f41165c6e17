#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/report/json_writer.h"
#include "core/report/report.h"
#include "core/store/sqlite.h"
#include "core/suspects/suspects.h"
#include "tests/support/demo_store.h"

#include <QFile>
#include <QTest>

#include <set>

using namespace reprise;
using reprise::test::DemoStore;

namespace {

Json reportOf(const QString &store, const ReportScope &scope)
{
    const auto reader = StoreReader::open(store.toStdString());
    if (!reader)
        return {};
    ReportRequest request;
    request.scope = scope;
    request.at = *Time::parse("2026-12-01T00:00:00Z");
    const auto document = buildReport(**reader, request);
    if (!document)
        return Json(document.error().text());
    return *Json::parse(writeJson(*document));
}

/// Rows of the first table of that id, anywhere in the report.
Json rowsOf(const Json &report, const std::string &id)
{
    std::vector<const Json *> sections;
    for (const Json &section : report["sections"].items())
        sections.push_back(&section);
    for (std::size_t i = 0; i < sections.size(); ++i) {
        for (const Json &block : (*sections[i])["blocks"].items())
            if (block["id"].text() == id)
                return block["rows"];
        for (const Json &inner : (*sections[i])["sections"].items())
            sections.push_back(&inner);
    }
    return {};
}

} // namespace

/// Reports about a real store: the demonstration, made by the real executor.
class TestReportStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void store_isReportedAndNotTouched()
    {
        const auto before = readFile(m_store.path().toStdString());
        const Json report = reportOf(m_store.path(), {});
        QVERIFY(report.isObject());
        QCOMPARE(*readFile(m_store.path().toStdString()), *before);

        const Json files = rowsOf(report, "evidence_files");
        QCOMPARE(files.items().size(), std::size_t(1));
        QCOMPARE(files.items()[0]["name"].text(), std::string("payments.db"));
        QCOMPARE(files.items()[0]["sha256"].text(), Sha256::of(*before).hex());
        QCOMPARE(files.items()[0]["bytes"].text(), std::to_string(before->size()));
        QVERIFY(rowsOf(report, "integrity_findings").items().empty());
        QVERIFY(report.dump().find("The journal's chain is intact") != std::string::npos);

        const auto reader = StoreReader::open(m_store.path().toStdString());
        const auto totals = (*reader)->totals({});
        QCOMPARE(report["totals"]["runs"].integer(), std::optional(totals->runs));
        QCOMPARE(report["totals"]["in_doubt"].integer(), std::optional(totals->inDoubt));
        QCOMPARE(
            static_cast<std::int64_t>(rowsOf(report, "in_doubt").items().size()), totals->inDoubt);
        const auto suspects = findSuspects(**reader, {});
        QVERIFY(!suspects->clusters.empty());
        QCOMPARE(rowsOf(report, "suspects").items().size(), suspects->clusters.size());
        QVERIFY(report["records"]["suspects"].sameValue(suspectsToJson(*suspects)));
    }

    void journalEntries_areTheStoredOnes()
    {
        const Json report = reportOf(m_store.path(), {});
        const auto reader = StoreReader::open(m_store.path().toStdString());
        const auto all = (*reader)->journal(0, 10'000);
        const Json journal = report["records"]["journal"];
        QVERIFY(journal.items().size() > 20);
        std::set<std::string> kinds;
        for (const Json &row : journal.items()) {
            const auto &stored = all->at(static_cast<std::size_t>(*row["entry"].integer()) - 1);
            QCOMPARE(row["payload"].text(), stored.payload);
            QCOMPARE(row["hash"].text(), stored.hash.hex());
            kinds.insert(stored.kind);
        }
        QVERIFY(kinds.contains("action_planned") && kinds.contains("claimed"));
    }

    void run_hasEveryActionAndAttempt()
    {
        const auto reader = StoreReader::open(m_store.path().toStdString());
        RunQuery most;
        most.sort = RunSort::Replayed;
        most.limit = 1;
        const RunRow row = (*reader)->runs(most)->rows.at(0);
        const Json report = reportOf(m_store.path(), {row.run.runId, std::nullopt});
        QCOMPARE(static_cast<std::int64_t>(rowsOf(report, "actions").items().size()), row.actions);
        std::int64_t replays = 0;
        for (const Json &attempt : rowsOf(report, "attempts").items())
            replays += attempt["kind"].text() == "replayed" ? 1 : 0;
        QVERIFY(replays > 0);
        QCOMPARE(replays, row.replayed);
    }

    void decisions_nameWhoAndWhy()
    {
        const Json decisions = rowsOf(reportOf(m_store.path(), {}), "decisions");
        QVERIFY(!decisions.items().empty());
        for (const Json &row : decisions.items()) {
            QVERIFY(row["run_id"].isString());
            QVERIFY(row["by"].isString());
            QVERIFY(row["at"].text().ends_with("Z"));
        }
    }

    void brokenChain_isReported()
    {
        const QString copy = m_store.folder() + QStringLiteral("/broken.db");
        QVERIFY(QFile::copy(m_store.path(), copy));
        {
            const auto database
                = SqliteDatabase::open(copy.toStdString(), SqliteDatabase::Mode::ReadWrite);
            QVERIFY((*database)->execute("DROP TRIGGER journal_is_append_only_update; UPDATE "
                                         "journal SET at = at + 1 WHERE entry = 7"));
        }
        const Json report = reportOf(copy, {});
        QVERIFY(report.isObject());
        QVERIFY(!rowsOf(report, "integrity_findings").items().empty());
        QVERIFY(report.dump().find("The journal's chain is intact") == std::string::npos);
        QVERIFY(report.dump().find("The journal's chain is not intact") != std::string::npos);
    }

private:
    DemoStore m_store;
};

QTEST_APPLESS_MAIN(TestReportStore)
#include "tst_report_store.moc"

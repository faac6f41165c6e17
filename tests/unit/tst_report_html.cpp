#include "core/report/html_writer.h"
#include "tests/support/report_fixture.h"

#include <QRegularExpression>
#include <QtTest/QTest>
#include <QXmlStreamReader>

using namespace reprise;
using reprise::test::ReportFixture;

namespace {

QString htmlOf(const ReportDocument &document)
{
    return QString::fromStdString(writeHtml(document));
}

int countOf(const QString &html, const char *pattern)
{
    int count = 0;
    auto found = QRegularExpression(QString::fromUtf8(pattern)).globalMatch(html);
    for (; found.hasNext(); found.next())
        ++count;
    return count;
}

} // namespace

class TestReportHtml : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void html_isSelfContained()
    {
        ReportFixture fixture;
        const QString html = htmlOf(fixture.document());
        for (const char *outside : {"http", "//", "<script", "<link", "<img", "<iframe", "@import",
                 "url(", "javascript:", " onload", " src="})
            QVERIFY2(!html.contains(QLatin1String(outside)), outside);
    }

    void html_markupInData_staysText()
    {
        ReportFixture fixture;
        ReportDocument document = fixture.document();
        const std::string hostile = "</style></title><script>alert(\"1\")</script>&amp;'";
        document.title = hostile;
        document.scopeLine = hostile;
        document.reportId = hostile;
        document.facts.emplace_back(hostile, hostile);
        document.sections[0].title = hostile;
        const QString html = htmlOf(document);
        QVERIFY(!html.contains(QLatin1String("<script")));
        QCOMPARE(countOf(html, "</style>"), 1);
        QCOMPARE(countOf(html, "</title>"), 1);
        QVERIFY(html.contains(QLatin1String("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;")));
        QVERIFY(html.contains(QLatin1String("&amp;amp;")));
    }

    /// Every tag is closed and nested as it must be: an XML reader takes it, but for the void ones.
    void html_isWellFormed()
    {
        ReportFixture fixture;
        QString html = htmlOf(fixture.document());
        html.replace(
            QRegularExpression(QStringLiteral("<(meta|br)([^>]*)>")), QStringLiteral("<\\1\\2/>"));
        html.replace(QLatin1String("<!DOCTYPE html>"), QString());
        html.replace(QRegularExpression(QStringLiteral("<style>.*</style>"),
                         QRegularExpression::DotMatchesEverythingOption),
            QString());
        QXmlStreamReader xml(html);
        while (!xml.atEnd())
            xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    }

    void html_headingsAreInOrder()
    {
        ReportFixture fixture;
        const QString html = htmlOf(fixture.document());
        int level = 0;
        auto found = QRegularExpression(QStringLiteral("<h([1-6])[ >]")).globalMatch(html);
        while (found.hasNext()) {
            const int next = found.next().captured(1).toInt();
            QVERIFY2(next <= level + 1, qPrintable(QString::number(next)));
            level = next;
        }
        QCOMPARE(countOf(html, "<h1>"), 1);
    }

    void html_tableHeadersAreScoped()
    {
        ReportFixture fixture;
        const QString html = htmlOf(fixture.document());
        QVERIFY(countOf(html, "<th ") > 20);
        QCOMPARE(countOf(html, "<th(?! scope=\"(col|row)\")[ >]"), 0);
        QCOMPARE(countOf(html, "<table"), countOf(html, "<caption>"));
        QCOMPARE(countOf(html, "<table"), countOf(html, "<thead>"));
    }

    void html_hasPaperDarkAndPhoneForms()
    {
        ReportFixture fixture;
        const QString html = htmlOf(fixture.document());
        for (const char *part : {"@media print", "prefers-color-scheme: dark", "max-width: 44rem",
                 "table-header-group", "counter(page)", "counter(pages)", "width=device-width"})
            QVERIFY2(html.contains(QLatin1String(part)), part);
    }

    void html_amountsHaveTheirCurrencysPlaces()
    {
        ReportFixture fixture;
        const QString html = htmlOf(fixture.document());
        for (const char *amount : {"EUR 49.00", "JPY 777", "KWD 12.345", "EUR -52.42"})
            QVERIFY2(html.contains(QLatin1String(amount)), amount);
    }

    void html_timesAreUtc()
    {
        ReportFixture fixture;
        const QString html = htmlOf(fixture.document());
        QVERIFY(html.contains(QLatin1String("2026-11-30 14:03:22.418Z")));
        QVERIFY(html.contains(QLatin1String("datetime=\"2026-11-30T14:03:22.418001Z\"")));
        QCOMPARE(countOf(html, "[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]+(?![0-9]*Z)"), 0);
    }

    void html_whatDoesNotShow_isMarked()
    {
        ReportFixture fixture;
        const QString html = htmlOf(fixture.document());
        QVERIFY(!html.contains(QChar(0x202E)));
        QVERIFY(html.contains(QString::fromUtf8("user<span class=\"mark\">⟨U+202E⟩</span>gpj")));
    }

    void html_effectsStandSideBySide()
    {
        ReportFixture fixture;
        const auto document
            = fixture.build(fixture.request(std::nullopt, std::string("S-00000001")));
        QVERIFY(document.has_value());
        const QString html = htmlOf(*document);
        QCOMPARE(countOf(html, "<table class=\"pair\">"), 1);
        const auto marked = [&](const char *field) {
            const auto match = QRegularExpression(
                QStringLiteral("<th scope=\"row\">%1</th>.*?class=\"sign\">([=≠])")
                    .arg(QLatin1String(field)))
                                   .match(html);
            return match.captured(1);
        };
        QCOMPARE(marked("Payee"), QStringLiteral("="));
        QCOMPARE(marked("Fingerprint"), QStringLiteral("="));
        QCOMPARE(marked("Key"), QStringLiteral("≠"));
        QCOMPARE(marked("Provider reference"), QStringLiteral("≠"));
        QVERIFY(html.contains(QLatin1String("Cannot tell")));
    }

    void html_manyEffects_areRows()
    {
        ReportFixture fixture;
        Cluster &cluster = fixture.suspects.clusters[1];
        while (cluster.members.size() < 20)
            cluster.members.push_back(cluster.members.front());
        cluster.effects = 20;
        const QString html = htmlOf(fixture.document());
        QCOMPARE(countOf(html, "<table class=\"pair\">"), 2);
        QVERIFY(html.contains(QLatin1String("20 effects")));
    }

    void html_longRecord_isCutWithAWord()
    {
        ReportFixture fixture;
        const Digest digest = fixture.reader.put(std::string(100'000, 'x'));
        fixture.reader.details[3].result->body = digest;
        const ReportDocument document = fixture.document();
        const QString html = htmlOf(document);
        QVERIFY(html.contains(QLatin1String("more bytes in the JSON form.")));
        QVERIFY(document.records.dump().find(std::string(100'000, 'x')) != std::string::npos);
    }

    void html_brokenChain_isSaidFirst()
    {
        ReportFixture fixture;
        fixture.chain.ok = false;
        fixture.chain.findings = {{"chain", "entry 2", "its hash does not follow"}};
        const QString html = htmlOf(fixture.document());
        QVERIFY(html.contains(QLatin1String("chain is not intact")));
        QVERIFY(html.contains(QLatin1String("its hash does not follow")));
        QVERIFY(!html.contains(QLatin1String("chain is intact")));
    }
};

QTEST_APPLESS_MAIN(TestReportHtml)
#include "tst_report_html.moc"

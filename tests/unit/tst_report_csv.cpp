#include "core/report/csv_writer.h"
#include "tests/support/report_fixture.h"

#include <QtTest/QTest>

using namespace reprise;
using reprise::test::ReportFixture;

namespace {

/// A field as it stood in the file: quoted text, or a bare value.
struct Field
{
    std::string text;
    bool quoted = false;
};

/// A strict reader of RFC 4180; an empty answer means that the file is not of that form.
std::vector<std::vector<Field>> readCsv(const std::string &text)
{
    std::vector<std::vector<Field>> records;
    std::vector<Field> record;
    for (std::size_t i = 0; i < text.size();) {
        Field field;
        if (text[i] == '"') {
            field.quoted = true;
            for (++i;; ++i) {
                if (i >= text.size())
                    return {};
                if (text[i] == '"' && text.compare(i, 2, "\"\"") == 0)
                    ++i;
                else if (text[i] == '"')
                    break;
                field.text += text[i];
            }
            ++i;
        } else {
            for (; i < text.size() && text[i] != ',' && text[i] != '\r'; ++i) {
                if (text[i] == '"' || text[i] == '\n')
                    return {};
                field.text += text[i];
            }
        }
        record.push_back(field);
        if (text.compare(i, 1, ",") == 0) {
            ++i;
        } else if (text.compare(i, 2, "\r\n") == 0) {
            i += 2;
            records.push_back(std::move(record));
            record = {};
        } else {
            return {};
        }
    }
    return records;
}

ReportTable tableOf(const std::vector<ReportCell> &row, const std::vector<ReportColumn> &columns)
{
    ReportTable table;
    table.id = "probe";
    table.columns = columns;
    table.rows = {row};
    return table;
}

std::string csvOf(const ReportDocument &document, const std::string &name)
{
    for (const auto &[file, text] : writeCsv(document))
        if (file == name)
            return text;
    return {};
}

std::string csvOf(const ReportTable &table)
{
    ReportDocument document;
    ReportSection section;
    section.blocks.emplace_back(table);
    document.sections.push_back(section);
    return csvOf(document, table.id + ".csv");
}

} // namespace

class TestReportCsv : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textCells_areGuardedAndLossless_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("stored");
        const auto row = [](const char *name, const char *text, const char *stored) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(stored);
        };
        row("formula", "=1+1", "'=1+1");
        row("plus", "+49", "'+49");
        row("minus", "-52.42", "'-52.42");
        row("at", "@SUM(A1)", "'@SUM(A1)");
        row("tab", "\tx", "'\tx");
        row("carriage return", "\rx", "'\rx");
        row("apostrophe", "'quoted", "''quoted");
        row("inside is left alone", "a=b", "a=b");
        row("leading zeros", "000123", "000123");
        row("looks like a number", "1e5", "1e5");
        row("quotes and commas", "say \"hi\", twice", "say \"hi\", twice");
        row("line breaks", "a\r\nb\nc\rd", "a\r\nb\nc\rd");
        row("scripts", "注文 💳 سلام Žluť", "注文 💳 سلام Žluť");
        row("empty", "", "");
    }
    void textCells_areGuardedAndLossless()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, stored);
        const auto records
            = readCsv(csvOf(tableOf({text.toStdString()}, {{"payee", "Payee", ColumnKind::Text}})));
        QCOMPARE(records.size(), std::size_t(2));
        QCOMPARE(records[1].size(), std::size_t(1));
        QVERIFY(records[1][0].quoted);
        QCOMPARE(QByteArray::fromStdString(records[1][0].text), stored);
        const QByteArray back = stored.startsWith('\'') ? stored.mid(1) : stored;
        QCOMPARE(back, text);
    }

    void amounts_areMinorUnitsAndDecimalText_data()
    {
        QTest::addColumn<QString>("currency");
        QTest::addColumn<qlonglong>("minor");
        QTest::addColumn<QString>("decimal");
        QTest::newRow("JPY") << QStringLiteral("JPY") << 777LL << QStringLiteral("777");
        QTest::newRow("EUR") << QStringLiteral("EUR") << 4900LL << QStringLiteral("49.00");
        QTest::newRow("KWD") << QStringLiteral("KWD") << 12345LL << QStringLiteral("12.345");
        QTest::newRow("refund") << QStringLiteral("EUR") << -5242LL << QStringLiteral("-52.42");
        QTest::newRow("beyond 2^53")
            << QStringLiteral("EUR") << 9007199254740993LL << QStringLiteral("90071992547409.93");
    }
    void amounts_areMinorUnitsAndDecimalText()
    {
        QFETCH(QString, currency);
        QFETCH(qlonglong, minor);
        QFETCH(QString, decimal);
        const auto records = readCsv(csvOf(tableOf(
            {Money {currency.toStdString(), minor}}, {{"amount", "Amount", ColumnKind::Money}})));
        QCOMPARE(records.size(), std::size_t(2));
        QCOMPARE(records[0][0].text, std::string("amount_currency"));
        QCOMPARE(records[0][1].text, std::string("amount_minor"));
        QCOMPARE(records[0][2].text, std::string("amount"));
        QCOMPARE(records[1][0].text, currency.toStdString());
        // Numbers have neither quotes nor an apostrophe, so that they stay numbers.
        QCOMPARE(records[1][1].text, std::to_string(minor));
        QVERIFY(!records[1][1].quoted);
        QCOMPARE(records[1][2].text, decimal.toStdString());
        QVERIFY(!records[1][2].quoted);
    }

    void notRecorded_isNotEmpty()
    {
        const auto records = readCsv(
            csvOf(tableOf({ReportCell(), std::string(), ReportCell(), Time {1}, std::int64_t {5}},
                {{"a", "A", ColumnKind::Text}, {"b", "B", ColumnKind::Text},
                    {"c", "C", ColumnKind::Money}, {"d", "D", ColumnKind::Time},
                    {"e", "E", ColumnKind::Duration}})));
        QCOMPARE(records[0].size(), std::size_t(7));
        QCOMPARE(records[1].size(), std::size_t(7));
        QVERIFY(!records[1][0].quoted);
        QVERIFY(records[1][1].quoted);
        QVERIFY(records[1][2].text.empty() && records[1][3].text.empty());
        QCOMPARE(records[1][5].text, std::string("1970-01-01T00:00:00.000001Z"));
        QCOMPARE(records[0][6].text, std::string("e_us"));
    }

    void everyFile_readsBackStrictly()
    {
        ReportFixture fixture;
        const ReportDocument document = fixture.document();
        const auto files = writeCsv(document);
        QVERIFY(files.size() > 8);
        for (const auto &[name, text] : files) {
            const auto records = readCsv(text);
            QVERIFY2(!records.empty(), name.c_str());
            for (const auto &record : records)
                QVERIFY2(record.size() == records[0].size(), name.c_str());
            QVERIFY2(!text.starts_with("\xef\xbb\xbf"), name.c_str());
            std::size_t rows = 0;
            for (const ReportTable *table : tablesOf(document))
                rows += table->id + ".csv" == name ? table->rows.size() : 0;
            if (name != "totals.csv")
                QCOMPARE(records.size() - 1, rows);
        }
    }

    void effects_ofAllSuspects_areOneFile()
    {
        ReportFixture fixture;
        const auto records = readCsv(csvOf(fixture.document(), "effects.csv"));
        QCOMPARE(records.size(), std::size_t(7));
        QCOMPARE(records[0][0].text, std::string("subject"));
        QCOMPARE(records[1][0].text, std::string("S-00000001"));
        QCOMPARE(records[6][0].text, std::string("S-00000003"));
        std::int64_t sum = 0;
        for (std::size_t i = 1; i < records.size(); ++i)
            sum += std::stoll(records[i][3].text);
        QCOMPARE(records[0][3].text, std::string("amount_minor"));
        QCOMPARE(sum, std::int64_t(4900 * 2 + 777 * 2 + 12345 - 5242));
    }
};

QTEST_APPLESS_MAIN(TestReportCsv)
#include "tst_report_csv.moc"

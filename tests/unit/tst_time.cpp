#include "core/base/clock.h"

#include <QDateTime>
#include <QTest>

using namespace reprise;

/// Moments as text: exact to the microsecond, the same on every machine.
class TestTime : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void rfc3339_table_data()
    {
        QTest::addColumn<qint64>("us");
        QTest::addColumn<QByteArray>("text");
        const auto row
            = [](qint64 us, const char *text) { QTest::newRow(text) << us << QByteArray(text); };
        row(0, "1970-01-01T00:00:00.000000Z");
        row(1, "1970-01-01T00:00:00.000001Z");
        row(-1, "1969-12-31T23:59:59.999999Z");
        row(-1'000'000, "1969-12-31T23:59:59.000000Z");
        row(951'782'400'000'000, "2000-02-29T00:00:00.000000Z");
        row(1'000'000'000'123'456, "2001-09-09T01:46:40.123456Z");
        // https://github.com/orlandov/node-sqlite/issues/17: times cut to 32 bits.
        row(2'147'483'647'999'999, "2038-01-19T03:14:07.999999Z");
        row(2'147'483'648'000'000, "2038-01-19T03:14:08.000000Z");
        row(4'107'542'399'000'000, "2100-02-28T23:59:59.000000Z");
        row(4'107'542'400'000'000, "2100-03-01T00:00:00.000000Z");
        row(253'402'300'799'999'999, "9999-12-31T23:59:59.999999Z");
        row(-62'135'596'800'000'000, "0001-01-01T00:00:00.000000Z");
    }
    void rfc3339_table()
    {
        QFETCH(qint64, us);
        QFETCH(QByteArray, text);
        QCOMPARE(Time {us}.rfc3339(), text.toStdString());
        const auto back = Time::parse(text.toStdString());
        QVERIFY(back);
        QCOMPARE(qint64(back->us), us);
        // Qt's calendar says the same of the whole second.
        const qint64 second = (us - (us % 1'000'000 + 1'000'000) % 1'000'000) / 1'000'000;
        QCOMPARE(QDateTime::fromSecsSinceEpoch(second, Qt::UTC).toString(Qt::ISODate).toLatin1(),
            text.left(19) + 'Z');
    }

    void parse_spellingsOfOneMoment_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("us");
        const auto row
            = [](const char *text, qint64 us) { QTest::newRow(text) << QByteArray(text) << us; };
        const qint64 noon = 1'735'732'800'000'000; // 2025-01-01T12:00:00Z
        row("2025-01-01T12:00:00Z", noon);
        row("2025-01-01t12:00:00z", noon);
        row("2025-01-01 12:00:00Z", noon);
        row("2025-01-01T12:00:00+00:00", noon);
        row("2025-01-01T12:00:00-00:00", noon);
        row("2025-01-01T14:00:00+02:00", noon);
        row("2025-01-01T14:00:00+0200", noon);
        row("2025-01-02T02:00:00+14:00", noon);
        row("2024-12-31T23:30:00-12:30", noon);
        row("2025-01-01T12:00:00.5Z", noon + 500'000);
        row("2025-01-01T12:00:00.000001Z", noon + 1);
        row("2025-01-01T12:00:00.123456789Z", noon + 123'456);
        row("2025-01-01T12:00:00.999999999Z", noon + 999'999);
        row("2016-12-31T23:59:60Z", 1'483'228'800'000'000); // a leap second
    }
    void parse_spellingsOfOneMoment()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, us);
        const auto time = Time::parse(text.toStdString());
        QVERIFY(time);
        QCOMPARE(qint64(time->us), us);
    }

    void parse_noMoment_refused_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"", "2025", "2025-01-01", "2025-01-01T12:00Z",
                 "2025-01-01T12:00:00", "2025-1-1T12:00:00Z", "25-01-01T12:00:00Z",
                 "2025-13-01T12:00:00Z", "2025-00-01T12:00:00Z", "2025-02-29T12:00:00Z",
                 "2100-02-29T12:00:00Z", "2025-04-31T12:00:00Z", "2025-01-00T12:00:00Z",
                 "2025-01-01T24:00:00Z", "2025-01-01T12:60:00Z", "2025-01-01T12:00:61Z",
                 "2025-01-01T12:00:00.Z", "2025-01-01T12:00:00.1234567890Z",
                 "2025-01-01T12:00:00,5Z", "2025-01-01T12:00:00+24:00", "2025-01-01T12:00:00+02:60",
                 "2025-01-01T12:00:00+02", "2025-01-01T12:00:00+2:00", "2025-01-01T12:00:00ZZ",
                 " 2025-01-01T12:00:00Z", "2025-01-01T12:00:00Z ", "+2025-01-01T12:00:00Z",
                 "2025-01-01T12:00:00 Z", "2025/01/01T12:00:00Z", "1735732800"})
            QTest::addRow("'%s'", text) << QByteArray(text);
        QTest::newRow("nul") << QByteArray("2025-01-01T12:00:00Z\0", 21);
    }
    void parse_noMoment_refused()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!Time::parse(text.toStdString()));
    }

    void parseNaive_onlyWithoutZone()
    {
        QCOMPARE(*Time::parseNaive("2025-01-01T12:00:00.000001"), (Time {1'735'732'800'000'001}));
        QCOMPARE(*Time::parseNaive("2025-01-01 12:00:00"), (Time {1'735'732'800'000'000}));
        QVERIFY(!Time::parseNaive("2025-01-01T12:00:00Z"));
        QVERIFY(!Time::parseNaive("2025-01-01T12:00:00+00:00"));
        QVERIFY(!Time::parseNaive("2025-02-30T12:00:00"));
    }
};

QTEST_APPLESS_MAIN(TestTime)
#include "tst_time.moc"

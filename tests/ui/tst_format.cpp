#include "ui/format/facts.h"
#include "ui/format/format.h"

#include <QTest>

using namespace reprise;
using namespace reprise::ui;

/// Values as people see them: the words and forms of the window.
class TestFormat : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void money_hasItsOwnDecimals_andItsCode()
    {
        QCOMPARE(moneyText(Money {"EUR", 4900}), QStringLiteral("EUR 49.00"));
        QCOMPARE(moneyText(Money {"JPY", 777}), QStringLiteral("JPY 777"));
        QCOMPARE(moneyText(Money {"KWD", 12750}), QStringLiteral("KWD 12.750"));
        QCOMPARE(amountText(std::nullopt), dash());
        QCOMPARE(moneyText(std::vector<Money> {{"EUR", 100}, {"JPY", 5}}),
            QStringLiteral("EUR 1.00, JPY 5"));
    }

    void times_areUtcWhateverTheMachineSays()
    {
        const auto time = Time::parse("2026-11-30T14:03:22.418999Z");
        QVERIFY(time.has_value());
        QCOMPARE(timeText(*time), QStringLiteral("2026-11-30 14:03:22.418Z"));
        QCOMPARE(clockText(*time), QStringLiteral("14:03Z"));
        QCOMPARE(timeText(std::optional<Time>()), dash());
    }

    void localTimes_standBehindUtc()
    {
        qputenv("TZ", "Pacific/Kiritimati"); // 14 hours ahead: another day
        tzset();
        setZone(Zone::UtcAndLocal);
        const QString text = timeText(*Time::parse("2026-11-30T14:03:22Z"));
        setZone(Zone::Utc);
        QCOMPARE(text, QStringLiteral("2026-11-30 14:03:22.000Z (12-01 04:03 +14:00)"));
    }

    void durations_data()
    {
        QTest::addColumn<qint64>("us");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << qint64 {0} << QStringLiteral("0 ms");
        QTest::newRow("ms") << qint64 {244'900} << QStringLiteral("244 ms");
        QTest::newRow("s") << qint64 {41'290'000} << QStringLiteral("41.2 s");
        QTest::newRow("minutes") << qint64 {962'000'000} << QStringLiteral("16 m 02 s");
        QTest::newRow("hours") << qint64 {4'140'000'000} << QStringLiteral("1 h 09 m");
        QTest::newRow("days") << qint64 {90'000'000'000} << QStringLiteral("1 d 1 h");
        QTest::newRow("before") << qint64 {-1'500'000} << QStringLiteral("−1.5 s");
    }
    void durations()
    {
        QFETCH(qint64, us);
        QFETCH(QString, text);
        QCOMPARE(ui::durationText(std::int64_t {us}), text);
    }

    void counts_areGroupedInEveryLocale()
    {
        QCOMPARE(countText(999), QStringLiteral("999"));
        QCOMPARE(countText(12480), QStringLiteral("12,480"));
        QCOMPARE(countText(-1234567), QStringLiteral("-1,234,567"));
        QCOMPARE(bytesText(221), QStringLiteral("221 bytes"));
        QCOMPARE(bytesText(622'592), QStringLiteral("622.5 kB"));
    }

    void hiddenCharacters_becomeMarks()
    {
        QCOMPARE(visible("a\xE2\x80\xAE"
                         "b"),
            QStringLiteral("a⟨U+202E⟩b"));
        QCOMPARE(visibleOrDash(""), dash());
        QCOMPARE(middleElided(QStringLiteral("abcdefghij"), 7), QStringLiteral("abcd…ij"));
    }

    void filterTokens_keepWhatIsQuoted()
    {
        QCOMPARE(filterTokens(QStringLiteral("  cur:EUR  payee:\"Finca El  Roble\" x")),
            (QStringList {QStringLiteral("cur:EUR"), QStringLiteral("payee:\"Finca El  Roble\""),
                QStringLiteral("x")}));
        QCOMPARE(filterToken(QStringLiteral("payee"), QStringLiteral("Finca El Roble")),
            QStringLiteral("payee:\"Finca El Roble\""));
        QCOMPARE(filterToken(QStringLiteral("order"), QStringLiteral("A-1")),
            QStringLiteral("order:A-1"));
    }

    void badges_differWithoutColour()
    {
        QSet<QString> signs;
        for (const AttemptKind kind : {AttemptKind::Executed, AttemptKind::Replayed,
                 AttemptKind::ExecutedAgain, AttemptKind::InDoubt, AttemptKind::Conflict}) {
            QVERIFY(!badgeFor(kind).sign.isEmpty());
            signs.insert(badgeFor(kind).sign);
        }
        QCOMPARE(signs.size(), 5);
        QCOMPARE(badgeFor(AttemptKind::ExecutedAgain).word, QStringLiteral("Executed again"));
        QCOMPARE(badgeFor(ActionState::InDoubt).word, QStringLiteral("In doubt"));
    }

    void evidenceBlock_holdsEveryLine()
    {
        ActionRow row;
        row.runId = "run-1";
        row.seq = 7;
        const Facts facts = factsOf(row);
        const QString block = evidenceBlock(facts);
        QCOMPARE(block.count(QLatin1Char('\n')), static_cast<int>(facts.lines.size()) + 1);
        QVERIFY(block.contains(QStringLiteral("Seq: 7\n")));
        QVERIFY(block.contains(QStringLiteral("Provider reference: —\n")));
    }
};

QTEST_GUILESS_MAIN(TestFormat)
#include "tst_format.moc"

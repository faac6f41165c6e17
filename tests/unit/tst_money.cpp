#include "core/model/money.h"

#include <QTest>

#include <limits>

using namespace reprise;

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

} // namespace

class TestMoney : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void text_hasTheDecimalsOfTheCurrency_data()
    {
        QTest::addColumn<QByteArray>("currency");
        QTest::addColumn<qint64>("minor");
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char *currency, qint64 minor, const char *text) {
            QTest::addRow("%s %lld", currency, static_cast<long long>(minor))
                << QByteArray(currency) << minor << QByteArray(text);
        };
        row("JPY", 777, "777");
        row("JPY", 0, "0");
        row("EUR", 4900, "49.00");
        row("EUR", 0, "0.00");
        row("EUR", 5, "0.05");
        row("EUR", -5, "-0.05");
        row("EUR", -350, "-3.50");
        row("KWD", 18600, "18.600");
        row("KWD", 1, "0.001");
        row("CLF", 12345, "1.2345");
        row("CLF", -1, "-0.0001");
        row("USD", kMost, "92233720368547758.07");
        row("USD", kLeast, "-92233720368547758.08");
        row("JPY", kLeast, "-9223372036854775808");
        // https://github.com/stripe/stripe-ios/pull/2141: three decimals shown as two.
        row("KWD", 92000, "92.000");
        row("JPY", 92000, "92000");
        row("USD", 92000, "920.00");
    }
    void text_hasTheDecimalsOfTheCurrency()
    {
        QFETCH(QByteArray, currency);
        QFETCH(qint64, minor);
        QFETCH(QByteArray, text);
        const Money money {currency.toStdString(), minor};
        QCOMPARE(money.text(), text.toStdString());
        QCOMPARE(money.withCode(), (currency + " " + text).toStdString());
        // What is shown reads back as the same money.
        const auto back = Money::fromMajor(money.text(), money.currency);
        QVERIFY(back);
        QCOMPARE(*back, money);
        QCOMPARE(*Money::fromMinor(std::to_string(minor), money.currency), money);
    }

    // https://github.com/BasedHardware/omi/pull/10158: 19.99 became 1998.
    void fromMajor_everyPriceToAHundred_isExact()
    {
        int exact = 0;
        for (int cents = 1; cents <= 10'000; ++cents) {
            char price[16];
            std::snprintf(price, sizeof price, "%d.%02d", cents / 100, cents % 100);
            const auto money = Money::fromMajor(price, "USD");
            QVERIFY2(money, price);
            exact += money->minor == cents && money->text() == price ? 1 : 0;
        }
        QCOMPARE(exact, 10'000);
    }

    void fromMajor_spellings_data()
    {
        QTest::addColumn<QByteArray>("decimal");
        QTest::addColumn<QByteArray>("currency");
        QTest::addColumn<qint64>("minor");
        QTest::newRow("whole") << QByteArray("49") << QByteArray("EUR") << qint64(4900);
        QTest::newRow("exponent") << QByteArray("1e2") << QByteArray("EUR") << qint64(10'000);
        QTest::newRow("exponent, yen") << QByteArray("1E+2") << QByteArray("JPY") << qint64(100);
        QTest::newRow("small exponent") << QByteArray("1e-2") << QByteArray("EUR") << qint64(1);
        QTest::newRow("zeros that mean nothing")
            << QByteArray("49.000000") << QByteArray("EUR") << qint64(4900);
        QTest::newRow("yen with zeros") << QByteArray("80.00") << QByteArray("JPY") << qint64(80);
        QTest::newRow("lower case code") << QByteArray("1.5") << QByteArray("eur") << qint64(150);
        QTest::newRow("negative") << QByteArray("-0.01") << QByteArray("USD") << qint64(-1);
        QTest::newRow("negative zero") << QByteArray("-0.00") << QByteArray("USD") << qint64(0);
        QTest::newRow("four decimals")
            << QByteArray("1.2345") << QByteArray("CLF") << qint64(12345);
    }
    void fromMajor_spellings()
    {
        QFETCH(QByteArray, decimal);
        QFETCH(QByteArray, currency);
        QFETCH(qint64, minor);
        const auto money = Money::fromMajor(decimal.toStdString(), currency.toStdString());
        QVERIFY(money);
        QCOMPARE(qint64(money->minor), minor);
        QCOMPARE(money->currency, currency.toUpper().toStdString());
    }

    void fromMajor_notExact_refused_data()
    {
        QTest::addColumn<QByteArray>("decimal");
        QTest::addColumn<QByteArray>("currency");
        const auto row = [](const char *decimal, const char *currency) {
            QTest::addRow("%s %s", decimal, currency)
                << QByteArray(decimal) << QByteArray(currency);
        };
        row("49.001", "EUR");
        row("0.5", "JPY");
        row("1.0001", "KWD");
        row("1e-3", "USD");
        row("1e-400", "USD");
        row("1e400", "USD");
        row("1e999999999999999999", "USD");
        row("92233720368547758.08", "USD");
        row("-92233720368547758.09", "USD");
        row("9223372036854775808", "JPY");
        row("12,34", "EUR");
        row("1 000", "EUR");
        row("$1", "USD");
        row("", "EUR");
        row("NaN", "EUR");
        row("null", "EUR");
        row("\"49\"", "EUR");
        row("1", "XXQ");
        row("1", "EU");
        row("1", "");
        row("1", "EURO");
    }
    void fromMajor_notExact_refused()
    {
        QFETCH(QByteArray, decimal);
        QFETCH(QByteArray, currency);
        const auto money = Money::fromMajor(decimal.toStdString(), currency.toStdString());
        QVERIFY(!money);
        QCOMPARE(money.error().code, ErrorCode::InvalidInput);
    }

    void fromMinor_fraction_refused()
    {
        QCOMPARE(Money::fromMinor("4.9e3", "EUR")->minor, std::int64_t(4900));
        QCOMPARE(Money::fromMinor("4900.0", "EUR")->minor, std::int64_t(4900));
        QVERIFY(!Money::fromMinor("49.5", "EUR"));
        QVERIFY(!Money::fromMinor("9223372036854775808", "EUR"));
        QVERIFY(!Money::fromMinor("1", "QQQ"));
    }

    void moneyToJson_carriesCodeMinorAndText()
    {
        const Json json = moneyToJson({"KWD", 18600});
        QCOMPARE(json["currency"].text(), std::string("KWD"));
        QCOMPARE(json["minor"].text(), std::string("18600"));
        QCOMPARE(json["text"].text(), std::string("18.600"));
        QVERIFY(json["minor"].isNumber() && json["text"].isString());
    }
};

QTEST_APPLESS_MAIN(TestMoney)
#include "tst_money.moc"

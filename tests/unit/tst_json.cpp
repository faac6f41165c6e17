#include "core/base/json.h"
#include "core/model/money.h"
#include "tests/support/quoted.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <random>

using namespace reprise;
using namespace reprise::test;

namespace {

/// Random text near JSON: most of it is JSON, much is broken by one character.
std::string nearJson(std::mt19937 &random, int depth)
{
    const auto pick = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    switch (pick(depth > 3 ? 5 : 7)) {
    case 0:
        return std::to_string(pick(2000) - 1000);
    case 1:
        return std::to_string(pick(99)) + "." + std::to_string(pick(999))
            + (pick(3) == 0 ? "e5" : "");
    case 2:
        return pick(2) == 0 ? "true" : "null";
    case 3: {
        const char *texts[]
            = {"\"a\"", "\"\\u00e9\\n\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\"", "\"\\x\""};
        return texts[pick(6)];
    }
    case 4: {
        const char *broken[]
            = {"01", "+1", "1.", ".5", "1e", "nul", "'a'", "-", "NaN", "[1,]", "{\"a\":1,}"};
        return pick(6) == 0 ? broken[pick(11)] : "7";
    }
    case 5: {
        std::string text = "[";
        for (int i = pick(4); i > 0; --i)
            text += nearJson(random, depth + 1) + (i > 1 ? "," : "");
        return text + "]";
    }
    default: {
        std::string text = "{";
        for (int i = pick(4); i > 0; --i)
            text += "\"k" + std::to_string(i) + "\" : " + nearJson(random, depth + 1)
                + (i > 1 ? ", " : "");
        return text + "}";
    }
    }
}

} // namespace

class TestJson : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void canonicalDecimal_data()
    {
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QByteArray>("canonical");
        const char *rows[][2] = {{"1", "1"}, {"1.0", "1"}, {"1e0", "1"}, {"100e-2", "1"},
            {"-0", "0"}, {"0.00", "0"}, {"0e9", "0"}, {"0.10", "0.1"}, {"12.50", "12.5"},
            {"4.9e3", "4900"}, {"9007199254740993", "9007199254740993"}, {"1e400", "1e400"},
            {"10e399", "1e400"}, {"1e-400", "1e-400"}, {"123.456e1", "1234.56"}, {"-1.50", "-1.5"},
            {"0.0000000001", "1e-10"}};
        for (const auto &row : rows)
            QTest::newRow(row[0]) << QByteArray(row[0]) << QByteArray(row[1]);
    }
    void canonicalDecimal()
    {
        QFETCH(QByteArray, written);
        QFETCH(QByteArray, canonical);
        QCOMPARE(reprise::canonicalDecimal(written.toStdString()), canonical.toStdString());
    }

    void parse_refused_E53_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("duplicate key") << QByteArray("{\"a\":1,\"a\":2}");
        QTest::newRow("duplicate key, escaped") << QByteArray("{\"a\":1,\"\\u0061\":2}");
        QTest::newRow("lone high surrogate") << QByteArray("\"\\ud800\"");
        QTest::newRow("lone low surrogate") << QByteArray("\"\\udc00\"");
        QTest::newRow("NaN") << QByteArray("NaN");
        QTest::newRow("infinity") << QByteArray("-Infinity");
        QTest::newRow("leading zero") << QByteArray("03");
        QTest::newRow("trailing comma") << QByteArray("[1,]");
        QTest::newRow("control character") << QByteArray("\"a\nb\"");
        QTest::newRow("invalid UTF-8") << QByteArray("\"a\xff\"");
        QTest::newRow("two values") << QByteArray("1 2");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("cut") << QByteArray("{\"a\":[1,2");
        QTest::newRow("too deep") << QByteArray(600, '[') + QByteArray(600, ']');
        QTest::newRow("exponent without end") << QByteArray("1e9999999999999999999");
    }
    void parse_refused_E53()
    {
        QFETCH(QByteArray, text);
        const auto json = Json::parse(text.toStdString(), "file");
        QVERIFY(!json);
        QVERIFY(json.error().text().find("line ") != std::string::npos);
    }

    void parse_error_namesLineAndColumn()
    {
        const auto json = Json::parse("{\n  \"a\": tru\n}", "plan.json");
        QVERIFY(!json);
        QCOMPARE(json.error().where, std::string("plan.json, line 2 column 8"));
    }

    void parse_keepsEverything()
    {
        const std::string text = quoted("{'b':1.50,'a':'x\\u0000y','n':12345678901234567890123}");
        const auto json = Json::parse(text);
        QVERIFY(json);
        QCOMPARE(json->dump(), text);
        QCOMPARE((*json)["a"].text(), std::string("x\0y", 3));
        QCOMPARE(std::string((*json)["n"].sourceIn(text)), std::string("12345678901234567890123"));
        QCOMPARE(json->at("/b")->text(), std::string("1.50"));
    }

    void parse_agreesWithAnotherReader()
    {
        std::mt19937 random(20261130);
        int accepted = 0;
        for (int i = 0; i < 20'000; ++i) {
            const std::string text = nearJson(random, 0);
            const bool theirs = nlohmann::json::accept(text);
            const auto ours = Json::parse(text);
            QVERIFY2(ours.has_value() == theirs, text.c_str());
            if (ours) {
                ++accepted;
                QVERIFY2(nlohmann::json::parse(ours->dump()) == nlohmann::json::parse(text),
                    text.c_str());
                QVERIFY2(
                    Json::parse(ours->canonical())->canonical() == ours->canonical(), text.c_str());
            }
        }
        QVERIFY(accepted > 5'000 && accepted < 19'500);
    }

    // https://github.com/stripe/stripe-ios/pull/2141
    void money_textByTheCurrencysOwnDecimals()
    {
        QCOMPARE((Money {"KWD", 92000}).text(), std::string("92.000"));
        QCOMPARE((Money {"JPY", 92000}).text(), std::string("92000"));
        QCOMPARE((Money {"USD", 92000}).text(), std::string("920.00"));
        QCOMPARE((Money {"EUR", -5}).text(), std::string("-0.05"));
        QCOMPARE((Money {"EUR", INT64_MIN}).text(), std::string("-92233720368547758.08"));
    }

    // https://github.com/BasedHardware/omi/pull/10158
    void money_tenThousandPricesAreExact()
    {
        for (std::int64_t minor = 1; minor <= 10'000; ++minor) {
            const auto money = Money::fromMajor((Money {"EUR", minor}).text(), "eur");
            QVERIFY(money && money->minor == minor && money->currency == "EUR");
        }
    }

    void money_refusesWhatIsNotExact()
    {
        QVERIFY(!Money::fromMajor("49.001", "EUR"));
        QVERIFY(!Money::fromMajor("1.5", "JPY"));
        QVERIFY(!Money::fromMajor("1", "XYZ"));
        QVERIFY(!Money::fromMinor("1.5", "EUR"));
        QVERIFY(!Money::fromMajor("1e30", "EUR"));
        QVERIFY(!Money::fromMajor("1,50", "EUR"));
        QCOMPARE(Money::fromMajor("1e2", "EUR")->minor, std::int64_t(10'000));
        QCOMPARE(Money::fromMinor("9223372036854775807", "EUR")->minor, INT64_MAX);
    }
};

QTEST_APPLESS_MAIN(TestJson)
#include "tst_json.moc"

#include "core/base/json.h"
#include "core/base/random.h"
#include "tests/support/quoted.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

using namespace reprise;
using namespace reprise::test;

namespace {

std::string nested(int levels)
{
    const auto count = static_cast<std::size_t>(levels);
    return std::string(count, '[') + std::string(count, ']');
}

/// The other parser's opinion, where duplicate keys count as an error as they do here; nothing
/// where a number is beyond its doubles.
std::optional<bool> acceptedElsewhere(const std::string &text)
{
    std::vector<std::vector<std::string>> open;
    bool twice = false;
    const auto look = [&](int, nlohmann::json::parse_event_t event, nlohmann::json &value) {
        using Event = nlohmann::json::parse_event_t;
        if (event == Event::object_start)
            open.emplace_back();
        if (event == Event::object_end)
            open.pop_back();
        if (event == Event::key) {
            const auto name = value.get<std::string>();
            auto &names = open.back();
            twice = twice || std::find(names.begin(), names.end(), name) != names.end();
            names.push_back(name);
        }
        return true;
    };
    try {
        const auto value = nlohmann::json::parse(text, look);
        return !value.is_discarded() && !twice;
    } catch (const nlohmann::json::parse_error &) {
        return false;
    } catch (const nlohmann::json::out_of_range &) {
        return std::nullopt;
    }
}

/// JSON that is right, and then perhaps hurt at one place.
class Documents
{
public:
    explicit Documents(std::uint64_t seed)
        : m_random(seed)
    {
    }
    std::string next()
    {
        std::string text = value(0);
        const int hurts = below(3);
        for (int i = 0; i < hurts && !text.empty(); ++i) {
            const auto at = static_cast<std::size_t>(below(static_cast<int>(text.size())));
            switch (below(3)) {
            case 0:
                text.erase(at, 1);
                break;
            case 1:
                text[at] = piece();
                break;
            default:
                text.insert(at, 1, piece());
            }
        }
        return text;
    }

private:
    int below(int limit)
    {
        return static_cast<int>(m_random.below(static_cast<std::uint64_t>(limit)));
    }
    char piece()
    {
        static const std::string kPieces = "{}[],:\"\\/bfnrtu0123456789.-+eE \t\n\x01\x7F\xC3\xA9x";
        return kPieces[static_cast<std::size_t>(below(static_cast<int>(kPieces.size())))];
    }
    std::string string()
    {
        static const std::vector<std::string> kParts {"a", "b", "\\n", "\\u0000", "\\u00e9",
            "\\ud83d\\udcb3", "\xC3\xA9", "\xF0\x9F\x92\xB3", "\\\"", "\\/", "\xE2\x80\xA8"};
        std::string text = "\"";
        for (int i = below(4); i > 0; --i)
            text += kParts[static_cast<std::size_t>(below(static_cast<int>(kParts.size())))];
        return text + "\"";
    }
    std::string value(int level)
    {
        static const std::vector<std::string> kWords {
            "null", "true", "false", "0", "-0", "1.50", "1e5", "-12E-3", "9007199254740993"};
        const int kind = below(level > 3 ? 2 : 4);
        if (kind == 0)
            return kWords[static_cast<std::size_t>(below(static_cast<int>(kWords.size())))];
        if (kind == 1)
            return string();
        std::string text(1, kind == 2 ? '[' : '{');
        for (int i = 0, count = below(4); i < count; ++i) {
            text += i > 0 ? ", " : "";
            text += kind == 3 ? string() + ":" : "";
            text += value(level + 1);
        }
        return text + (kind == 2 ? ']' : '}');
    }

    SeededRandom m_random;
};

} // namespace

class TestJson : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void canonicalDecimal_table_data()
    {
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QByteArray>("canonical");
        const auto row = [](const char *written, const char *canonical) {
            QTest::newRow(written) << QByteArray(written) << QByteArray(canonical);
        };
        row("1", "1");
        row("1.0", "1");
        row("1e0", "1");
        row("10e-1", "1");
        row("0.1E+1", "1");
        row("0", "0");
        row("-0", "0");
        row("0.00", "0");
        row("-0.0e9", "0");
        row("0e999999999999999999", "0");
        row("0.1", "0.1");
        row("0.10", "0.1");
        row("1e-1", "0.1");
        row("9007199254740993", "9007199254740993");
        row("9007199254740992", "9007199254740992");
        row("9007199254740993.0", "9007199254740993");
        row("0.2345678901234568", "0.2345678901234568");
        row("123.45e1", "1234.5");
        row("123.45e2", "12345");
        row("123.45e3", "123450");
        row("-4.9e3", "-4900");
        row("1e400", "1e400");
        row("10e399", "1e400");
        row("1e-400", "1e-400");
        row("0.1e-399", "1e-400");
        row("12e400", "1.2e401");
        row("-120e-400", "-1.2e-398");
        row("1e39", "1000000000000000000000000000000000000000");
        row("1e40", "1e40");
        row("0.0000001", "0.0000001");
        row("0.00000001", "1e-8");
        row("1e999999999999999999", "1e999999999999999999");
        row("18446744073709551616", "18446744073709551616");
        row("100000000000000000000000000000000000000000000000001",
            "1.00000000000000000000000000000000000000000000000001e50");
    }
    void canonicalDecimal_table()
    {
        QFETCH(QByteArray, written);
        QFETCH(QByteArray, canonical);
        const auto parsed = Json::parse(written.toStdString());
        QVERIFY(parsed && parsed->isNumber());
        QCOMPARE(parsed->text(), written.toStdString());
        QCOMPARE(parsed->canonical(), canonical.toStdString());
        QCOMPARE(canonicalDecimal(canonical.toStdString()), canonical.toStdString());
        QVERIFY(Json::parse(canonical.toStdString()));
    }

    void integer_onlyWholeNumbersWithinInt64()
    {
        const auto integer = [](const char *text) { return Json::parse(text)->integer(); };
        QCOMPARE(*integer("1e2"), std::int64_t(100));
        QCOMPARE(*integer("-0"), std::int64_t(0));
        QCOMPARE(*integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(*integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
        for (const char *text : {"9223372036854775808", "-9223372036854775809", "1.5", "1e400",
                 "1e-400", "\"1\"", "true", "null"})
            QVERIFY2(!integer(text), text);
    }

    void canonical_sortsNamesByBytesAtEveryLevel_keepsArrays()
    {
        const auto parsed = Json::parse(
            quoted("{'b':{'z':[3,1,2],'a':{'\xC3\xA9':1,'z':2,'Z':3,'':4}},'a':[{'y':1,'x':2}],"
                   "'\xF0\x9F\x92\xB3':1,'\xEF\xBF\xBD':2}"));
        QVERIFY(parsed);
        QCOMPARE(parsed->canonical(),
            quoted("{'a':[{'x':2,'y':1}],'b':{'a':{'':4,'Z':3,'z':2,'\xC3\xA9':1},'z':[3,1,2]},"
                   "'\xEF\xBF\xBD':2,'\xF0\x9F\x92\xB3':1}"));
    }

    // https://github.com/agentrust-io/agent-manifest/pull/404: two texts must not become one.
    void canonical_doesNotNormaliseText()
    {
        const auto composed = Json::parse("\"\xC3\xA9\"");
        const auto combining = Json::parse("\"e\xCC\x81\"");
        QCOMPARE(composed->canonical(), std::string("\"\xC3\xA9\""));
        QCOMPARE(combining->canonical(), std::string("\"e\xCC\x81\""));
        QVERIFY(!composed->sameValue(*combining));
        QVERIFY(composed->sameValue(*Json::parse("\"\\u00E9\"")));
    }

    void parse_refusesWithLineAndColumn_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("place");
        const auto row = [](const char *name, const QByteArray &text, const char *place) {
            QTest::newRow(name) << text << QByteArray(place);
        };
        const auto q = [](const char *text) { return QByteArray::fromStdString(quoted(text)); };
        row("empty", "", "line 1 column 1");
        row("blank", " \n ", "line 2 column 2");
        row("key twice", q("{'a':1,\n 'a':2}"), "line 2 column 2");
        row("key twice, other spelling", q("{'a':1,'\\u0061':2}"), "line 1 column 8");
        row("key twice, third level", q("{'x':[\n{'a':1,'b':2,'a':3}]}"), "line 2 column 14");
        row("NaN", q("{'a':NaN}"), "line 1 column 6");
        row("Infinity", "[Infinity]", "line 1 column 2");
        row("-Infinity", "[-Infinity]", "line 1 column 2");
        row("comma at the end of an array", "[1,]", "line 1 column 4");
        row("comma at the end of an object", q("{'a':1,}"), "line 1 column 8");
        row("something after it", "{} x", "line 1 column 4");
        row("two values", "1 2", "line 1 column 3");
        row("leading zero", "[03]", "line 1 column 3");
        row("plus", "[+1]", "line 1 column 2");
        row("no digit before the point", "[.5]", "line 1 column 2");
        row("no digit after the point", "[1.]", "line 1 column 4");
        row("single quotes", "['a']", "line 1 column 2");
        row("comment", "/* */ 1", "line 1 column 1");
        row("line break in a string", "[\"a\nb\"]", "line 1 column 4");
        row("nul in a string", QByteArray("[\"a\0\"]", 6), "line 1 column 4");
        row("nul after the value", QByteArray("1\0", 2), "line 1 column 2");
        row("not closed", "[1", "line 1 column 3");
        row("text not closed", "[\"a", "line 1 column 4");
        row("huge exponent", "1e1000000000000000000", "line 1 column 22");
    }
    void parse_refusesWithLineAndColumn()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, place);
        const auto parsed = Json::parse(text.toStdString(), "plan.json");
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().code, ErrorCode::InvalidInput);
        QCOMPARE(parsed.error().where, "plan.json, " + place.toStdString());
        QVERIFY(!parsed.error().what.empty());
    }

    void parse_textThatIsNoText_refused_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *escape : {"\\ud800", "\\udc00", "\\ud800\\ud800", "\\ud800x", "\\ud800\\n",
                 "\\udc00\\ud800", "\\u12", "\\u12g4", "\\x41", "\\", "\\'"})
            QTest::addRow("%s", escape) << QByteArray(escape);
        QTest::newRow("stray byte") << QByteArray("a\xFF");
        QTest::newRow("overlong") << QByteArray("\xC0\x80");
        QTest::newRow("surrogate as bytes") << QByteArray("\xED\xA0\x80");
        QTest::newRow("cut letter") << QByteArray("\xE2\x82");
        QTest::newRow("letter cut by an escape") << QByteArray("\xC3\\u00a9");
        QTest::newRow("above U+10FFFF") << QByteArray("\xF4\x90\x80\x80");
    }
    void parse_textThatIsNoText_refused()
    {
        QFETCH(QByteArray, text);
        const auto value = Json::parse("[\"" + text.toStdString() + "\"]");
        QVERIFY(!value);
        QVERIFY(value.error().where.starts_with("line 1 column "));
        QVERIFY(isValid(value.error()));
        QVERIFY(!Json::parse("{\"" + text.toStdString() + "\":1}"));
    }

    void parse_depth()
    {
        QVERIFY(Json::parse(nested(512)));
        const auto deeper = Json::parse(nested(513));
        QVERIFY(!deeper);
        QCOMPARE(deeper.error().where, std::string("line 1 column 513"));
        std::string objects;
        for (int i = 0; i < 100'000; ++i)
            objects += "{\"a\":";
        QVERIFY(!Json::parse(objects));
    }

    void dump_givesBackWhatWasRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"null", "true", "[]", "{}", "[1.50,-0,1e5]",
                 "{'b':1,'a':[true,false,null,'']}", "'a\\u0000b'", "'\xE2\x80\xA8'",
                 "'\xF0\x9F\x92\xB3'", "'\\\\ \\b\\f\\n\\r\\t\\u001f / \x7F'"})
            QTest::addRow("%s", text) << QByteArray::fromStdString(quoted(text));
    }
    void dump_givesBackWhatWasRead()
    {
        QFETCH(QByteArray, text);
        const auto value = Json::parse(text.toStdString());
        QVERIFY(value);
        QCOMPARE(value->dump(), text.toStdString());
        const auto pretty = Json::parse(value->pretty());
        QVERIFY(pretty);
        QCOMPARE(pretty->dump(), text.toStdString());
    }

    // https://github.com/mattn/go-sqlite3/pull/196: text with NUL was cut there.
    void parse_nulAndLineSeparator_keptAsTheyAre()
    {
        const auto value = Json::parse(quoted("{'a\\u0000b':'x\\u0000y\\u2028\\u2029z'}"));
        QVERIFY(value);
        const std::string name("a\0b", 3);
        const std::string text("x\0y\xE2\x80\xA8\xE2\x80\xA9z", 10);
        QCOMPARE((*value)[name].text(), text);
        QCOMPARE((*Json::parse(value->dump()))[name].text(), text);
        QCOMPARE((*Json::parse(value->canonical()))[name].text(), text);
    }

    void sourceIn_givesTheBytesOfAMember()
    {
        const std::string document
            = "\xEF\xBB\xBF" + quoted(" { 'a' : {'n': 1.0 ,'t':'\\u0041'} , 'b':[ 1,2 ]} ");
        const auto value = Json::parse(document);
        QVERIFY(value);
        QCOMPARE(
            std::string((*value)["a"].sourceIn(document)), quoted("{'n': 1.0 ,'t':'\\u0041'}"));
        QCOMPARE(std::string((*value)["b"].sourceIn(document)), std::string("[ 1,2 ]"));
        QCOMPARE(std::string(value->at("/a/n")->sourceIn(document)), std::string("1.0"));
        QCOMPARE(std::string(value->at("/a/t")->sourceIn(document)), quoted("'\\u0041'"));
        QVERIFY(Json("made here").sourceIn(document).empty());
    }

    void at_rfc6901()
    {
        const auto value
            = Json::parse(quoted("{'foo':['bar','baz'],'':0,'a/b':1,'m~n':8,'x':{'0':'zero'}}"));
        QVERIFY(value);
        QCOMPARE(value->at(""), &*value);
        QCOMPARE(value->at("/foo/0")->text(), std::string("bar"));
        QCOMPARE(value->at("/")->text(), std::string("0"));
        QCOMPARE(value->at("/a~1b")->text(), std::string("1"));
        QCOMPARE(value->at("/m~0n")->text(), std::string("8"));
        QCOMPARE(value->at("/x/0")->text(), std::string("zero"));
        for (const char *nothing : {"/foo/2", "/foo/00", "/foo/-", "/foo/-1", "foo", "/foo/0/x"})
            QVERIFY2(value->at(nothing) == nullptr, nothing);
        QVERIFY(Json::isPointer("/a~1b/~0") && Json::isPointer(""));
        QVERIFY(!Json::isPointer("a") && !Json::isPointer("/~") && !Json::isPointer("/~2"));
    }

    void without_leavesTheRestAsItWasWritten()
    {
        const auto value = Json::parse(quoted("{'b':1.50,'a':[{'x':-0,'y':null},'\\u00e9',[]]}"));
        QVERIFY(value);
        QCOMPARE(value->without({}).dump(), value->dump());
        QCOMPARE(value->without({"/a/0/x", "/a/2"}).dump(),
            quoted("{'b':1.50,'a':[{'y':null},'\xC3\xA9']}"));
        QCOMPARE(value->without({"/a", "/b"}).dump(), std::string("{}"));
    }

    void jsonQuote_invalidBytes_becomeReplacementCharacters()
    {
        QCOMPARE(
            jsonQuote("a\xFF\xC3\xA9\xC3"), std::string("\"a\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD\""));
    }

    void parse_randomDocuments_acceptedOrRefusedAsElsewhere()
    {
        Documents documents(20260728);
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < 20'000; ++i) {
            const std::string text = documents.next();
            const auto here = Json::parse(text);
            const auto elsewhere = acceptedElsewhere(text);
            if (!elsewhere)
                continue;
            QVERIFY2(here.has_value() == *elsewhere, text.c_str());
            if (!here) {
                ++refused;
                continue;
            }
            ++accepted;
            const auto again = Json::parse(here->dump());
            QVERIFY(again);
            QCOMPARE(again->dump(), here->dump());
            QCOMPARE(again->canonical(), here->canonical());
            // Canonical text is a fixed point, and the same value for the other parser.
            const auto canonical = Json::parse(here->canonical());
            QVERIFY2(canonical, here->canonical().c_str());
            QCOMPARE(canonical->canonical(), here->canonical());
            QVERIFY2(nlohmann::json::parse(here->canonical()) == nlohmann::json::parse(text),
                text.c_str());
        }
        QVERIFY(accepted > 5'000 && refused > 5'000);
    }

private:
    static bool isValid(const Error &error)
    {
        return nlohmann::json(error.text()).dump().size() > 2; // throws for what is not UTF-8
    }
};

QTEST_APPLESS_MAIN(TestJson)
#include "tst_json.moc"

#include "core/executor/executor.h"
#include "core/inspect/json_diff.h"
#include "tests/support/quoted.h"

#include <QtTest/QTest>

using namespace reprise;
using reprise::test::quoted;

namespace {

JsonDiff diffOf(const std::string &left, const std::string &right, JsonDiffOptions options = {})
{
    auto diff = diffPayloads(quoted(left), quoted(right), options);
    return diff ? std::move(*diff) : JsonDiff {};
}

/// One line a row: "/a changed 1 -> 2".
std::string rowsText(const JsonDiff &diff)
{
    std::string out;
    for (const JsonDifference &row : diff.rows)
        out += row.pointer + " " + std::string(name(row.change)) + " " + row.left + " -> "
            + row.right + (row.isVolatile ? " volatile" : "") + "\n";
    return quoted(out);
}

JsonDiffOptions onlyDifferences(std::vector<std::string> volatilePointers = {})
{
    JsonDiffOptions options;
    options.withSame = false;
    options.volatilePointers = std::move(volatilePointers);
    return options;
}

} // namespace

class TestJsonDiff : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void header_words_data()
    {
        QTest::addColumn<QString>("left");
        QTest::addColumn<QString>("right");
        QTest::addColumn<QString>("header");
        const auto row
            = [](const char *name, const char *left, const char *right, const char *header) {
                  QTest::newRow(name) << QString::fromUtf8(left) << QString::fromUtf8(right)
                                      << QString::fromUtf8(header);
              };
        row("identical", "{'a':1}", "{'a':1}", "identical bytes");
        row("identical, not JSON", "oops", "oops", "identical bytes");
        row("key order", "{'a':1,'b':2}", "{'b':2,'a':1}", "same JSON");
        row("white space", "{'a':1}", "{ 'a' : 1 }", "same JSON");
        row("number spelling", "[1, 1.0, 1e0, -0]", "[1e0,1,1.00,0]", "same JSON");
        row("escapes", "'\\u00e9'", "'é'", "same JSON");
        row("one", "{'a':1}", "{'a':2}", "1 difference");
        row("array order counts", "[1,2]", "[2,1]", "2 differences");
        row("beyond 2^53", "9007199254740993", "9007199254740992", "1 difference");
        row("beyond 2^64", "[18446744073709551617]", "[18446744073709551618]", "1 difference");
        row("fraction", "0.1", "0.10000000000000001", "1 difference");
        row("null is not absent", "{'a':null}", "{}", "1 difference");
        row("text is not number", "'1'", "1", "1 difference");
        row("empty object is not empty array", "{}", "[]", "1 difference");
        row("empty containers", "{'a':{},'b':[]}", "{'b':[],'a':{}}", "same JSON");
        row("left is cut", "{'a':", "{'a':1}",
            "different bytes from offset 5 on (5 and 7 bytes); left is not JSON");
        row("right is cut", "{'a':1}", "{'a'",
            "different bytes from offset 4 on (7 and 4 bytes); right is not JSON");
        row("no JSON", "abc", "abd",
            "different bytes from offset 2 on (3 and 3 bytes); neither side is JSON");
    }
    void header_words()
    {
        QFETCH(QString, left);
        QFETCH(QString, right);
        QFETCH(QString, header);
        QCOMPARE(
            QString::fromStdString(diffOf(left.toStdString(), right.toStdString()).header), header);
    }

    void rows_leftOrderThenAdded()
    {
        const JsonDiff diff = diffOf("{'z':1,'a':{'x':[1,2,3]},'gone':true}",
            "{'a':{'x':[1,5],'n/~':null},'z':1.0,'new':{'k':[]}}");
        QCOMPARE(rowsText(diff),
            quoted("/z same 1 -> 1.0\n"
                   "/a/x/0 same 1 -> 1\n"
                   "/a/x/1 changed 2 -> 5\n"
                   "/a/x/2 removed 3 -> \n"
                   "/a/n~1~0 added  -> null\n"
                   "/gone removed true -> \n"
                   "/new added  -> {'k':[]}\n"));
        QCOMPARE(diff.header, std::string("5 differences"));
    }

    void rows_otherKind_isOneChange()
    {
        QCOMPARE(rowsText(diffOf("[1]", "{'0':1}")), quoted(" changed [1] -> {'0':1}\n"));
    }

    void volatilePaths_areCountedAndMarked()
    {
        const JsonDiff diff = diffOf("{'trace':{'id':1,'t':2},'tracer':1,'amount':4900}",
            "{'trace':{'id':2,'t':3},'tracer':2,'amount':4900}", onlyDifferences({"/trace"}));
        QCOMPARE(rowsText(diff),
            std::string("/trace/id changed 1 -> 2 volatile\n"
                        "/trace/t changed 2 -> 3 volatile\n"
                        "/tracer changed 1 -> 2\n"));
        QCOMPARE(diff.header, std::string("3 differences (2 volatile)"));
    }

    void rowsMax_cutsRowsAndCountsAll()
    {
        JsonDiffOptions options;
        options.rowsMax = 2;
        const JsonDiff diff = diffOf("[1,2,3,4]", "[5,6,7,8]", options);
        QCOMPARE(diff.rows.size(), std::size_t(2));
        QVERIFY(diff.cut);
        QCOMPARE(diff.header, std::string("4 differences"));
    }

    void stopFlag_answersCancelled()
    {
        const std::atomic<bool> stop {true};
        JsonDiffOptions options;
        options.stop = &stop;
        const auto diff = diffPayloads("[1]", "[2]", options);
        QVERIFY(!diff.has_value());
        QCOMPARE(diff.error().code, ErrorCode::Cancelled);
    }

    /// Quadratic look-up or a copy of the path at every level would take minutes here.
    void megabytePayloads_areCompared()
    {
        std::string left = "{";
        std::string right = "{";
        for (int i = 0; i < 60'000; ++i) {
            const std::string member = "\"member" + std::to_string(i) + "\":";
            left += (i == 0 ? "" : ",") + member + std::to_string(i);
            right += (i == 0 ? "" : ",") + member + std::to_string(i % 2 == 0 ? i : -i);
        }
        const auto wide = diffPayloads(left + "}", right + "}", onlyDifferences());
        QVERIFY(wide.has_value());
        QCOMPARE(wide->differences, std::size_t(30'000));
        QCOMPARE(wide->rows.size(), std::size_t(10'000));

        std::string inner;
        for (int i = 0; i < 300'000; ++i)
            inner += i == 0 ? "1" : ",1";
        const std::string open(500, '[');
        const std::string close(500, ']');
        const auto deep
            = diffPayloads(open + inner + close, open + inner + ",2" + close, onlyDifferences());
        QVERIFY(deep.has_value());
        QCOMPARE(deep->differences, std::size_t(1));
    }

    void jsonDifferences_sayAbsent()
    {
        const auto recorded = Json::parse(quoted("{'amount':4900,'currency':'EUR','note':null}"));
        const auto given = Json::parse(quoted("{'currency':'EUR','amount':4900.5,'extra':[1]}"));
        QVERIFY(recorded && given);
        const auto fields = jsonDifferences(*recorded, *given);
        QCOMPARE(fields.size(), std::size_t(3));
        QCOMPARE(fields[0].pointer, std::string("/amount"));
        QCOMPARE(fields[0].recorded, std::string("4900"));
        QCOMPARE(fields[0].given, std::string("4900.5"));
        QCOMPARE(fields[1].pointer, std::string("/note"));
        QCOMPARE(fields[1].recorded, std::string("null"));
        QCOMPARE(fields[1].given, std::string("absent"));
        QCOMPARE(fields[2].pointer, std::string("/extra"));
        QCOMPARE(fields[2].recorded, std::string("absent"));
        QCOMPARE(fields[2].given, std::string("[1]"));
    }

    void jsonDifferences_ofIgnoredFields_areNotSaid()
    {
        const auto recorded
            = Json::parse(quoted("{'amount':1,'memo':'a','trace':{'id':1,'at':2}}"));
        const auto given = Json::parse(quoted("{'amount':2,'memo':'b','trace':{'id':3,'at':4}}"));
        QVERIFY(recorded && given);
        const auto fields = jsonDifferences(*recorded, *given, {"/memo", "/trace"});
        QCOMPARE(fields.size(), std::size_t(1));
        QCOMPARE(fields[0].pointer, std::string("/amount"));
    }
};

QTEST_APPLESS_MAIN(TestJsonDiff)
#include "tst_json_diff.moc"

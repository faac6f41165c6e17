#include "core/key/key.h"
#include "core/model/ids.h"
#include "tests/support/quoted.h"

#include <QTest>

#include <clocale>

using namespace reprise;
using namespace reprise::test;

namespace {

struct Vector
{
    const char *runId;
    const char *seq;
    const char *key;
    const char *uuid;
};

/// Published with the derivation: any language has to come to the same.
const Vector kVectors[] = {
    {"run-1", "1", "c32c087ad42928af09b20a99b8135af061e3047afe67bbe236675bcbe43232a7",
        "c32c087a-d429-48af-89b2-0a99b8135af0"},
    {"run-1", "23", "e368ed1a8a9294528135df6152f07bbc9fac77381278baa59434496f43851bb5",
        "e368ed1a-8a92-4452-8135-df6152f07bbc"},
    {"run-12", "3", "1c562a8c398b7dca6be5dbf2bd55b552d981af4450eb72ee5ce99f3adb8dc12b",
        "1c562a8c-398b-4dca-abe5-dbf2bd55b552"},
    {"run-1", "0", "38778726f35fc7473f8a16cc55be31c294f6d4a7cecc26737414074c4df9d4fc",
        "38778726-f35f-4747-bf8a-16cc55be31c2"},
    {"\u00e9", "1", "8541a81ee17e2b65f664261a462e82cc7db6d1ac27ddedf86e50416a20c38540",
        "8541a81e-e17e-4b65-b664-261a462e82cc"},
    {"e\u0301", "1", "48d84db54407138cd2e1549372e702141a0e53075c92cf97dfa35bed43d8359c",
        "48d84db5-4407-438c-92e1-549372e70214"},
    {"\u6ce8\u6587-\U0001f4b3", "9007199254740993",
        "f20a75f00f5e82378f3ecca14fc3e64fed6126bbc5c5dc9cea04442d193758cb",
        "f20a75f0-0f5e-4237-8f3e-cca14fc3e64f"},
    {"run-1", "9223372036854775807",
        "1ecfe9ae93095ffecdb5adeb1ba45d78add6457f79ae17b2809baa439f326540",
        "1ecfe9ae-9309-4ffe-8db5-adeb1ba45d78"},
};

Digest print(const std::string &args, const FingerprintInput &input = {"charge"})
{
    const auto json = Json::parse(quoted(args));
    return json ? fingerprint(input, *json) : Digest {};
}

} // namespace

class TestKey : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void deriveKey_publishedVectors()
    {
        for (const Vector &vector : kVectors) {
            const Key key = deriveKey(*RunId::parse(vector.runId), *Seq::parse(vector.seq));
            QCOMPARE(key.hex(), std::string(vector.key));
            QCOMPARE(formatKey(key, KeyForm::Uuid), std::string(vector.uuid));
            QCOMPARE(formatKey(key, KeyForm::Hex32), std::string(vector.key).substr(0, 32));
            QCOMPARE(formatKey(key, KeyForm::Base32).size(), std::size_t(26));
        }
    }

    void base32_vectorsOfRfc4648()
    {
        QCOMPARE(toBase32("f"), std::string("my"));
        QCOMPARE(toBase32("foob"), std::string("mzxw6yq"));
        QCOMPARE(toBase32("foobar"), std::string("mzxw6ytboi"));
    }

    // https://github.com/MemPalace/mempalace/issues/1776: joined parts must not meet.
    void deriveKey_E43_neighboursDiffer()
    {
        const auto key = [](const char *run, std::int64_t seq) {
            return deriveKey(*RunId::parse(run), *Seq::of(seq));
        };
        QVERIFY(key("1", 23) != key("12", 3));
        QVERIFY(key("a:1", 2) != key("a", 12));
    }

    void runId_E44_E45()
    {
        QVERIFY(RunId::parse(std::string(255, 'a')));
        QVERIFY(!RunId::parse(std::string(256, 'a')));
        QVERIFY(!RunId::parse(""));
        QVERIFY(!RunId::parse("a\xff"));
        QVERIFY(!RunId::parse("a\xed\xa0\x80")); // a surrogate
        QVERIFY(!RunId::parse(std::string_view("a\0b", 3)));
        QVERIFY(!RunId::parse("a\nb"));
        QVERIFY(RunId::parse("\u202ex\u200b"));
    }

    void seq_E46()
    {
        for (const char *text :
            {"-1", "9223372036854775808", "1.5", "03", "true", "", "+1", " 1", "1e2"})
            QVERIFY2(!Seq::parse(text), text);
        QCOMPARE(Seq::parse("0")->value(), std::int64_t(0));
        QCOMPARE(Seq::parse("9223372036854775807")->value(), INT64_MAX);
    }

    // https://github.com/aws-powertools/powertools-lambda-python/issues/638
    void fingerprint_E51_orderAndSpaceDoNotCount()
    {
        QCOMPARE(
            print("{'a':{'x':1,'y':[1,2]},'b':2}"), print("{ 'b':2,\n 'a':{'y':[1,2],'x':1} }"));
        QVERIFY(print("{'a':[1,2]}") != print("{'a':[2,1]}"));
    }

    void fingerprint_E52_numbersByValue()
    {
        for (const char *same : {"{'a':1.0}", "{'a':1e0}", "{'a':10e-1}"})
            QCOMPARE(print(same), print("{'a':1}"));
        QCOMPARE(print("{'a':0.1}"), print("{'a':0.10}"));
        QCOMPARE(print("{'a':-0}"), print("{'a':0}"));
        QVERIFY(print("{'a':9007199254740993}") != print("{'a':9007199254740992}"));
        QVERIFY(print("{'a':1e400}") != print("{'a':1e401}"));
        QVERIFY(print("{'a':'1'}") != print("{'a':1}"));
        QVERIFY(print("{'a':null}") != print("{}"));
    }

    // https://github.com/agentrust-io/agent-manifest/pull/404: text is never normalised.
    void fingerprint_textIsNotNormalised()
    {
        QVERIFY(print("{'a':'\u00e9'}") != print("{'a':'e\u0301'}"));
        QVERIFY(print("{'\u00e9':1}") != print("{'e\u0301':1}"));
    }

    void fingerprint_E55_coversEnvironmentAccountDryRun()
    {
        const Digest base = print("{}");
        QVERIFY(print("{}", {"charge", "1", "sandbox"}) != base);
        QVERIFY(print("{}", {"charge", "1", "live", "acct"}) != base);
        QVERIFY(print("{}", {"charge", "1", "live", "", true}) != base);
        QVERIFY(print("{}", {"refund"}) != base);
        QVERIFY(print("{}", {"charge", "2"}) != base);
    }

    void fingerprint_E56_ignoredFieldsAreLeftOut()
    {
        const FingerprintInput input {"charge", "1", "live", "", false, {"/memo", "/meta/trace"}};
        QCOMPARE(print("{'a':1,'memo':'x','meta':{'trace':1}}", input),
            print("{'a':1,'memo':'y','meta':{'trace':2}}", input));
        QVERIFY(print("{'a':1,'memo':'x'}", input) != print("{'a':2,'memo':'x'}", input));
    }

    // https://github.com/antonio-ivanovski/spliit-cloud/pull/68
    void fingerprint_sameUnderEveryLocale()
    {
        const std::string args = "{'I':1,'i':2,'z':3,'\u00e4':4,'_':5}";
        const Digest expected = print(args);
        for (const char *locale : {"tr_TR.UTF-8", "sv_SE.UTF-8", "C.UTF-8"}) {
            std::setlocale(LC_ALL, locale);
            QCOMPARE(print(args), expected);
        }
        std::setlocale(LC_ALL, "C");
        QCOMPARE(
            Json::parse(quoted(args))->canonical(), quoted("{'I':1,'_':5,'i':2,'z':3,'\u00e4':4}"));
    }
};

QTEST_APPLESS_MAIN(TestKey)
#include "tst_key.moc"

#include "core/key/key.h"
#include "tests/support/quoted.h"

#include <QTest>

#include <clocale>

using namespace reprise;
using namespace reprise::test;

namespace {

FingerprintInput charge()
{
    FingerprintInput input;
    input.tool = "charge";
    input.account = "acct_1";
    return input;
}
Digest of(const QByteArray &args, const FingerprintInput &input = charge())
{
    return fingerprint(input, *Json::parse(quoted(args.toStdString())));
}

} // namespace

class TestFingerprint : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void fingerprint_ofTwoSpellings_data()
    {
        QTest::addColumn<QByteArray>("one");
        QTest::addColumn<QByteArray>("two");
        QTest::addColumn<bool>("same");
        const auto row = [](const char *name, const char *one, const char *two, bool same) {
            QTest::newRow(name) << QByteArray(one) << QByteArray(two) << same;
        };
        // https://github.com/aws-powertools/powertools-lambda-python/issues/638
        row("E51 order of members", "{'a':1,'b':{'x':1,'y':2}}", "{'b':{'y':2,'x':1},'a':1}", true);
        row("E51 white space", "{'a':[1,2]}", " {\t'a' :\n[ 1 , 2 ]\r}", true);
        row("E51 order of elements", "{'a':[1,2]}", "{'a':[2,1]}", false);
        row("E51 escapes of one text", "{'a':'\\u0041/'}", "{'a':'A\\/'}", true);
        row("E52 1 and 1.0", "{'a':1}", "{'a':1.0}", true);
        row("E52 1 and 1e0", "{'a':1}", "{'a':1e0}", true);
        row("E52 0.1 and 0.10", "{'a':0.1}", "{'a':0.10}", true);
        row("E52 -0 and 0", "{'a':-0}", "{'a':0}", true);
        row("E52 beyond a double", "{'a':9007199254740993}", "{'a':9007199254740992}", false);
        row("E52 powers beyond a double", "{'a':1e400}", "{'a':1e401}", false);
        row("E52 text and number", "{'a':'1'}", "{'a':1}", false);
        row("E52 null and absent", "{'a':null}", "{}", false);
        row("E52 true and 'true'", "{'a':true}", "{'a':'true'}", false);
        row("E54 other amount", "{'amount':4900}", "{'amount':4901}", false);
        row("E56 other words", "{'memo':'rent'}", "{'memo':'Rent'}", false);
        row("empty array and object", "{'a':[]}", "{'a':{}}", false);
        row("text cut at a NUL", "{'a':'x\\u0000y'}", "{'a':'x\\u0000z'}", false);
        // https://github.com/agentrust-io/agent-manifest/pull/404: no normalisation.
        row("composed and combining, value", "{'a':'\xC3\xA9'}", "{'a':'e\xCC\x81'}", false);
        row("composed and combining, key", "{'\xC3\xA9':1}", "{'e\xCC\x81':1}", false);
    }
    void fingerprint_ofTwoSpellings()
    {
        QFETCH(QByteArray, one);
        QFETCH(QByteArray, two);
        QFETCH(bool, same);
        QCOMPARE(of(one) == of(two), same);
    }

    void parse_argsThatHaveNoOneMeaning_E53_refused()
    {
        for (const char *args : {"{'a':NaN}", "{'a':Infinity}", "{'a':-Infinity}", "{'a':1,'a':1}",
                 "{'a':'\\ud800'}", "{'a':'\\udc00'}"})
            QVERIFY2(!Json::parse(quoted(args)), args);
    }

    void fingerprint_everythingAroundTheArgs_E55_counts()
    {
        const QByteArray args = "{'a':1}";
        const Digest base = of(args);
        std::vector<FingerprintInput> others(6, charge());
        others[0].tool = "refund";
        others[1].contractVersion = "2";
        others[2].environment = "sandbox";
        others[3].account = "acct_2";
        others[4].dryRun = true;
        // The border between two fields counts too.
        others[5].tool = "charge1";
        others[5].contractVersion = "";
        std::vector<Digest> seen {base};
        for (const FingerprintInput &other : others)
            seen.push_back(of(args, other));
        std::sort(seen.begin(), seen.end());
        QVERIFY(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
        QCOMPARE(of(args), base);
    }

    void fingerprint_ignoredFields_E56_doNotCount()
    {
        FingerprintInput input = charge();
        input.ignore = {"/memo", "/meta/trace"};
        const Digest base
            = of("{'amount':1,'memo':'rent','meta':{'trace':'t1','order':'o1'}}", input);
        QCOMPARE(
            of("{'amount':1,'memo':'the rent','meta':{'trace':'t2','order':'o1'}}", input), base);
        QCOMPARE(of("{'amount':1,'meta':{'order':'o1'}}", input), base);
        QVERIFY(of("{'amount':1,'memo':'rent','meta':{'trace':'t1','order':'o2'}}", input) != base);
        QVERIFY(of("{'amount':2,'memo':'rent','meta':{'trace':'t1','order':'o1'}}", input) != base);
        QCOMPARE(canonicalArgs(*Json::parse(quoted("{'memo':'x','b':1.0,'a':2}")), input.ignore),
            quoted("{'a':2,'b':1}"));
    }

    void fingerprint_ignoredElements_E56_countFromTheArgsAsGiven()
    {
        FingerprintInput input = charge();
        input.ignore = {"/x/0", "/x/1"};
        QCOMPARE(canonicalArgs(*Json::parse(quoted("{'x':[1,2,3]}")), input.ignore),
            quoted("{'x':[3]}"));
        const Digest base = of("{'x':[1,2,3]}", input);
        QCOMPARE(of("{'x':[7,8,3]}", input), base);
        // An amount that no pointer names must never be overlooked.
        QVERIFY(of("{'x':[1,2,4]}", input) != base);
        std::swap(input.ignore[0], input.ignore[1]);
        QCOMPARE(of("{'x':[1,2,3]}", input), base);
    }

    void fingerprint_ignoredFieldInsideAnIgnoredOne_isTheSameAsTheOuter()
    {
        const Json args = *Json::parse(quoted("{'a':{'b':1,'c':2},'d':[{'e':1}]}"));
        QCOMPARE(canonicalArgs(args, {"/a", "/a/b", "/d/0/e"}), quoted("{'d':[{}]}"));
        QCOMPARE(canonicalArgs(args, {"/a/b", "/a"}), quoted("{'d':[{'e':1}]}"));
        // Nothing at those places, and the whole document, leave everything in.
        QCOMPARE(canonicalArgs(args, {"/x", "/d/1", "/d/00", "/a/b/c", ""}), args.canonical());
        QCOMPARE(
            canonicalArgs(*Json::parse(quoted("{'a/b':1,'m~n':2,'a~1b':3}")), {"/a~1b", "/m~0n"}),
            quoted("{'a~1b':3}"));
    }

    // https://github.com/antonio-ivanovski/spliit-cloud/pull/68: the order of keys followed the
    // locale.
    void fingerprint_anyLocale_isTheSame()
    {
        const QByteArray args = "{'I':1,'i':2,'z':3,'\xC3\xA4':4,'_':5,'A':1.5,'\xC4\xB0':7}";
        const std::string canonical = canonicalArgs(*Json::parse(quoted(args.toStdString())), {});
        QCOMPARE(canonical, quoted("{'A':1.5,'I':1,'_':5,'i':2,'z':3,'\xC3\xA4':4,'\xC4\xB0':7}"));
        const Digest base = of(args);
        const std::string before = std::setlocale(LC_ALL, nullptr);
        for (const char *locale : {"C", "C.UTF-8", "tr_TR.UTF-8", "sv_SE.UTF-8", "de_DE.UTF-8"}) {
            if (std::setlocale(LC_ALL, locale) == nullptr)
                continue; // not installed here
            const Digest there = of(args);
            std::setlocale(LC_ALL, before.c_str());
            QVERIFY2(there == base, locale);
        }
    }
};

QTEST_APPLESS_MAIN(TestFingerprint)
#include "tst_fingerprint.moc"

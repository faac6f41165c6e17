#include "core/model/contract.h"
#include "tests/support/quoted.h"

#include <QTest>

#include <limits>

using namespace reprise;
using namespace reprise::test;

namespace {

/// Everything that a contract can declare, each with a value that is not the default.
const char *const kFull
    = "{'name':'charge_card','version':'7','command':['/bin/charge','--live'],'side_effect':false,"
      "'key':{'form':'base32','env':'KEY'},'timeout_ms':1500,"
      "'exit':{'0':'succeeded','10':'declined','11':'not_sent','12':'unknown'},"
      "'result':{'content_type':'application/json','required':['/charge_id','/a~1b'],"
      "'reference':'/charge_id'},"
      "'settle':{'forwarding':{'retention':'24h','attempts':3},'probe':['/bin/look-up'],"
      "'repeatable':true},'ignore':['/trace_id','/meta/at'],"
      "'business':{'kind':'charge','amount':'/items/*/amount','unit':'major','currency':'/cur',"
      "'fixed_currency':'EUR','payee':'/customer','order':'/order_id','undoes':'/of'}}";

Result<ToolContract> contractOf(const std::string &text)
{
    return ToolContract::fromJson(*Json::parse(quoted(text)), "tools.json");
}

Business businessOf(const BusinessMapping &mapping, const std::string &args)
{
    return mapping.read(*Json::parse(quoted(args)));
}

BusinessMapping mappingOf(const std::string &amount)
{
    BusinessMapping mapping;
    mapping.kind = BusinessKind::Charge;
    mapping.amount = amount;
    mapping.currency = "/currency";
    return mapping;
}

} // namespace

/// What a tool declares about itself. A field that is not understood must never be a guard lost.
class TestContract : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void fromJson_everyField_isRead()
    {
        const auto contract = contractOf(kFull);
        QVERIFY(contract);
        QCOMPARE(contract->name, std::string("charge_card"));
        QCOMPARE(contract->version, std::string("7"));
        QCOMPARE(contract->command, (std::vector<std::string> {"/bin/charge", "--live"}));
        QVERIFY(!contract->sideEffect);
        QVERIFY(contract->keyForm == KeyForm::Base32);
        QCOMPARE(contract->keyEnv, std::string("KEY"));
        QCOMPARE(contract->timeoutMs, std::int64_t(1500));
        QVERIFY((contract->exitStatus
            == std::map<int, OutcomeClass> {{0, OutcomeClass::Succeeded},
                {10, OutcomeClass::Declined}, {11, OutcomeClass::NotSent},
                {12, OutcomeClass::Unknown}}));
        QCOMPARE(contract->contentType, std::string("application/json"));
        QCOMPARE(contract->required, (std::vector<std::string> {"/charge_id", "/a~1b"}));
        QCOMPARE(contract->reference, std::string("/charge_id"));
        QVERIFY(contract->forwarding);
        QCOMPARE(contract->forwarding->retentionUs, std::int64_t(86'400'000'000));
        QCOMPARE(contract->forwarding->attemptsMax, std::int64_t(3));
        QCOMPARE(contract->probe, (std::vector<std::string> {"/bin/look-up"}));
        QVERIFY(contract->repeatable);
        QCOMPARE(contract->ignore, (std::vector<std::string> {"/trace_id", "/meta/at"}));
        QVERIFY(contract->business.kind == BusinessKind::Charge);
        QVERIFY(!contract->business.minorUnits);
        QCOMPARE(contract->business.amount, std::string("/items/*/amount"));
        QCOMPARE(contract->business.undoes, std::string("/of"));
    }

    void fromJson_nothingDeclared_isTheSafeSide()
    {
        const auto contract = contractOf("{'name':'t'}");
        QVERIFY(contract);
        QVERIFY(contract->sideEffect);
        QVERIFY(!contract->repeatable && !contract->forwarding && contract->probe.empty());
        QVERIFY(contract->keyForm == KeyForm::Uuid);
        QCOMPARE(contract->digest(), ToolContract::undeclared("t").digest());
        // Forwarding without a number of attempts allows the first call and no other.
        QCOMPARE(contractOf("{'name':'t','settle':{'forwarding':{'retention':'0s'}}}")
                     ->forwarding->attemptsMax,
            std::int64_t(1));
    }

    void toJson_readsBackAsTheSameContract()
    {
        for (const char *text :
            {kFull, "{'name':'t'}", "{'name':'t','exit':{},'key':{'env':''}}"}) {
            const auto contract = contractOf(text);
            QVERIFY2(contract, text);
            const auto back = ToolContract::fromJson(contract->toJson(), "recorded");
            QVERIFY2(back, text);
            QCOMPARE(back->toJson().dump(), contract->toJson().dump());
            QCOMPARE(back->digest(), contract->digest());
        }
    }

    void digest_orderOfFieldsDoesNotCount_everyValueDoes()
    {
        const Digest base = contractOf("{'name':'t','version':'1','timeout_ms':1000}")->digest();
        QCOMPARE(contractOf("{'timeout_ms':1e3,'name':'t'}")->digest(), base);
        for (const char *other :
            {"{'name':'u','timeout_ms':1000}", "{'name':'t','version':'2','timeout_ms':1000}",
                "{'name':'t','timeout_ms':1001}", "{'name':'t','timeout_ms':1000,'ignore':['/a']}",
                "{'name':'t','timeout_ms':1000,'settle':{'repeatable':true}}",
                "{'name':'t','timeout_ms':1000,'side_effect':false}"})
            QVERIFY2(contractOf(other)->digest() != base, other);
    }

    void fromJson_wrong_refusedWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *text, const char *says) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(says);
        };
        row("[]", "must be an object");
        row("{}", "needs a 'name'");
        row("{'name':''}", "needs a 'name'");
        row("{'name':1}", "'name' must be text");
        row("{'name':'t','versoin':'1'}", "unknown field 'versoin'");
        row("{'name':'t','version':1}", "'version' must be text");
        row("{'name':'t','command':'./t'}", "'command' must be a list of texts");
        row("{'name':'t','command':[1]}", "'command' must be a list of texts");
        row("{'name':'t','side_effect':'no'}", "'side_effect' must be true or false");
        row("{'name':'t','side_effect':null}", "'side_effect' must be true or false");
        row("{'name':'t','timeout_ms':0}", "'timeout_ms' must be a whole number");
        row("{'name':'t','timeout_ms':1.5}", "'timeout_ms' must be a whole number");
        row("{'name':'t','timeout_ms':'30'}", "'timeout_ms' must be a whole number");
        row("{'name':'t','timeout_ms':1e400}", "'timeout_ms' must be a whole number");
        row("{'name':'t','key':'uuid'}", "'key' must be an object");
        row("{'name':'t','key':{'form':'uuid4'}}", "'form' must be");
        row("{'name':'t','key':{'from':'uuid'}}", "unknown field 'from'");
        row("{'name':'t','exit':{'256':'declined'}}", "'256'");
        row("{'name':'t','exit':{'-1':'declined'}}", "'-1'");
        row("{'name':'t','exit':{'-0':'declined'}}", "'-0'");
        row("{'name':'t','exit':{'0':'succeeded','00':'unknown'}}", "'00'");
        row("{'name':'t','exit':{'1x':'declined'}}", "'1x'");
        row("{'name':'t','exit':{'':'declined'}}", "''");
        row("{'name':'t','exit':{'1':'ok'}}", "exit status 1");
        row("{'name':'t','exit':{'1':0}}", "exit status 1");
        row("{'name':'t','result':{'required':['charge_id']}}", "'required' must hold");
        row("{'name':'t','result':{'reference':'charge_id'}}",
            "'reference' must be a JSON pointer");
        row("{'name':'t','result':{'required':['/a~2']}}", "'required' must hold");
        row("{'name':'t','ignore':['memo']}", "'ignore' must hold");
        row("{'name':'t','settle':{'repeatble':true}}", "unknown field 'repeatble'");
        row("{'name':'t','settle':{'forwarding':true}}", "'forwarding' must be an object");
        row("{'name':'t','settle':{'forwarding':{}}}", "'retention' must be a duration");
        row("{'name':'t','settle':{'forwarding':{'retention':'1d','attempts':0}}}", "'attempts'");
        row("{'name':'t','settle':{'forwarding':{'retention':'1d','attempt':2}}}", "'attempt'");
        row("{'name':'t','business':{'kind':'sale'}}", "unknown kind 'sale'");
        row("{'name':'t','business':{'unit':'cents'}}", "'unit' must be minor or major");
        row("{'name':'t','business':{'amount':'amount'}}", "'amount' must be a JSON pointer");
        row("{'name':'t','business':{'fixed_currency':'EURO'}}", "unknown currency 'EURO'");
        row("{'name':'t','business':{'ordr':'/o'}}", "unknown field 'ordr'");
    }
    void fromJson_wrong_refusedWithItsPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto contract = contractOf(text.toStdString());
        QVERIFY(!contract);
        QCOMPARE(contract.error().code, ErrorCode::InvalidInput);
        const auto line = QByteArray::fromStdString(contract.error().text());
        QVERIFY2(line.startsWith("tools.json"), line.constData());
        QVERIFY2(line.contains(says.replace('\'', '"')), line.constData());
    }

    void read_amounts_areExact_data()
    {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<bool>("minor");
        QTest::addColumn<QByteArray>("args");
        QTest::addColumn<QByteArray>("money"); // empty: none can be told
        const auto row = [](const char *pointer, bool minor, const char *args, const char *money) {
            QTest::addRow("%s of %s", pointer, args)
                << QByteArray(pointer) << minor << QByteArray(args) << QByteArray(money);
        };
        row("/a", true, "{'a':4900,'currency':'EUR'}", "EUR 49.00");
        row("/a", true, "{'a':'4900','currency':'eur'}", "EUR 49.00");
        row("/a", true, "{'a':4900,'currency':'JPY'}", "JPY 4900");
        row("/a", true, "{'a':4.9e3,'currency':'KWD'}", "KWD 4.900");
        row("/a", true, "{'a':-4900,'currency':'EUR'}", "EUR -49.00");
        row("/a", true, "{'a':49.5,'currency':'EUR'}", "");
        row("/a", true, "{'a':4900}", "");
        row("/a", true, "{'a':4900,'currency':'XXQ'}", "");
        row("/a", true, "{'a':null,'currency':'EUR'}", "");
        row("/a", true, "{'a':true,'currency':'EUR'}", "");
        row("/a", true, "{'a':[4900],'currency':'EUR'}", "");
        row("/a", true, "{'currency':'EUR'}", "");
        row("/a", true, "{'a':9223372036854775808,'currency':'EUR'}", "");
        // https://github.com/BasedHardware/omi/pull/10158: 19.99 became 1998.
        row("/a", false, "{'a':19.99,'currency':'USD'}", "USD 19.99");
        row("/a", false, "{'a':'19.99','currency':'USD'}", "USD 19.99");
        row("/a", false, "{'a':'19,99','currency':'USD'}", "");
        row("/a", false, "{'a':0.1,'currency':'JPY'}", "");
        row("/i/*/a", false, "{'i':[{'a':0.1},{'a':0.2}],'currency':'EUR'}", "EUR 0.30");
        row("/i/*/a", true, "{'i':[{'a':1},{'b':2}],'currency':'EUR'}", "");
        row("/i/*/a", true, "{'i':[],'currency':'EUR'}", "");
        row("/i/*/a", true, "{'i':{'a':1},'currency':'EUR'}", "");
        row("/i/*", true, "{'i':[1,2,3],'currency':'EUR'}", "EUR 0.06");
        row("/i/*", true, "{'i':[9223372036854775807,1],'currency':'EUR'}", "");
        row("/i/*", true, "{'i':[9223372036854775807,-1,1],'currency':'JPY'}",
            "JPY 9223372036854775807");
    }
    void read_amounts_areExact()
    {
        QFETCH(QByteArray, pointer);
        QFETCH(bool, minor);
        QFETCH(QByteArray, args);
        QFETCH(QByteArray, money);
        BusinessMapping mapping = mappingOf(pointer.toStdString());
        mapping.minorUnits = minor;
        const auto amount = businessOf(mapping, args.toStdString()).amount;
        QCOMPARE(amount ? amount->withCode() : std::string(), money.toStdString());
    }

    void read_textsAndNumbers_asTheyAreWritten()
    {
        BusinessMapping mapping = mappingOf("");
        mapping.payee = "/p";
        mapping.order = "/o";
        mapping.undoes = "/u/0";
        mapping.currency.clear();
        mapping.fixedCurrency = "EUR";
        const Business business
            = businessOf(mapping, "{'p':'000123','o':9007199254740993,'u':['ch_1']}");
        QCOMPARE(business.payee, std::string("000123"));
        QCOMPARE(business.order, std::string("9007199254740993"));
        QCOMPARE(business.undoes, std::string("ch_1"));
        QVERIFY(business.kind == BusinessKind::Charge);
        QVERIFY(!business.amount);
        mapping.amount = "/o";
        QCOMPARE(businessOf(mapping, "{'o':5}").amount->withCode(), std::string("EUR 0.05"));
        QCOMPARE(businessOf(mapping, "{'p':{},'o':null,'u':[]}").payee, std::string());
    }

    void duration_table_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("us"); // below 0: refused
        const auto row = [](const char *text, qint64 us) {
            QTest::addRow("'%s'", text) << QByteArray(text) << us;
        };
        row("0s", 0);
        row("1s", 1'000'000);
        row("30m", 1'800'000'000);
        row("24h", 86'400'000'000);
        row("90d", 7'776'000'000'000);
        row("1000000d", 86'400'000'000'000'000);
        for (const char *wrong : {"", "s", "1", "-1s", "+1s", "1.5h", "1 h", " 1h", "1h ", "1w",
                 "1H", "1ms", "1h30m", "1000001d", "9223372036854775808s"})
            row(wrong, -1);
    }
    void duration_table()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, us);
        const auto parsed = parseDurationUs(text.toStdString());
        QCOMPARE(qint64(parsed.value_or(-1)), us);
        if (parsed)
            QCOMPARE(parseDurationUs(durationText(*parsed)), parsed);
    }

    void toolSet_programsAreFoundBesideTheFile()
    {
        const auto set = ToolSet::parse(
            quoted("{'tools':[{'name':'a','command':['./pay','x'],'settle':{'probe':['look']}},"
                   "{'name':'b','command':['/bin/true']},{'name':'c','command':['../up/t']}]}"),
            "tools.json", "/opt/my tools");
        QVERIFY(set);
        QCOMPARE(set->find("a")->command, (std::vector<std::string> {"/opt/my tools/pay", "x"}));
        QCOMPARE(set->find("a")->probe, (std::vector<std::string> {"/opt/my tools/look"}));
        QCOMPARE(set->find("b")->command, (std::vector<std::string> {"/bin/true"}));
        QCOMPARE(set->find("c")->command, (std::vector<std::string> {"/opt/up/t"}));
        QVERIFY(set->find("d") == nullptr);
    }

    void toolSet_wrong_refused()
    {
        for (const char *text : {"{}", "[]", "{'tools':{}}", "{'tools':[1]}", "{'tools':",
                 "{'tools':[{'name':'a'},{'name':'a'}]}", "{'tools':[{'name':'a','name':'b'}]}"}) {
            const auto set = ToolSet::parse(quoted(text), "tools.json", "/");
            QVERIFY2(!set, text);
            QCOMPARE(set.error().code, ErrorCode::InvalidInput);
            QVERIFY2(set.error().where.starts_with("tools.json"), text);
        }
    }

    void keyForms_haveNamesThatReadBack()
    {
        for (const KeyForm form : {KeyForm::Hex64, KeyForm::Uuid, KeyForm::Hex32, KeyForm::Base32})
            QVERIFY(keyFormFrom(name(form)) == form);
        QVERIFY(!keyFormFrom("UUID") && !keyFormFrom(""));
    }
};

QTEST_APPLESS_MAIN(TestContract)
#include "tst_contract.moc"

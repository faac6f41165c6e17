#include "core/base/file.h"
#include "core/executor/executor.h"
#include "core/executor/plan.h"
#include "core/sandbox/sandbox_clock.h"
#include "core/sandbox/sandbox_provider.h"
#include "core/sandbox/simulator.h"
#include "core/store/sqlite_store.h"
#include "tests/support/quoted.h"
#include "tests/support/scripted_runner.h"

#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <set>

using namespace reprise;
using namespace reprise::test;

namespace {

const std::string kTools = quoted(
    "{'tools':["
    " {'name':'charge','version':'1','side_effect':true,"
    "  'result':{'content_type':'application/json','required':['/id'],'reference':'/id'},"
    "  'business':{'kind':'charge','amount':'/amount','currency':'/currency','payee':'/customer'}},"
    " {'name':'pay_out','version':'1','result':{'content_type':'application/json','reference':'/"
    "id'},"
    "  'settle':{'forwarding':{'retention':'24h','attempts':3}},"
    "  'business':{'kind':'other','amount':'/amount','currency':'/currency'}},"
    " {'name':'look','version':'1','side_effect':false},"
    " {'name':'bare','version':'1'}]}");

const std::string kPlan
    = quoted("{'run_id':'run-1','account':'acct-1','actions':["
             " {'tool':'charge','args':{'amount':4900,'currency':'EUR','customer':'cus_1'}},"
             " {'tool':'pay_out','args':{'amount':700,'currency':'JPY'}},"
             " {'tool':'look','args':{'order':'A-1'}},"
             " {'tool':'bare','args':['anything',1]}]}");

constexpr std::int64_t kCharge = 1;
constexpr std::int64_t kPayOut = 2;
constexpr std::int64_t kLook = 3;
constexpr std::int64_t kBare = 4;

RunId run(const char *name = "run-1")
{
    return *RunId::parse(name);
}

Seq seq(std::int64_t value)
{
    return *Seq::of(value);
}

std::int64_t countOf(const Simulation &simulation, const std::string &beginning)
{
    return std::count_if(simulation.agentSees.begin(), simulation.agentSees.end(),
        [&](const std::string &line) { return line.starts_with(beginning); });
}

} // namespace

class TestSimulator : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string m_path;
    std::unique_ptr<StoreReader> m_reader;

    [[nodiscard]] Simulation simulated(std::int64_t action, Fault fault,
        KeyPolicy policy = KeyPolicy::Planner, int retries = 1, std::uint64_t seed = 1)
    {
        const auto answer = simulate(*m_reader, {run(), seq(action), fault, policy, seed, retries});
        if (!answer)
            qWarning("%s", answer.error().text().c_str());
        return answer.value();
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_path = m_folder.path().toStdString() + "/live.db";
        SandboxClock clock(*Time::parse("2026-11-03T08:00:00Z"));
        SeededRandom random(1);
        const auto store = SqliteStore::create(m_path, StoreKind::Live, {clock, random});
        QVERIFY(store);
        const auto tools = ToolSet::parse(kTools, "tools", "/");
        QVERIFY(tools);
        QVERIFY(writePlan(**store, clock, Plan::parse(kPlan, "plan").value(), *tools));
        ScriptedRunner runner;
        runner.onCall = [](const ToolCall &) {
            return ToolAnswer {OutcomeClass::Succeeded, "0", {}, quoted("{'id':'ch_real'}"), {}};
        };
        const auto executor = Executor::create(**store, runner, {clock, random, &*tools, {}, {}});
        QVERIFY(executor);
        const auto report = (*executor)->execute({run(), seq(kCharge), {}, {}, 0});
        QCOMPARE(std::string(disposition(report.answer)), std::string("executed"));
    }
    void init()
    {
        auto reader = StoreReader::open(m_path);
        QVERIFY(reader);
        m_reader = std::move(*reader);
    }

    void names_areThoseOfTheCommandLine()
    {
        std::set<std::string_view> words;
        for (const Fault fault : kAllFaults) {
            QVERIFY(faultFrom(name(fault)) == fault);
            words.insert(name(fault));
        }
        for (const KeyPolicy policy : kAllKeyPolicies) {
            QVERIFY(keyPolicyFrom(name(policy)) == policy);
            words.insert(name(policy));
        }
        QCOMPARE(words.size(), std::size_t {11});
        QVERIFY(!faultFrom("response_los"));
        QVERIFY(!keyPolicyFrom(""));
    }

    void verdict_followsFromTheLedger_data()
    {
        QTest::addColumn<int>("fault");
        QTest::addColumn<int>("policy");
        QTest::addColumn<int>("charges");
        QTest::addColumn<int>("executions");
        QTest::addColumn<QString>("verdict");
        const auto row = [](Fault fault, KeyPolicy policy, int charges, const char *verdict) {
            const auto title = std::string(name(fault)) + ", " + std::string(name(policy));
            QTest::newRow(title.c_str())
                << int(fault) << int(policy) << charges << charges << QString::fromLatin1(verdict);
        };
        // A contract that declares no rule: what is not known stops, and nothing is charged twice.
        row(Fault::RequestLost, KeyPolicy::Planner, 1, "protected");
        row(Fault::ResponseLost, KeyPolicy::Planner, 1, "stopped");
        row(Fault::ResponseTruncated, KeyPolicy::Planner, 1, "stopped");
        row(Fault::CrashAfterClaim, KeyPolicy::Planner, 0, "stopped");
        row(Fault::CrashAfterCall, KeyPolicy::Planner, 1, "stopped");
        row(Fault::CrashAfterRecord, KeyPolicy::Planner, 1, "protected");
        row(Fault::DuplicateDelivery, KeyPolicy::Planner, 1, "protected");
        row(Fault::ArgsChanged, KeyPolicy::Planner, 1, "protected");
        // Keys that nobody recognises: whatever had happened happens again.
        for (const KeyPolicy policy : {KeyPolicy::MintedByTool, KeyPolicy::None}) {
            row(Fault::RequestLost, policy, 1, "protected");
            row(Fault::ResponseLost, policy, 2, "double");
            row(Fault::ResponseTruncated, policy, 2, "double");
            row(Fault::CrashAfterClaim, policy, 1, "protected");
            row(Fault::CrashAfterCall, policy, 2, "double");
            row(Fault::CrashAfterRecord, policy, 2, "double");
            row(Fault::DuplicateDelivery, policy, 2, "double");
            row(Fault::ArgsChanged, policy, 2, "double");
        }
    }
    void verdict_followsFromTheLedger()
    {
        QFETCH(const int, fault);
        QFETCH(const int, policy);
        QFETCH(const int, charges);
        QFETCH(const int, executions);
        QFETCH(const QString, verdict);
        const Simulation simulation = simulated(kCharge, Fault(fault), KeyPolicy(policy));
        QCOMPARE(int(simulation.charges.size()), charges);
        QCOMPARE(int(simulation.executions), executions);
        QCOMPARE(std::string(name(simulation.verdict)), verdict.toStdString());
        std::int64_t charged = 0;
        for (const ProviderCharge &charge : simulation.charges)
            charged += charge.amount->minor;
        QVERIFY(simulation.customerCharged);
        QCOMPARE(simulation.customerCharged->minor, charged);
        QCOMPARE(simulation.customerCharged->currency, std::string("EUR"));
        QVERIFY(simulation.agentSees.size() >= 2);
        QVERIFY(!simulation.scenario.empty());
        // Which key the provider saw.
        std::set<std::string> keys;
        for (const ProviderCharge &charge : simulation.charges)
            keys.insert(charge.key);
        if (KeyPolicy(policy) == KeyPolicy::None)
            QVERIFY(keys == std::set<std::string> {std::string()});
        else
            QCOMPARE(keys.size(), simulation.charges.size());
    }

    void matrix_plannersKeyNeverDoubles_andRulesEndDoubt()
    {
        const auto cells = simulateMatrix(*m_reader, run(), seq(kCharge), 1);
        QVERIFY(cells);
        QCOMPARE(cells->size(), std::size_t {8 * 3 * 5});
        for (const Simulation &cell : *cells) {
            const std::string title = simulationText(cell);
            QCOMPARE(cell.charges.size() > 1, cell.verdict == SimulationVerdict::Double);
            if (cell.keyPolicy != KeyPolicy::Planner)
                continue;
            QVERIFY2(cell.charges.size() <= 1, title.c_str());
            const bool rule
                = cell.contractName != "as bound" && cell.contractName != "none declared";
            if (rule)
                QVERIFY2(cell.verdict == SimulationVerdict::Protected, title.c_str());
        }
    }

    void matrix_ruleSettlesInItsOwnWay_data()
    {
        QTest::addColumn<QString>("contract");
        QTest::addColumn<int>("executions");
        QTest::addColumn<int>("replays");
        // The provider recognises the key, or the content; a probe needs no second call.
        QTest::newRow("forwarding") << QStringLiteral("forwarding") << 2 << 0;
        QTest::newRow("probe") << QStringLiteral("probe") << 1 << 1;
        QTest::newRow("repeatable") << QStringLiteral("repeatable") << 2 << 0;
    }
    void matrix_ruleSettlesInItsOwnWay()
    {
        QFETCH(const QString, contract);
        QFETCH(const int, executions);
        QFETCH(const int, replays);
        const auto cells = simulateMatrix(*m_reader, run(), seq(kCharge), 1);
        QVERIFY(cells);
        int seen = 0;
        for (const Simulation &cell : *cells) {
            if (cell.keyPolicy != KeyPolicy::Planner || cell.fault != Fault::ResponseLost
                || cell.contractName != contract.toStdString())
                continue;
            ++seen;
            QCOMPARE(int(cell.executions), executions);
            QCOMPARE(int(cell.replays), replays);
            QCOMPARE(int(cell.charges.size()), 1);
        }
        QCOMPARE(seen, 1);
    }

    void sameSeed_sameBytes()
    {
        const auto first = simulateMatrix(*m_reader, run(), seq(kCharge), 9);
        const auto second = simulateMatrix(*m_reader, run(), seq(kCharge), 9);
        const auto other = simulateMatrix(*m_reader, run(), seq(kCharge), 10);
        QVERIFY(first && second && other);
        QCOMPARE(simulationMatrixToJson(*first).dump(), simulationMatrixToJson(*second).dump());
        QVERIFY(simulationMatrixToJson(*first).dump() != simulationMatrixToJson(*other).dump());
        QCOMPARE(simulationMatrixText(*first), simulationMatrixText(*other));
        // A cell is what a single simulation of the same seed says.
        const Simulation single
            = simulated(kCharge, Fault::DuplicateDelivery, KeyPolicy::Planner, 1, 9);
        const auto cell = std::find_if(first->begin(), first->end(), [](const Simulation &one) {
            return one.fault == Fault::DuplicateDelivery && one.keyPolicy == KeyPolicy::Planner
                && one.contractName == "as bound";
        });
        QVERIFY(cell != first->end());
        QCOMPARE(simulationText(single), simulationText(*cell));
    }

    void firstStep_saysWhatTheRecordAnswersNow()
    {
        const Simulation recorded = simulated(kCharge, Fault::ResponseLost);
        QVERIFY(recorded.steps.front().what.find("answered from its record (succeeded)")
            != std::string::npos);
        const Simulation planned = simulated(kPayOut, Fault::ResponseLost);
        QVERIFY(planned.steps.front().what.find("is planned") != std::string::npos);
    }

    void agentSees_whatTheExecutorAnswered()
    {
        const Simulation changed = simulated(kCharge, Fault::ArgsChanged);
        QCOMPARE(countOf(changed, "executed: "), 1);
        QCOMPARE(countOf(changed, "conflict: /amount recorded 4900, given 5000"), 1);
        const Simulation duplicate
            = simulated(kCharge, Fault::DuplicateDelivery, KeyPolicy::Planner, 3);
        QCOMPARE(countOf(duplicate, "busy: "), 3);
        QCOMPARE(countOf(duplicate, "executed: "), 1);
        QCOMPARE(countOf(duplicate, "replayed: "), 3);
        QCOMPARE(duplicate.replays, 3);
        QCOMPARE(duplicate.executions, 1);
        const Simulation crash = simulated(kCharge, Fault::CrashAfterRecord, KeyPolicy::Planner, 2);
        QCOMPARE(countOf(crash, "no answer: the worker died"), 1);
        QCOMPARE(countOf(crash, "replayed: "), 2);
        const Simulation cut = simulated(kCharge, Fault::ResponseTruncated);
        QCOMPARE(countOf(cut, "in doubt: "), 2);
    }

    void boundContract_isTheOneThatCounts()
    {
        const Simulation forwarded = simulated(kPayOut, Fault::ResponseLost);
        QCOMPARE(forwarded.executions, 2);
        QCOMPARE(forwarded.charges.size(), std::size_t {1});
        QVERIFY(forwarded.verdict == SimulationVerdict::Protected);
        QVERIFY(forwarded.customerCharged == Money({"JPY", 700}));
    }

    void readOnlyTool_chargesNobody()
    {
        for (const Fault fault : kAllFaults) {
            const Simulation simulation = simulated(kLook, fault, KeyPolicy::None);
            QVERIFY(simulation.charges.empty());
            QVERIFY(!simulation.customerCharged);
            QVERIFY(simulation.verdict == SimulationVerdict::Protected);
        }
    }

    void argsWithoutAmount_areChangedToo()
    {
        const Simulation planner = simulated(kBare, Fault::ArgsChanged);
        QCOMPARE(countOf(planner, "conflict: "), 1);
        QVERIFY(!planner.customerCharged);
        const Simulation none = simulated(kBare, Fault::ArgsChanged, KeyPolicy::None);
        QCOMPARE(none.charges.size(), std::size_t {2});
    }

    void json_hasTheFieldsOfTheCommandLine()
    {
        const Json json
            = simulationToJson(simulated(kCharge, Fault::ResponseLost, KeyPolicy::None));
        QCOMPARE(json["fault"].text(), std::string("response_lost"));
        QCOMPARE(json["key_policy"].text(), std::string("none"));
        QCOMPARE(json["verdict"].text(), std::string("double"));
        QCOMPARE(json["executions"].integer(), std::optional<std::int64_t>(2));
        QCOMPARE(json["replays"].integer(), std::optional<std::int64_t>(0));
        QCOMPARE(json["customer_charged"].dump(),
            quoted("{'currency':'EUR','minor':9800,'text':'98.00'}"));
        QCOMPARE(json["provider_charges"].items().size(), std::size_t {2});
        QVERIFY(json["provider_charges"].items()[0]["key"].isNull());
        QCOMPARE(json["agent_sees"].items().size(), std::size_t {2});
        std::int64_t before = 0;
        for (const Json &step : json["steps"].items()) {
            QVERIFY(!step["actor"].text().empty());
            QVERIFY(!step["what"].text().empty());
            QVERIFY(*step["at_us"].integer() >= before);
            before = *step["at_us"].integer();
        }
        QVERIFY(before > 30'000'000); // the time limit passed
    }

    void badRequests_areRefused()
    {
        const auto code = [&](const SimulationRequest &request) {
            const auto answer = simulate(*m_reader, request);
            return answer ? ErrorCode::Internal : answer.error().code;
        };
        QVERIFY(code({run(), seq(99), {}, {}, 1, 1}) == ErrorCode::NotFound);
        QVERIFY(code({run("other"), seq(1), {}, {}, 1, 1}) == ErrorCode::NotFound);
        QVERIFY(code({run(), seq(kCharge), {}, {}, 1, 0}) == ErrorCode::InvalidInput);
        QVERIFY(code({run(), seq(kCharge), {}, {}, 1, 11}) == ErrorCode::InvalidInput);
    }

    void evidence_staysAsItWas()
    {
        m_reader.reset();
        const auto before = evidenceState(m_path, true);
        QVERIFY(before);
        init();
        QVERIFY(simulateMatrix(*m_reader, run(), seq(kCharge), 1));
        m_reader.reset();
        const auto after = evidenceState(m_path, true);
        QVERIFY(after);
        QVERIFY(*before == *after);
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files).size(), 1);
    }

    void sandboxStore_andLiveStore_neverMix()
    {
        SandboxClock clock(Time {});
        SeededRandom random(3);
        const std::string path = m_folder.path().toStdString() + "/sandbox-test.db";
        QVERIFY(SqliteStore::create(path, StoreKind::Sandbox, {clock, random}));
        QVERIFY(!SqliteStore::open(path, StoreKind::Live, {clock, random}));
        QVERIFY(SqliteStore::open(path, StoreKind::Sandbox, {clock, random}));
        QVERIFY(!SqliteStore::open(m_path, StoreKind::Sandbox, {clock, random}));
        QVERIFY(QFile::remove(QString::fromStdString(path)));
    }

    // E84
    void sandboxCode_reachesNothingOutside()
    {
        QDirIterator files(QStringLiteral(REPRISE_SOURCE_DIR "/core/sandbox"),
            {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files);
        int count = 0;
        while (files.hasNext()) {
            const std::string path = files.next().toStdString();
            const std::string text = readFile(path).value();
            for (const char *word :
                {"process_tool", "sys/socket", "Network", "popen", "fork(", "execv", "system("})
                QVERIFY2(text.find(word) == std::string::npos, (path + ": " + word).c_str());
            ++count;
        }
        QVERIFY(count >= 10);
    }

    void provider_keepsItsPromisesAndNoOthers()
    {
        ToolContract contract;
        const Money amount {"EUR", 100};
        SandboxProvider careless(contract);
        QVERIFY(!careless.apply("k", "{}", amount, Time {0}).recognised);
        QVERIFY(!careless.apply("k", "{}", amount, Time {1}).recognised);
        QCOMPARE(careless.effects().size(), std::size_t {2});

        contract.forwarding = ForwardingRule {1000, 3};
        SandboxProvider honouring(contract);
        QVERIFY(!honouring.apply("k", "{}", amount, Time {0}).recognised);
        QVERIFY(honouring.apply("k", "{}", amount, Time {999}).recognised);
        QVERIFY(!honouring.apply("k", "{}", amount, Time {1000}).recognised); // it has forgotten
        QVERIFY(!honouring.apply("", "{}", amount, Time {0}).recognised);
        QVERIFY(!honouring.apply("", "{}", amount, Time {0}).recognised);
    }
};

QTEST_APPLESS_MAIN(TestSimulator)
#include "tst_simulator.moc"

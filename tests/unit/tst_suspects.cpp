#include "core/base/random.h"
#include "core/executor/executor.h"
#include "core/executor/plan.h"
#include "core/executor/settlement.h"
#include "core/key/key.h"
#include "core/suspects/suspects.h"
#include "tests/support/fake_store_reader.h"
#include "tests/support/imported.h"
#include "tests/support/paths.h"
#include "tests/support/quoted.h"

#include <QTest>

#include <set>

using namespace reprise;
using namespace reprise::test;

namespace {

constexpr std::int64_t kMinute = 60'000'000;
constexpr std::int64_t kDay = 1440 * kMinute;
constexpr std::int64_t kStart = 1'796'000'000'000'000;

/// A charge of EUR 49.00 that succeeded, seq minutes after the start. `args` stands for the
/// arguments: equal text, equal fingerprint.
Effect charge(const std::string &run, std::int64_t seq, std::int64_t attempt = 1,
    const std::string &args = "a")
{
    Effect effect;
    effect.runId = run;
    effect.seq = seq;
    effect.key = deriveKey(*RunId::parse(run), *Seq::of(seq));
    effect.tool = "charge";
    effect.fingerprint = Sha256::of(args);
    effect.attempt = attempt;
    effect.kind = attempt == 1 ? AttemptKind::Executed : AttemptKind::ExecutedAgain;
    effect.business.kind = BusinessKind::Charge;
    effect.business.amount = Money {"EUR", 4900};
    effect.business.payee = "cus_1";
    effect.reference = "ch_" + run + "_" + std::to_string(seq) + "_" + std::to_string(attempt);
    effect.startedAt = Time {kStart + seq * kMinute + attempt * 1'000'000};
    return effect;
}

Effect inDoubt(Effect effect)
{
    effect.kind = AttemptKind::InDoubt;
    effect.inDoubt = true;
    effect.reference.clear();
    return effect;
}

/// A reversal of what has that reference.
Effect reversal(BusinessKind kind, std::int64_t seq, const Effect &of, std::int64_t minor)
{
    Effect effect = charge(of.runId, seq, 1, "reversal " + std::to_string(seq));
    effect.tool = kind == BusinessKind::Refund ? "refund" : "cancel";
    effect.business.kind = kind;
    effect.business.amount = Money {"EUR", minor};
    effect.business.undoes = of.reference;
    return effect;
}

SuspectReport reportOf(const std::vector<Effect> &effects)
{
    FakeStoreReader reader;
    reader.effects = effects;
    std::set<std::string> runs;
    for (const Effect &effect : effects)
        if (runs.insert(effect.runId).second) {
            reader.runRows.emplace_back();
            reader.runRows.back().run.runId = effect.runId;
        }
    return findSuspects(reader, {}).value_or(SuspectReport {});
}

/// "critical 98 B R01+R20 run-1/1/1 run-1/1/2 = EUR 49.00"; "-" marks what was undone, "|" what
/// stands beside.
std::string line(const Cluster &cluster)
{
    std::string text = std::string(name(cluster.severity)) + " " + std::to_string(cluster.score)
        + " " + letter(cluster.proof) + " ";
    std::vector<std::string> rules;
    for (const RuleHit &hit : cluster.rules)
        if (std::find(rules.begin(), rules.end(), hit.rule) == rules.end())
            rules.push_back(hit.rule);
    for (const std::string &rule : rules)
        text += (rule == rules.front() ? "" : "+") + rule;
    for (const Member &member : cluster.members)
        text += std::string(member.standsBeside ? " |"
                        : member.live           ? " "
                                                : " -")
            + member.effect.runId + "/" + std::to_string(member.effect.seq) + "/"
            + std::to_string(member.effect.attempt);
    for (const Money &money : cluster.atRisk)
        text += " = " + money.withCode();
    return text;
}
std::string lines(const SuspectReport &report)
{
    std::string text;
    for (const Cluster &cluster : report.clusters)
        text += (text.empty() ? "" : "\n") + line(cluster);
    return text;
}
std::string found(const std::vector<Effect> &effects)
{
    return lines(reportOf(effects));
}

const std::string kNone;

/// Run r: seq 1 succeeded, seq 2 asks for the same and is in doubt.
void fillWithDoubtfulTwin(Store &store, FakeClock &clock, Random &random)
{
    ScriptedRunner runner;
    runner.onCall = [&](const ToolCall &) {
        const auto outcome
            = runner.calls.size() == 1 ? OutcomeClass::Succeeded : OutcomeClass::Unknown;
        return ToolAnswer {outcome, "0", {}, "{}", {}};
    };
    const auto plan = Plan::parse(
        quoted("{'run_id':'r','actions':[{'tool':'t','args':{}},{'tool':'t','args':{}}]}"), "plan");
    const auto tools = ToolSet::parse(quoted("{'tools':[{'name':'t'}]}"), "tools", "/");
    QVERIFY(plan && tools && writePlan(store, clock, *plan, *tools));
    const auto executor = Executor::create(store, runner, {clock, random, &*tools, {}, {}});
    QVERIFY(executor);
    for (const std::int64_t seq : {1, 2}) {
        clock.advanceUs(kMinute);
        (void)(*executor)->execute({*RunId::parse("r"), *Seq::of(seq), {}, {}, 0});
    }
}

} // namespace

class TestSuspects : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sameKeyTwoReferences_R01()
    {
        QCOMPARE(found({charge("r", 1, 1), charge("r", 1, 2)}),
            std::string("critical 98 B R01+R20 r/1/1 r/1/2 = EUR 49.00"));
    }
    void sameKeySameReference_isOneEffect()
    {
        Effect again = charge("r", 1, 2);
        again.reference = charge("r", 1, 1).reference;
        QCOMPARE(found({charge("r", 1, 1), again}), kNone);
    }

    void retryRepeatedASuccess_R20()
    {
        Effect first = charge("r", 1, 1);
        Effect again = charge("r", 1, 2);
        first.reference.clear();
        again.reference.clear();
        const SuspectReport report = reportOf({first, again});
        QCOMPARE(lines(report), std::string("critical 90 B R20 r/1/1 r/1/2 = EUR 49.00"));
        // R01 could not look, and says so.
        QCOMPARE(report.rulesNotRun.front().rule, std::string("R01"));
        QCOMPARE(report.rulesNotRun.front().why, std::string("field missing: provider reference"));
    }

    // https://github.com/mollie/WooCommerce/pull/1177: two valid calls, neither a retry.
    void otherKeySameArgsSameRun_R04()
    {
        QCOMPARE(found({charge("r", 4), charge("r", 5)}),
            std::string("high 85 B R04 r/4/1 r/5/1 = EUR 49.00"));
    }
    void otherArgsOrOtherRun_noR04()
    {
        QCOMPARE(found({charge("r", 4), charge("r", 5, 1, "b")}), kNone);
        QCOMPARE(found({charge("r", 4), charge("s", 4)}), kNone);
        QCOMPARE(found({charge("r", 4)}), kNone);
        QCOMPARE(found({}), kNone);
    }

    void inDoubtThenAgain_R05()
    {
        // Under another key: with equal arguments R04 sees it too, and both count.
        QCOMPARE(found({inDoubt(charge("r", 1)), charge("r", 2)}),
            std::string("critical 99 C R05+R04 r/1/1 r/2/1 = EUR 49.00"));
        // For the same order, with other arguments.
        Effect doubt = inDoubt(charge("r", 1));
        Effect again = charge("r", 2, 1, "b");
        doubt.business.order = again.business.order = "A-1";
        QCOMPARE(found({doubt, again}), std::string("critical 90 C R05 r/1/1 r/2/1 = EUR 49.00"));
        // Under the same key.
        QCOMPARE(found({inDoubt(charge("r", 1, 1)), charge("r", 1, 2)}),
            std::string("critical 90 C R05 r/1/1 r/1/2 = EUR 49.00"));
    }
    void inDoubtThenAgain_notHit()
    {
        const Effect doubt = inDoubt(charge("r", 1));
        QCOMPARE(found({doubt, charge("r", 2, 1, "b")}), kNone);
        Effect otherOrder = charge("r", 2, 1, "b");
        Effect ordered = doubt;
        ordered.business.order = "A-1";
        otherOrder.business.order = "A-2";
        QCOMPARE(found({ordered, otherOrder}), kNone);
        Effect otherAmount = otherOrder;
        otherAmount.business.order = "A-1";
        otherAmount.business.amount = Money {"EUR", 4901};
        QCOMPARE(found({ordered, otherAmount}), kNone);
        // What was made before the doubt is no repetition of it.
        QCOMPARE(found({charge("r", 1), inDoubt(charge("r", 2))}),
            std::string("high 85 C R04 r/1/1 r/2/1 = EUR 49.00"));
    }

    void inDoubtThenAgainInAnotherRun_whateverTheRunsAreNamed_R05()
    {
        const auto at = [](Effect effect, std::int64_t us) {
            effect.startedAt = Time {kStart + us};
            return effect;
        };
        for (const auto &[doubtful, other] : {std::pair("a", "b"), std::pair("b", "a")}) {
            const Effect doubt = at(inDoubt(charge(doubtful, 1)), 0);
            const auto hit = [&](std::int64_t us) {
                const Effect again = at(charge(other, 1), us);
                const std::string oneOrder = found({doubt, again});
                const std::string otherOrder = found({again, doubt});
                return oneOrder == otherOrder ? oneOrder : "depends on the order";
            };
            const std::string both = "critical 90 C R05 a/1/1 b/1/1 = EUR 49.00";
            QCOMPARE(hit(5 * kMinute), both);
            QCOMPARE(hit(7 * kDay), both);
            QCOMPARE(hit(7 * kDay + 1), kNone);
            QCOMPARE(hit(-5 * kMinute), kNone);
            // Without a time nothing says which came first.
            Effect timeless = charge(other, 1);
            timeless.startedAt.reset();
            QCOMPARE(found({doubt, timeless}), kNone);
        }
    }

    void chargeAndRefund_areNeverPaired()
    {
        const Effect first = charge("r", 1);
        for (const auto kind : {BusinessKind::Refund, BusinessKind::Cancellation,
                 BusinessKind::Authorisation, BusinessKind::Capture}) {
            Effect other = charge("r", 2);
            other.business.kind = kind;
            QCOMPARE(found({first, other}), kNone);
            QCOMPARE(found({inDoubt(first), other}), kNone);
        }
        Effect cancel = charge("r", 1);
        Effect cancelAgain = charge("r", 2);
        cancel.business.kind = cancelAgain.business.kind = BusinessKind::Cancellation;
        // Two references: the provider cancelled two things. Otherwise twice is once.
        QCOMPARE(
            found({cancel, cancelAgain}), std::string("high 85 B R04 r/1/1 r/2/1 = EUR 49.00"));
        cancelAgain.reference = cancel.reference;
        QCOMPARE(found({cancel, cancelAgain}), kNone);
        cancelAgain.reference.clear();
        QCOMPARE(found({cancel, cancelAgain}), kNone);
        Effect refund = charge("r", 1);
        Effect refundAgain = charge("r", 2);
        refund.business.kind = refundAgain.business.kind = BusinessKind::Refund;
        QCOMPARE(
            found({refund, refundAgain}), std::string("high 85 B R04 r/1/1 r/2/1 = EUR 49.00"));
    }

    void settledAsNotLanded_isNoEffect()
    {
        for (const auto &[decision, clusters] :
            {std::pair(Decision::Failed, 0), std::pair(Decision::Landed, 1)}) {
            const QTemporaryDir folder;
            const std::string path = folder.filePath(QStringLiteral("s.db")).toStdString();
            FakeClock clock;
            SeededRandom random(3);
            {
                const auto store = SqliteStore::create(path, StoreKind::Live, {clock, random});
                fillWithDoubtfulTwin(**store, clock, random);
            }
            auto reader = StoreReader::open(path);
            QCOMPARE(lines(*findSuspects(**reader, {})), std::string("high 85 C R04 r/1/1 r/2/1"));
            reader->reset();
            {
                const auto store = SqliteStore::open(path, StoreKind::Live, {clock, random});
                const Key key = deriveKey(*RunId::parse("r"), *Seq::of(2));
                SettleRequest request {key, decision, "Ada", "asked the provider", "ticket 7", {},
                    {}, (**(*store)->find(key)).stateHash};
                if (decision == Decision::Landed)
                    request.reference = "ch_2";
                const auto settled = settle(**store, clock, request);
                QVERIFY2(settled, settled ? "" : settled.error().text().c_str());
            }
            reader = StoreReader::open(path);
            const auto report = findSuspects(**reader, {});
            QCOMPARE(int(report->clusters.size()), clusters);
            if (clusters == 1)
                QCOMPARE(line(report->clusters[0]), std::string("high 85 B R04 r/1/1 r/2/1"));
        }
    }

    void doubleThatWasUndone_isOffset()
    {
        const Effect first = charge("r", 1);
        const Effect second = charge("r", 2);
        const SuspectReport report
            = reportOf({first, second, reversal(BusinessKind::Cancellation, 3, first, 4900)});
        QCOMPARE(lines(report), std::string("info 85 B R04 -r/1/1 r/2/1"));
        QCOMPARE(report.clusters[0].excess, std::int64_t(0));
        QVERIFY(report.clusters[0].against.back().starts_with("offset"));
        QCOMPARE(report.clusters[0].members[0].undoneBy, std::string("cancel, seq 3"));
    }
    void doubleThatWasUndone_withAnotherStanding_staysHigh()
    {
        const Effect first = charge("r", 1);
        const Effect second = charge("r", 2);
        QCOMPARE(found({charge("r", 0, 1, "other"), first, second,
                     reversal(BusinessKind::Cancellation, 3, first, 4900)}),
            std::string("high 85 B R04 |r/0/1 -r/1/1 r/2/1 = EUR 49.00"));
        // Another payee or amount does not stand beside.
        Effect elsewhere = charge("r", 0, 1, "other");
        elsewhere.business.payee = "cus_2";
        QCOMPARE(
            found({elsewhere, first, second, reversal(BusinessKind::Cancellation, 3, first, 4900)}),
            std::string("info 85 B R04 -r/1/1 r/2/1"));
    }
    void refundInPart_lowersTheRisk()
    {
        const Effect first = charge("r", 1);
        const Effect second = charge("r", 2);
        const Effect part = reversal(BusinessKind::Refund, 3, first, 1000);
        QCOMPARE(
            found({first, second, part}), std::string("high 85 B R04 r/1/1 r/2/1 = EUR 39.00"));
        QCOMPARE(found({first, second, part, reversal(BusinessKind::Refund, 4, first, 3900)}),
            std::string("info 85 B R04 -r/1/1 r/2/1"));
        // A refund whose outcome is not known gave nothing back yet.
        QCOMPARE(found({first, second, inDoubt(reversal(BusinessKind::Refund, 3, first, 4900))}),
            std::string("high 85 B R04 r/1/1 r/2/1 = EUR 49.00"));
        // Neither did one for another reference, or in another currency.
        QCOMPARE(found({first, second, reversal(BusinessKind::Refund, 3, charge("r", 9), 4900)}),
            std::string("high 85 B R04 r/1/1 r/2/1 = EUR 49.00"));
        Effect yen = reversal(BusinessKind::Refund, 3, first, 4900);
        yen.business.amount = Money {"JPY", 4900};
        QCOMPARE(found({first, second, yen}), std::string("high 85 B R04 r/1/1 r/2/1 = EUR 49.00"));
    }

    // https://github.com/Automattic/woocommerce-payments/issues/5615: eight charges, one renewal.
    void eightEqualCharges_areOneCluster()
    {
        std::vector<Effect> effects;
        for (int seq = 1; seq <= 8; ++seq)
            effects.push_back(charge("r", seq));
        const SuspectReport report = reportOf(effects);
        QCOMPARE(report.clusters.size(), std::size_t(1));
        QCOMPARE(report.clusters[0].members.size(), std::size_t(8));
        QCOMPARE(report.clusters[0].excess, std::int64_t(7));
        QCOMPARE(report.clusters[0].atRisk.at(0), (Money {"EUR", 7 * 4900}));
    }
    void sixtyEqualCharges_areAPattern()
    {
        std::vector<Effect> effects;
        for (int seq = 1; seq <= 60; ++seq)
            effects.push_back(charge("r", seq));
        const SuspectReport report = reportOf(effects);
        QCOMPARE(report.clusters.size(), std::size_t(1));
        QCOMPARE(report.clusters[0].members.size(), std::size_t(50));
        QCOMPARE(report.clusters[0].effects, std::int64_t(60));
        QCOMPARE(report.clusters[0].atRisk.at(0), (Money {"EUR", 59 * 4900}));
        QVERIFY(report.clusters[0].against.back().starts_with("a pattern of 60 effects"));
    }

    void atRisk_randomEffectsUnderOneKey_isExactAndNeverNegative()
    {
        SeededRandom random(41);
        for (int round = 0; round < 2'000; ++round) {
            std::vector<Effect> effects;
            std::map<std::string, std::vector<std::int64_t>> live;
            const auto count = static_cast<std::int64_t>(2 + random.below(6));
            for (std::int64_t attempt = 1; attempt <= count; ++attempt) {
                Effect effect = charge("r", 1, attempt);
                const char *currency
                    = std::array {"EUR", "JPY", "KWD"}[static_cast<std::size_t>(random.below(3))];
                const auto minor = static_cast<std::int64_t>(random.below(1'000'000));
                effect.business.amount = Money {currency, minor};
                live[currency].push_back(minor);
                effects.push_back(effect);
            }
            // Refunds of the first, in its currency, sometimes for more than it was.
            std::int64_t back = 0;
            const Money first = *effects[0].business.amount;
            for (std::int64_t seq = 2; random.below(2) == 0; ++seq) {
                const auto minor = static_cast<std::int64_t>(random.below(700'000));
                effects.push_back(reversal(BusinessKind::Refund, seq, effects[0], minor));
                effects.back().business.amount->currency = first.currency;
                back += minor;
            }
            const bool whole
                = effects.size() > static_cast<std::size_t>(count) && back >= first.minor;
            if (whole)
                live[first.currency].erase(live[first.currency].begin());
            std::vector<Money> expected;
            for (const auto &[currency, amounts] : live) {
                if (amounts.empty())
                    continue;
                std::int64_t sum = currency == first.currency && !whole ? -back : 0;
                for (const std::int64_t amount : amounts)
                    sum += amount;
                sum -= *std::max_element(amounts.begin(), amounts.end());
                if (sum > 0)
                    expected.push_back({currency, sum});
            }
            const SuspectReport report = reportOf(effects);
            QCOMPARE(report.clusters.size(), std::size_t(1));
            QVERIFY(report.clusters[0].atRisk == expected);
        }
    }
    void atRisk_sumsBeyondInt64_stayPositive()
    {
        std::vector<Effect> effects {charge("r", 1, 1), charge("r", 1, 2), charge("r", 1, 3)};
        for (Effect &effect : effects)
            effect.business.amount = Money {"EUR", std::numeric_limits<std::int64_t>::max() - 1};
        effects.push_back(reversal(
            BusinessKind::Refund, 2, effects[0], std::numeric_limits<std::int64_t>::max() - 1));
        effects.push_back(reversal(
            BusinessKind::Refund, 3, effects[0], std::numeric_limits<std::int64_t>::max() - 1));
        for (const Money &money : reportOf(effects).clusters.at(0).atRisk)
            QVERIFY(money.minor > 0);
    }

    void runsInAnyOrder_giveTheSameReport()
    {
        std::vector<std::vector<Effect>> runs {
            {charge("a", 1, 1), charge("a", 1, 2)},
            {charge("b", 1), charge("b", 2)},
            {inDoubt(charge("c", 1, 1, "c")), charge("c", 2, 1, "c"), charge("c", 3, 1, "c")},
            {inDoubt(charge("d", 1, 1, "shared"))},
            {charge("e", 2, 1, "shared")},
            {charge("f", 1, 1, "f"), charge("f", 2, 1, "f"),
                reversal(BusinessKind::Cancellation, 3, charge("f", 1), 4900)},
        };
        std::set<std::string> reports;
        SeededRandom random(5);
        for (int round = 0; round < 50; ++round) {
            std::vector<Effect> effects;
            for (std::size_t i = runs.size(); i > 1; --i)
                std::swap(runs[i - 1], runs[static_cast<std::size_t>(random.below(i))]);
            for (const auto &run : runs)
                effects.insert(effects.end(), run.begin(), run.end());
            reports.insert(suspectsToJson(reportOf(effects)).dump());
        }
        QCOMPARE(reports.size(), std::size_t(1));
        QCOMPARE(found([&] {
            std::vector<Effect> effects;
            for (const auto &run : runs)
                effects.insert(effects.end(), run.begin(), run.end());
            return effects;
        }())
                     .substr(0, 24),
            std::string("critical 98 B R01+R20 a/"));
    }

    void rulesNotRun_areNamedWithTheReason()
    {
        const SuspectReport report = reportOf({charge("r", 1)});
        QCOMPARE(report.rulesNotRun.size(), std::size_t(16));
        for (const RuleNotRun &rule : report.rulesNotRun) {
            QVERIFY(!rule.why.empty());
            QVERIFY(rule.rule != "R01" && rule.rule != "R04" && rule.rule != "R05"
                && rule.rule != "R20");
        }
        QCOMPARE(report.effectsChecked, std::int64_t(1));
        QCOMPARE(report.coverage, 1.0);
    }

    void stopped_saysHowMuchWasSeen()
    {
        FakeStoreReader reader;
        reader.effects = {charge("a", 1), charge("a", 2)};
        reader.runRows.resize(4);
        const std::atomic<bool> stop {true};
        const auto report = findSuspects(reader, {&stop, {}});
        QVERIFY(report);
        QVERIFY(report->clusters.empty());
        QCOMPARE(report->coverage, 0.0);
    }

    void toJson_hasTheShapeOfTheCommandLine()
    {
        const Json json = suspectsToJson(reportOf({charge("r", 1, 1), charge("r", 1, 2)}));
        const Json &cluster = *json.at("/clusters/0");
        QVERIFY(cluster["id"].text().starts_with("S-"));
        QCOMPARE(cluster["severity"].text(), std::string("critical"));
        QCOMPARE(cluster.at("/rules/0/weight")->text(), std::string("0.98"));
        QCOMPARE(cluster.at("/members/1/provider_ref")->text(), std::string("ch_r_1_2"));
        QVERIFY(cluster.at("/members/1/effect")->boolean());
        QCOMPARE(cluster.at("/at_risk/0/text")->text(), std::string("49.00"));
        QCOMPARE(json["coverage"].text(), std::string("1"));
        QCOMPARE(json["rules_not_run"].items().size(), std::size_t(16));
    }

    void recordedMcpSession_hasExactlyItsTwoDoubles()
    {
        const Imported imported(bytesOf(QStringLiteral(REPRISE_SOURCE_DIR
                                    "/tests/data/mcp/stdio-payment-server.jsonl")),
            "stdio-payment-server.jsonl");
        QCOMPARE(lines(*findSuspects(*imported.reader, {})),
            std::string("critical 98 B R01+R20 run-0001/1/1 run-0001/1/2 = USD 49.99\n"
                        "critical 90 C R05 run-0002/1/1 run-0002/1/2 = USD 310.00"));
    }

    void recordedTauBench_hasTheDoubleBooking()
    {
        const QString path = sharedData(QStringLiteral("tau-bench/gpt-4o-airline.subset.json"));
        if (!QFile::exists(path))
            QSKIP("the recorded runs are not here");
        const Imported imported(bytesOf(path), "gpt-4o-airline.subset.json");
        const auto report = findSuspects(*imported.reader, {});
        QCOMPARE(
            lines(*report), std::string("high 85 B R04 |0/3/6/1 -0/3/10/1 0/3/13/1 = USD 305.00"));
        QCOMPARE(report->clusters[0].members[0].effect.reference, std::string("HATHAT"));
        QCOMPARE(
            report->clusters[0].members[1].undoneBy, std::string("cancel_reservation, seq 11"));
        QCOMPARE(report->runsChecked, std::int64_t(19));
    }
};

QTEST_APPLESS_MAIN(TestSuspects)
#include "tst_suspects.moc"

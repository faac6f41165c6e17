#include "core/base/sha256.h"
#include "core/executor/executor.h"
#include "core/executor/plan.h"
#include "core/executor/process.h"
#include "core/executor/settlement.h"
#include "core/key/key.h"
#include "core/store/sqlite_store.h"
#include "tests/support/quoted.h"
#include "tests/support/scripted_runner.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

using namespace reprise;
using namespace reprise::test;

namespace {

const std::string kTools = quoted(
    "{'tools':["
    " {'name':'charge','version':'1','side_effect':true,"
    "  'result':{'content_type':'application/json','required':['/id'],'reference':'/id'},"
    "  'business':{'kind':'charge','amount':'/amount','currency':'/currency','payee':'/customer'}},"
    " {'name':'forwarded','version':'1','result':{'content_type':'application/json','reference':'/"
    "id'},"
    "  'settle':{'forwarding':{'retention':'24h','attempts':2}}},"
    " {'name':'probed','version':'1','settle':{'probe':['/bin/look']},"
    "  'result':{'content_type':'application/json','reference':'/id'}},"
    " {'name':'repeatable','version':'1','settle':{'repeatable':true}},"
    " {'name':'noted','version':'2','ignore':['/trace']}]}");

ToolAnswer succeeds(const std::string &body)
{
    return {OutcomeClass::Succeeded, "0", {}, body, {}};
}
ToolAnswer unknown(const std::string &why)
{
    return {OutcomeClass::Unknown, {}, why, {}, {}};
}

/// A store in memory, one executor, one scripted tool.
struct Bench
{
    FakeClock clock;
    SeededRandom random {7};
    std::unique_ptr<Store> store;
    ScriptedRunner runner;
    ToolSet tools;
    std::unique_ptr<Executor> executor;

    Bench()
    {
        store = std::move(*SqliteStore::create(":memory:", StoreKind::Live, {clock, random}));
        tools = *ToolSet::parse(kTools, "tools", "/");
        runner.onCall = [](const ToolCall &) { return succeeds(quoted("{'id':'ch_1'}")); };
        restart();
    }
    void restart(std::function<void(Step)> onStep = {})
    {
        executor.reset();
        executor = std::move(
            *Executor::create(*store, runner, {clock, random, &tools, {}, std::move(onStep)}));
    }
    Result<PlanReceipt> plan(const std::string &text)
    {
        auto parsed = Plan::parse(text, "plan");
        if (!parsed)
            return tl::unexpected(parsed.error());
        return writePlan(*store, clock, *parsed, tools);
    }
    ExecuteReport execute(
        std::int64_t seq, std::optional<std::string> args = {}, std::int64_t waitMs = 0)
    {
        return executor->execute(
            {*RunId::parse("run-1"), *Seq::of(seq), {}, std::move(args), waitMs});
    }
    ActionRecord record(std::int64_t seq)
    {
        return **store->find(deriveKey(*RunId::parse("run-1"), *Seq::of(seq)));
    }
};

QByteArray word(const ExecuteReport &report)
{
    const std::string_view text = disposition(report.answer);
    return {text.data(), static_cast<qsizetype>(text.size())};
}

const std::string kCharge = quoted("{'run_id':'run-1','actions':[{'tool':'charge','args':{'amount':"
                                   "4900,'currency':'EUR','customer':'cus_1'}}]}");

std::string planOf(const char *tool)
{
    return std::string(quoted("{'run_id':'run-1','actions':[{'tool':'")) + tool
        + quoted("','args':{'a':1}}]}");
}

} // namespace

class TestExecutor : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void execute_planned_callsOnceThenReplaysTheSameBytes()
    {
        Bench bench;
        QVERIFY(bench.plan(kCharge));
        const auto first = bench.execute(1);
        QCOMPARE(word(first), "executed");
        const auto again = bench.execute(1);
        QCOMPARE(word(again), "replayed");
        QCOMPARE(bench.runner.calls.size(), std::size_t(1));
        const auto &executed = std::get<answers::Executed>(first.answer).answer;
        const auto &replayed = std::get<answers::Replayed>(again.answer).answer;
        QVERIFY(replayed && replayed->body == executed.body);
        QVERIFY(replayed->result == executed.result);
        QCOMPARE(replayed->result.reference, std::string("ch_1"));
        QCOMPARE(bench.runner.calls[0].sentKey,
            formatKey(deriveKey(*RunId::parse("run-1"), *Seq::of(1)), KeyForm::Uuid));
    }

    void execute_argsChanged_E54_conflictsWithTheDifference()
    {
        Bench bench;
        QVERIFY(bench.plan(kCharge));
        QCOMPARE(word(bench.execute(1)), "executed");
        const auto report
            = bench.execute(1, quoted("{'amount':5000,'currency':'EUR','customer':'cus_1'}"));
        QCOMPARE(word(report), "conflict");
        const auto &conflict = std::get<answers::Conflict>(report.answer);
        QCOMPARE(conflict.differences.size(), std::size_t(1));
        QCOMPARE(conflict.differences[0].pointer, std::string("/amount"));
        QCOMPARE(conflict.differences[0].recorded, std::string("4900"));
        QCOMPARE(conflict.differences[0].given, std::string("5000"));
        QCOMPARE(bench.runner.calls.size(), std::size_t(1));
        QCOMPARE(bench.record(1).attempts, std::int64_t(2));
    }

    void execute_sameArgsSpeltOtherwise_E51_replays()
    {
        Bench bench;
        QVERIFY(bench.plan(kCharge));
        QCOMPARE(word(bench.execute(1)), "executed");
        QCOMPARE(
            word(bench.execute(1, quoted("{ 'customer':'cus_1','currency':'EUR','amount':4.9e3}"))),
            "replayed");
    }

    void execute_ignoredField_staysTheSameAction()
    {
        Bench bench;
        QVERIFY(bench.plan(
            quoted("{'run_id':'run-1','actions':[{'tool':'noted','args':{'a':1,'trace':'x'}}]}")));
        QCOMPARE(word(bench.execute(1)), "executed");
        QCOMPARE(word(bench.execute(1, quoted("{'a':1,'trace':'y'}"))), "replayed");
        QCOMPARE(word(bench.execute(1, quoted("{'a':2,'trace':'y'}"))), "conflict");
    }

    void execute_crashAtEachStep_data()
    {
        QTest::addColumn<int>("step");
        QTest::addColumn<int>("calls");
        QTest::addColumn<QByteArray>("next");
        QTest::newRow("E1 before the claim")
            << int(Step::BeforeClaim) << 0 << QByteArray("executed");
        QTest::newRow("E2 after the claim") << int(Step::AfterClaim) << 0 << QByteArray("in_doubt");
        QTest::newRow("E4 after the call") << int(Step::AfterCall) << 1 << QByteArray("in_doubt");
        QTest::newRow("E5 after the record")
            << int(Step::AfterRecord) << 1 << QByteArray("replayed");
    }
    void execute_crashAtEachStep()
    {
        QFETCH(int, step);
        QFETCH(int, calls);
        QFETCH(QByteArray, next);
        Bench bench;
        QVERIFY(bench.plan(kCharge));
        bench.restart([&](Step at) {
            if (int(at) == step)
                throw SimulatedCrash {};
        });
        bool crashed = false;
        try {
            (void)bench.execute(1);
        } catch (const SimulatedCrash &) {
            crashed = true;
        }
        QVERIFY(crashed);
        QCOMPARE(int(bench.runner.calls.size()), calls);
        bench.restart();
        QCOMPARE(word(bench.execute(1)), next);
        // Whatever happened: a second look never makes a second call.
        QVERIFY(bench.runner.calls.size() <= 1);
    }

    void execute_ownerAlive_E10_isBusyHoweverLate()
    {
        Bench bench;
        QVERIFY(bench.plan(kCharge));
        ExecuteReport inner;
        bench.runner.onCall = [&](const ToolCall &) {
            bench.clock.advanceUs(std::int64_t(366) * 86'400 * 1'000'000);
            auto other = std::move(*Executor::create(
                *bench.store, bench.runner, {bench.clock, bench.random, &bench.tools, {}, {}}));
            inner = other->execute({*RunId::parse("run-1"), *Seq::of(1), {}, {}, 0});
            return succeeds(quoted("{'id':'ch_1'}"));
        };
        QCOMPARE(word(bench.execute(1)), "executed");
        QCOMPARE(word(inner), "busy");
        QCOMPARE(std::get<answers::Busy>(inner.answer).owner.id, bench.executor->owner().id);
        QCOMPARE(bench.runner.calls.size(), std::size_t(1));
    }

    void execute_outcomes_E67_data()
    {
        QTest::addColumn<int>("outcome");
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArray>("second");
        QTest::addColumn<int>("calls");
        QTest::newRow("declined is final") << int(OutcomeClass::Declined) << QByteArray("executed")
                                           << QByteArray("failed") << QByteArray("replayed") << 1;
        QTest::newRow("not sent may be retried")
            << int(OutcomeClass::NotSent) << QByteArray("not_sent") << QByteArray("planned")
            << QByteArray("not_sent") << 2;
        QTest::newRow("unknown stays in doubt")
            << int(OutcomeClass::Unknown) << QByteArray("in_doubt") << QByteArray("in_doubt")
            << QByteArray("in_doubt") << 1;
    }
    void execute_outcomes_E67()
    {
        QFETCH(int, outcome);
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, state);
        QFETCH(QByteArray, second);
        QFETCH(int, calls);
        Bench bench;
        bench.runner.onCall = [&](const ToolCall &) {
            return ToolAnswer {static_cast<OutcomeClass>(outcome), "1", "why", "card declined", {}};
        };
        QVERIFY(bench.plan(kCharge));
        QCOMPARE(word(bench.execute(1)), first);
        const std::string_view now = name(bench.record(1).state);
        QCOMPARE(QByteArray(now.data(), qsizetype(now.size())), state);
        QCOMPARE(word(bench.execute(1)), second);
        QCOMPARE(int(bench.runner.calls.size()), calls);
    }

    void execute_incompleteResult_E72_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("cut JSON") << QByteArray::fromStdString(quoted("{'id':'ch_"));
        QTest::newRow("required field missing")
            << QByteArray::fromStdString(quoted("{'status':'ok'}"));
        QTest::newRow("required field null") << QByteArray::fromStdString(quoted("{'id':null}"));
        QTest::newRow("empty") << QByteArray("");
    }
    void execute_incompleteResult_E72()
    {
        QFETCH(QByteArray, body);
        Bench bench;
        bench.runner.onCall = [&](const ToolCall &) { return succeeds(body.toStdString()); };
        QVERIFY(bench.plan(kCharge));
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        QCOMPARE(bench.record(1).state, ActionState::InDoubt);
        // The partial body is kept.
        QVERIFY(bench.store->body(Sha256::of(body.toStdString())));
    }

    void execute_emptyNullAndAbsent_E73_areThreeResults()
    {
        for (const auto &body : {std::optional<std::string>(""), std::optional<std::string>("null"),
                 std::optional<std::string>()}) {
            Bench bench;
            bench.runner.onCall = [&](const ToolCall &) {
                return ToolAnswer {OutcomeClass::Succeeded, "0", {}, body, {}};
            };
            QVERIFY(bench.plan(planOf("repeatable")));
            QCOMPARE(word(bench.execute(1)), "executed");
            const auto again = bench.execute(1);
            QVERIFY(std::get<answers::Replayed>(again.answer).answer->body == body);
        }
    }

    void execute_binaryResult_E74_replaysEveryByte()
    {
        Bench bench;
        const std::string body("\0\xff\xfe\n\0end", 8);
        bench.runner.onCall = [&](const ToolCall &) { return succeeds(body); };
        QVERIFY(bench.plan(planOf("repeatable")));
        QCOMPARE(word(bench.execute(1)), "executed");
        const auto again = bench.execute(1);
        QVERIFY(std::get<answers::Replayed>(again.answer).answer->body == body);
    }

    void settle_forwarding_sendsTheSameKeyWithinWindowAndCap()
    {
        Bench bench;
        bench.runner.onCall = [](const ToolCall &) { return unknown("timeout"); };
        QVERIFY(bench.plan(planOf("forwarded")));
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        bench.clock.advanceUs(std::int64_t(3600) * 1'000'000);
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        QCOMPARE(bench.runner.calls.size(), std::size_t(2));
        QCOMPARE(bench.runner.calls[0].sentKey, bench.runner.calls[1].sentKey);
        // The cap of two calls is used up.
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        QCOMPARE(bench.runner.calls.size(), std::size_t(2));
    }

    void settle_forwardingWindowOver_E80_neverFiresAgain()
    {
        Bench bench;
        bench.runner.onCall = [](const ToolCall &) { return unknown("timeout"); };
        QVERIFY(bench.plan(planOf("forwarded")));
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        bench.clock.advanceUs(std::int64_t(24) * 3600 * 1'000'000);
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        // E21: a clock that jumps back does not open it again.
        bench.clock.advanceUs(-std::int64_t(48) * 3600 * 1'000'000);
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        QCOMPARE(bench.runner.calls.size(), std::size_t(1));
    }

    void settle_probe_answersAppliedNotAppliedNotKnown()
    {
        Bench bench;
        bench.runner.onCall = [](const ToolCall &) { return unknown("reset"); };
        QVERIFY(bench.plan(planOf("probed")));
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        bench.runner.onProbe = [](const ToolCall &) { return ProbeResult {}; };
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        bench.runner.onProbe = [](const ToolCall &) {
            return ProbeResult {ProbeAnswer::Applied, quoted("{'id':'ch_9'}"), "0", "found"};
        };
        const auto report = bench.execute(1);
        QCOMPARE(word(report), "replayed");
        const auto &answer = *std::get<answers::Replayed>(report.answer).answer;
        QCOMPARE(answer.result.source, ResultSource::Probe);
        QCOMPARE(answer.result.reference, std::string("ch_9"));
        QCOMPARE(bench.runner.calls.size(), std::size_t(1));
    }

    void settle_probeNotApplied_allowsOneMoreCall()
    {
        Bench bench;
        int call = 0;
        bench.runner.onCall = [&](const ToolCall &) {
            return call++ == 0 ? unknown("reset") : succeeds(quoted("{'id':'ch_2'}"));
        };
        bench.runner.onProbe = [](const ToolCall &) {
            return ProbeResult {ProbeAnswer::NotApplied, {}, "10", "nothing found"};
        };
        QVERIFY(bench.plan(planOf("probed")));
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        QCOMPARE(word(bench.execute(1)), "executed");
        QCOMPARE(bench.runner.calls.size(), std::size_t(2));
    }

    void settle_operator_compareAndSet_E19()
    {
        Bench bench;
        bench.runner.onCall = [](const ToolCall &) { return unknown("timeout"); };
        QVERIFY(bench.plan(kCharge));
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        const ActionRecord seen = bench.record(1);
        SettleRequest request {seen.key, Decision::Landed, "Ada", "the provider shows it",
            "dashboard line 4", quoted("{'id':'ch_7'}"), {}, seen.stateHash};
        QVERIFY(settle(*bench.store, bench.clock, request));
        QCOMPARE(bench.record(1).state, ActionState::Succeeded);
        const auto second = settle(*bench.store, bench.clock, request);
        QVERIFY(!second && second.error().code == ErrorCode::Conflict);
        const auto report = bench.execute(1);
        QCOMPARE(word(report), "replayed");
        QCOMPARE(*std::get<answers::Replayed>(report.answer).answer->body,
            std::string(quoted("{'id':'ch_7'}")));
        QCOMPARE(bench.runner.calls.size(), std::size_t(1));
    }

    void settle_withoutNameOrReason_E87_isRefused()
    {
        Bench bench;
        bench.runner.onCall = [](const ToolCall &) { return unknown("timeout"); };
        QVERIFY(bench.plan(kCharge));
        (void)bench.execute(1);
        const ActionRecord seen = bench.record(1);
        QVERIFY(!settle(*bench.store, bench.clock,
            {seen.key, Decision::Failed, "", "x", {}, {}, {}, seen.stateHash}));
        QVERIFY(!settle(*bench.store, bench.clock,
            {seen.key, Decision::Failed, "Ada", "", {}, {}, {}, seen.stateHash}));
        QCOMPARE(bench.record(1).stateEntry, seen.stateEntry);
    }

    void settle_retry_allowsExactlyOneMoreCall()
    {
        Bench bench;
        bench.runner.onCall = [](const ToolCall &) { return unknown("timeout"); };
        QVERIFY(bench.plan(kCharge));
        (void)bench.execute(1);
        QVERIFY(settle(*bench.store, bench.clock,
            {bench.record(1).key, Decision::Retry, "Ada", "not in the statement", {}, {}, {},
                bench.record(1).stateHash}));
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        QCOMPARE(word(bench.execute(1)), "in_doubt");
        QCOMPARE(bench.runner.calls.size(), std::size_t(2));
    }

    void outcome_afterOperatorDecided_E15_isALateReportThatChangesNothing()
    {
        Bench bench;
        QVERIFY(bench.plan(kCharge));
        bench.runner.onCall = [&](const ToolCall &) {
            // The lock file vanishes, so the owner looks dead; an operator decides while the tool
            // works.
            const ActionRecord now = bench.record(1);
            const std::array doubt {Event {bench.clock.now(),
                DoubtRaised {now.key, now.claim->attempt, now.claim->epoch, "crash"}}};
            (void)bench.store->append(
                doubt, {}, std::array {Precondition {now.key, now.stateEntry}});
            const ActionRecord inDoubt = bench.record(1);
            (void)settle(*bench.store, bench.clock,
                {now.key, Decision::Failed, "Ada", "not in the statement", {}, {}, {},
                    inDoubt.stateHash});
            return succeeds(quoted("{'id':'ch_1'}"));
        };
        const auto report = bench.execute(1);
        QCOMPARE(bench.record(1).state, ActionState::Failed);
        QCOMPARE(word(report), "replayed");
        QCOMPARE(bench.runner.calls.size(), std::size_t(1));
    }

    void plan_sameRevisionAgain_E92_writesNothing()
    {
        Bench bench;
        const auto first = bench.plan(kCharge);
        const std::int64_t entries = bench.store->info().entries;
        const auto again = bench.plan(kCharge);
        QVERIFY(first && again && again->alreadyPlanned);
        QCOMPARE(bench.store->info().entries, entries);
        QCOMPARE(first->actions[0].seq, std::int64_t(1));
        QCOMPARE(first->actions[0].key, again->actions[0].key);
        const auto other
            = bench.plan(quoted("{'run_id':'run-1','actions':[{'tool':'charge','args':{'amount':1,'"
                                "currency':'EUR','customer':'cus_1'}}]}"));
        QVERIFY(!other && other.error().code == ErrorCode::Conflict);
        QVERIFY(other.error().what.find("/amount recorded 4900, given 1") != std::string::npos);
    }

    /// A child of the executor's process must not act in its name.
    void execute_inAForkedChild_E12_isRefused()
    {
        Bench bench;
        QVERIFY(bench.plan(planOf("repeatable")));
        const pid_t child = ::fork();
        if (child == 0)
            ::_exit(word(bench.execute(1)) == "refused" && bench.runner.calls.empty() ? 0 : 1);
        int status = -1;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
        QCOMPARE(word(bench.execute(1)), "executed");
    }

    /// The same number as another process at another time, or in another boot, is no sign of life.
    void processLives_numberUsedAgain_E11_isAnotherProcess()
    {
        const std::int64_t pid = ::getpid();
        const std::int64_t ticks = *processStartTicks(pid);
        QVERIFY(processLives({pid, ticks}, bootId()));
        QVERIFY(!processLives({pid, ticks - 1}, bootId()));
        QVERIFY(!processLives({pid, ticks}, "another boot"));
    }

    void execute_unorderedSeqs_E47_areAllowedUnlessDeclared()
    {
        Bench bench;
        QVERIFY(bench.plan(quoted("{'run_id':'run-1','actions':[{'seq':7,'tool':'repeatable'},"
                                  "{'seq':3,'tool':'repeatable'}]}")));
        QCOMPARE(word(bench.execute(7)), "executed");
        QCOMPARE(word(bench.execute(3)), "executed");
        Bench ordered;
        QVERIFY(ordered.plan(
            quoted("{'run_id':'run-1','ordered':true,'actions':[{'seq':7,'tool':'repeatable'},"
                   "{'seq':3,'tool':'repeatable'}]}")));
        QCOMPARE(word(ordered.execute(7)), "refused");
        QCOMPARE(ordered.runner.calls.size(), std::size_t(0));
        QCOMPARE(word(ordered.execute(3)), "executed");
        QCOMPARE(word(ordered.execute(7)), "executed");
    }

    /// The same run id for another job: the first action that differs stops it. With the same args
    /// the answer says from when it is.
    void execute_runIdUsedAgain_E49_E83_isAConflictOrTheOldAnswer()
    {
        Bench bench;
        QVERIFY(bench.plan(planOf("repeatable")));
        QCOMPARE(word(bench.execute(1)), "executed");
        const Time then = bench.clock.now();
        bench.clock.advanceUs(std::int64_t(40) * 24 * 3600 * 1'000'000);
        QCOMPARE(word(bench.execute(1, quoted("{'other':'job'}"))), "conflict");
        const auto again = bench.execute(1);
        QCOMPARE(word(again), "replayed");
        QCOMPARE(std::get<answers::Replayed>(again.answer).answer->result.recordedAt.us, then.us);
        QCOMPARE(bench.runner.calls.size(), std::size_t(1));
    }

    /// A declined action stays declined under its key, however the world changes.
    void execute_declinedBefore_E83_replaysTheRefusal()
    {
        Bench bench;
        bench.runner.onCall = [](const ToolCall &) {
            return ToolAnswer {OutcomeClass::Declined, "10", "no funds", "declined", {}};
        };
        QVERIFY(bench.plan(planOf("charge")));
        QCOMPARE(word(bench.execute(1)), "executed");
        bench.runner.onCall = [](const ToolCall &) { return succeeds(quoted("{'id':'ch_1'}")); };
        const auto again = bench.execute(1);
        QCOMPARE(word(again), "replayed");
        QVERIFY(*std::get<answers::Replayed>(again.answer).answer->body == "declined");
        QCOMPARE(bench.runner.calls.size(), std::size_t(1));
        QVERIFY(bench.plan(quoted(
            "{'run_id':'run-1','revision':2,'actions':[{'tool':'charge','args':{'amount':1}}]}")));
        QCOMPARE(word(bench.execute(2)), "executed");
    }

    /// Steps shifted by an insertion: conflict at the first that moved, and nothing is called.
    void execute_shiftedActions_E59_conflictAtTheFirst()
    {
        Bench bench;
        QVERIFY(bench.plan(
            quoted("{'run_id':'run-1','actions':[{'tool':'repeatable','args':{'step':'a'}},"
                   "{'tool':'repeatable','args':{'step':'b'}}]}")));
        QCOMPARE(word(bench.execute(1)), "executed");
        QCOMPARE(word(bench.execute(2, quoted("{'step':'new'}"))), "conflict");
        QCOMPARE(bench.runner.calls.size(), std::size_t(1));
        QCOMPARE(bench.record(2).state, ActionState::Planned);
    }

    /// The next seq comes from the store: a planner that starts anew uses none a second time, and
    /// the seq of a dropped action is not used again.
    void plan_fromANewPlanner_E61_E62_goesOnAfterTheLargestSeq()
    {
        Bench bench;
        QVERIFY(bench.plan(quoted("{'run_id':'run-1','actions':[{'seq':5,'tool':'repeatable'}]}")));
        const auto receipt = bench.plan(
            quoted("{'run_id':'run-1','revision':2,'actions':[{'tool':'repeatable'}]}"));
        QVERIFY(receipt);
        QCOMPARE(bench.record(6).state, ActionState::Planned);
        const auto reused = bench.plan(quoted("{'run_id':'run-1','revision':3,'actions':[{'seq':5,'"
                                              "tool':'charge','args':{'x':1}}]}"));
        QVERIFY(!reused);
    }

    /// No owner dies because a clock jumps forward.
    void execute_clockJumpsForward_E22_ownerStaysAlive()
    {
        Bench bench;
        QVERIFY(bench.plan(planOf("repeatable")));
        SeededRandom random(8);
        auto other = std::move(
            *Executor::create(*bench.store, bench.runner, {bench.clock, random, &bench.tools}));
        std::string seen;
        bench.runner.onCall = [&](const ToolCall &) {
            bench.clock.advanceUs(std::int64_t(400) * 24 * 3600 * 1'000'000);
            seen = disposition(
                other->execute({*RunId::parse("run-1"), *Seq::of(1), {}, {}, 0}).answer);
            return succeeds("ok");
        };
        QCOMPARE(word(bench.execute(1)), "executed");
        QCOMPARE(seen, std::string("busy"));
        QCOMPARE(bench.runner.calls.size(), std::size_t(1));
    }

    void plan_growsByRevision_E58_neverRenumbers()
    {
        Bench bench;
        QVERIFY(bench.plan(quoted("{'run_id':'run-1','actions':[{'tool':'charge','args':{}},{'seq':"
                                  "7,'tool':'charge','args':{}}]}")));
        const auto next = bench.plan(
            quoted("{'run_id':'run-1','revision':2,'actions':[{'tool':'charge','args':{}}]}"));
        QVERIFY(next);
        QCOMPARE(next->actions[0].seq, std::int64_t(9));
        QVERIFY(!bench.plan(
            quoted("{'run_id':'run-1','revision':4,'actions':[{'tool':'charge','args':{}}]}")));
        QVERIFY(!bench.plan(quoted(
            "{'run_id':'run-1','revision':3,'actions':[{'seq':7,'tool':'charge','args':{}}]}")));
    }

    void plan_badInput_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("E46 seq -1") << QByteArray::fromStdString(
            quoted("{'run_id':'r','actions':[{'seq':-1,'tool':'t'}]}"));
        QTest::newRow("E46 seq 1.5") << QByteArray::fromStdString(
            quoted("{'run_id':'r','actions':[{'seq':1.5,'tool':'t'}]}"));
        QTest::newRow("E46 seq true") << QByteArray::fromStdString(
            quoted("{'run_id':'r','actions':[{'seq':true,'tool':'t'}]}"));
        QTest::newRow("E46 seq 2^63") << QByteArray::fromStdString(
            quoted("{'run_id':'r','actions':[{'seq':9223372036854775808,'tool':'t'}]}"));
        QTest::newRow("E48 seq twice") << QByteArray::fromStdString(
            quoted("{'run_id':'r','actions':[{'seq':1,'tool':'t'},{'seq':1,'tool':'t'}]}"));
        QTest::newRow("E45 empty run id")
            << QByteArray::fromStdString(quoted("{'run_id':'','actions':[{'tool':'t'}]}"));
        QTest::newRow("no tool") << QByteArray::fromStdString(
            quoted("{'run_id':'r','actions':[{'args':{}}]}"));
        QTest::newRow("no actions")
            << QByteArray::fromStdString(quoted("{'run_id':'r','actions':[]}"));
        QTest::newRow("misspelt field") << QByteArray::fromStdString(
            quoted("{'run_id':'r','enviroment':'live','actions':[{'tool':'t'}]}"));
    }
    void plan_badInput()
    {
        QFETCH(QByteArray, text);
        Bench bench;
        const std::int64_t entries = bench.store->info().entries;
        const auto receipt = bench.plan(text.toStdString());
        QVERIFY(!receipt && receipt.error().code == ErrorCode::InvalidInput);
        QCOMPARE(bench.store->info().entries, entries);
    }
};

QTEST_APPLESS_MAIN(TestExecutor)
#include "tst_executor.moc"

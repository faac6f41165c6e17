#include "core/executor/executor.h"
#include "core/executor/plan.h"
#include "core/executor/settlement.h"
#include "core/inspect/store_reader.h"
#include "core/journal/verify.h"
#include "core/key/key.h"
#include "core/store/sqlite_store.h"
#include "tests/support/faulty_store.h"
#include "tests/support/quoted.h"
#include "tests/support/scripted_runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <thread>

using namespace reprise;
using namespace reprise::test;

namespace {

constexpr std::int64_t kHourUs = 3'600'000'000;

} // namespace

/// What may end doubt, and what may not. The ledger of calls is the scripted tool's.
class TestDoubt : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("s.db")).toStdString();
        m_tools = *ToolSet::parse(
            quoted("{'tools':[{'name':'forwarded','version':'1','key':{'form':'uuid','env':'K'},"
                   "'settle':{'forwarding':{'retention':'24h','attempts':3}}},"
                   "{'name':'repeatable','version':'1','settle':{'repeatable':true}},"
                   "{'name':'plain','version':'1'}]}"),
            "tools", "/");
        m_runner = std::make_unique<ScriptedRunner>();
        m_store = std::move(*SqliteStore::create(m_path, StoreKind::Live, {m_clock, m_random}));
        m_faulty = std::make_unique<FaultyStore>(*m_store);
        Plan plan;
        plan.runId = "run-1";
        plan.revision = 1;
        plan.actions = {{1, "forwarded", "{}"}, {2, "repeatable", "{}"}, {3, "plain", "{}"}};
        QVERIFY(writePlan(*m_store, m_clock, plan, m_tools));
        restart();
    }
    void cleanup()
    {
        m_executor.reset();
        m_store.reset();
    }

    /// The first call may have landed. That a second one was declined, or never left, says nothing
    /// about the first.
    void secondCall_withoutSuccess_E68_leavesTheDoubt_data()
    {
        QTest::addColumn<int>("seq");
        QTest::addColumn<int>("second");
        for (const int seq : {1, 2}) {
            QTest::addRow("seq %d declined", seq) << seq << int(OutcomeClass::Declined);
            QTest::addRow("seq %d not sent", seq) << seq << int(OutcomeClass::NotSent);
            QTest::addRow("seq %d unknown", seq) << seq << int(OutcomeClass::Unknown);
        }
    }
    void secondCall_withoutSuccess_E68_leavesTheDoubt()
    {
        QFETCH(int, seq);
        QFETCH(int, second);
        leaveInDoubt(seq);
        answerWith(static_cast<OutcomeClass>(second), "401");
        QCOMPARE(disposition(execute(seq).answer), std::string_view("in_doubt"));
        QCOMPARE(record(seq).state, ActionState::InDoubt);
        QCOMPARE(m_runner->calls.size(), std::size_t {2});
        // It was never called "never dispatched": it cannot be cancelled or made anew without a
        // rule.
        QVERIFY(!record(seq).nextPermit);
        m_clock.advanceUs(48 * kHourUs);
        answerWith(OutcomeClass::Succeeded, "0");
        const auto late = execute(seq);
        QCOMPARE(disposition(late.answer), std::string_view(seq == 1 ? "in_doubt" : "executed"));
        verify();
    }

    void declined_afterAProofThatNothingLanded_isFailed()
    {
        leaveInDoubt(3);
        const ActionRecord seen = record(3);
        SettleRequest request;
        request.key = seen.key;
        request.decision = Decision::Retry;
        request.by = "Ada";
        request.reason = "not at the provider";
        request.expected = seen.stateHash;
        QVERIFY(settle(*m_store, m_clock, request));
        answerWith(OutcomeClass::Declined, "10");
        QCOMPARE(disposition(execute(3).answer), std::string_view("executed"));
        QCOMPARE(record(3).state, ActionState::Failed);
    }

    /// An operator saw a call in flight whose owner died. Before the decision arrives, a rule makes
    /// the call again, and that one ends in doubt too: the decision was not about it.
    void decision_onAnEarlierCall_E19_isStale()
    {
        const ActionRecord planned = record(2);
        const std::array claim {Event {m_clock.now(),
            Claimed {
                planned.key, 1, 1, Owner {"dead", "host", "boot", 1, 1}, {}, {}, Permit::First}}};
        QVERIFY(m_store->append(claim, {}, {}));
        const ActionRecord seen = record(2);
        SettleRequest request;
        request.key = seen.key;
        request.decision = Decision::Retry;
        request.by = "Ada";
        request.reason = "not at the provider";
        request.expected = seen.stateHash;
        m_faulty->afterwards = [&](auto events) {
            if (events[0].kind() != "doubt_raised")
                return;
            m_faulty->afterwards = {};
            answerWith(OutcomeClass::Unknown, "timeout");
            execute(2);
        };
        const auto settled = settle(*m_faulty, m_clock, request);
        QVERIFY(!settled);
        QCOMPARE(settled.error().code, ErrorCode::Conflict);
        QCOMPARE(record(2).state, ActionState::InDoubt);
        QVERIFY(!record(2).nextPermit);
    }

    /// The window is looked at with the time of the claim, not with that of the first look.
    void window_closesBeforeTheClaim_E81_nothingIsSent()
    {
        leaveInDoubt(1);
        restart([this](Step step) {
            if (step == Step::BeforeClaim)
                m_clock.advanceUs(25 * kHourUs);
        });
        answerWith(OutcomeClass::Succeeded, "0");
        QCOMPARE(disposition(execute(1).answer), std::string_view("in_doubt"));
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
        QCOMPARE(record(1).state, ActionState::InDoubt);
    }

    void window_closesBetweenClaimAndCall_E81_nothingIsSent()
    {
        leaveInDoubt(1);
        restart([this](Step step) {
            if (step == Step::AfterClaim)
                m_clock.advanceUs(25 * kHourUs);
        });
        answerWith(OutcomeClass::Succeeded, "0");
        QCOMPARE(disposition(execute(1).answer), std::string_view("in_doubt"));
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
        QCOMPARE(record(1).state, ActionState::InDoubt);
    }

    /// Closed is closed, whatever the clock says afterwards.
    void window_clockGoesBack_E21_staysClosed()
    {
        leaveInDoubt(1);
        const Time dispatched = m_clock.now();
        m_clock.advanceUs(30 * kHourUs);
        // Something else is recorded meanwhile.
        answerWith(OutcomeClass::Succeeded, "0");
        QCOMPARE(disposition(execute(3).answer), std::string_view("executed"));
        m_clock.set(Time {dispatched.us + kHourUs});
        QCOMPARE(disposition(execute(1).answer), std::string_view("in_doubt"));
        // An entry with the early time is the newest one now, and not the latest.
        QCOMPARE(disposition(execute(3).answer), std::string_view("replayed"));
        QCOMPARE(disposition(execute(1).answer), std::string_view("in_doubt"));
        QCOMPARE(m_runner->calls.size(), std::size_t {2});
    }

    /// The commit of "declined" reached the disk and reported an error: it is recorded once.
    void secondCall_declined_E36_isCountedOnce()
    {
        leaveInDoubt(2);
        answerWith(OutcomeClass::NotSent, "11");
        m_faulty->fault = [](auto events) {
            return events[0].kind() == "outcome_recorded" ? FaultyStore::Fault::After
                                                          : FaultyStore::Fault::None;
        };
        QCOMPARE(disposition(execute(2).answer), std::string_view("in_doubt"));
        m_faulty->fault = {};
        const ActionRow row = details(2).row;
        QCOMPARE(row.executed, std::int64_t {1});
        QCOMPARE(row.executedAgain, std::int64_t {0});
        QCOMPARE(row.attempts, std::int64_t {2});
    }

    void unseen_inAClosedRun_E82_isRefusedAsClosed()
    {
        const std::array closed {Event {m_clock.now(), RunClosed {"run-1"}}};
        QVERIFY(m_store->append(closed, {}, {}));
        const auto report = m_executor->execute(
            {*RunId::parse("run-1"), *Seq::of(8), std::string("plain"), std::string("{}"), 0});
        QCOMPARE(disposition(report.answer), std::string_view("refused"));
        QVERIFY(std::get<answers::Refused>(report.answer).error.text().find("closed")
            != std::string::npos);
        QCOMPARE(m_runner->calls.size(), std::size_t {0});
    }

    /// Somebody declared the owner dead and decided, while it stood before the call.
    void claim_takenAwayBeforeTheCall_E18_nothingIsSent()
    {
        restart([this](Step step) {
            if (step != Step::AfterClaim)
                return;
            const ActionRecord now = record(3);
            const std::array doubt {Event {m_clock.now(),
                DoubtRaised {now.key, now.claim->attempt, now.claim->epoch, "declared dead"}}};
            QVERIFY(m_store->append(doubt, {}, {}));
        });
        answerWith(OutcomeClass::Succeeded, "0");
        execute(3);
        QCOMPARE(m_runner->calls.size(), std::size_t {0});
        QVERIFY(record(3).state != ActionState::Succeeded);
    }

    /// An owner that was taken for dead reports after somebody decided otherwise.
    void lateSuccess_afterADecision_E15_isAContradiction()
    {
        m_runner->onCall = [this](const ToolCall & /*call*/) -> ToolAnswer {
            const ActionRecord now = record(3);
            const std::array events {
                Event {m_clock.now(),
                    DoubtRaised {now.key, now.claim->attempt, now.claim->epoch, "declared dead"}},
                Event {m_clock.now(),
                    Settled {now.key, Decision::Failed, false, "Ada", "not there", {}, {}, {}}}};
            if (!m_store->append(events, {}, {}))
                return {OutcomeClass::Unknown, {}, "the test failed", {}, {}};
            return {OutcomeClass::Succeeded, "0", {}, "ok", {}};
        };
        const auto report = execute(3);
        QCOMPARE(disposition(report.answer), std::string_view("replayed"));
        QCOMPARE(record(3).state, ActionState::Failed);
        const auto attempts = details(3).attempts;
        QCOMPARE(
            attempts.size(), std::size_t {4}); // the call, the decision, the report, the replay
        QCOMPARE(attempts[2].kind, AttemptKind::LateReport);
        QVERIFY(attempts[2].note.starts_with("contradiction"));
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
    }

    /// "Declined" beside an operator's "failed" is no contradiction; its bytes are kept, and the
    /// answer is the one that every later request gets.
    void lateDecline_afterFailed_isKeptAndAnsweredFromTheRecord()
    {
        m_runner->onCall = [this](const ToolCall & /*call*/) -> ToolAnswer {
            const ActionRecord now = record(3);
            const std::array events {
                Event {m_clock.now(),
                    DoubtRaised {now.key, now.claim->attempt, now.claim->epoch, "declared dead"}},
                Event {m_clock.now(),
                    Settled {now.key, Decision::Failed, false, "Ada", "not there", {}, {}, {}}}};
            if (!m_store->append(events, {}, {}))
                return {OutcomeClass::Unknown, {}, "the test failed", {}, {}};
            return {OutcomeClass::Declined, "10", {}, "no funds", {}};
        };
        const auto report = execute(3);
        QCOMPARE(disposition(report.answer), std::string_view("replayed"));
        QVERIFY(!std::get<answers::Replayed>(report.answer).answer);
        const auto attempts = details(3).attempts;
        QCOMPARE(attempts[2].kind, AttemptKind::LateReport);
        QVERIFY(!attempts[2].note.starts_with("contradiction"));
        QVERIFY(attempts[2].result.has_value());
    }

    /// The operator allowed one more call while the first was still at work: the same request does
    /// not use that permit after its own call.
    void lateSuccess_whileOneMoreCallIsAllowed_isNoSecondCall()
    {
        m_runner->onCall = [this](const ToolCall & /*call*/) -> ToolAnswer {
            const ActionRecord now = record(3);
            const std::array events {
                Event {m_clock.now(),
                    DoubtRaised {now.key, now.claim->attempt, now.claim->epoch, "declared dead"}},
                Event {m_clock.now(),
                    Settled {now.key, Decision::Retry, false, "Ada", "not there", {}, {}, {}}}};
            if (m_runner->calls.size() == 1 && !m_store->append(events, {}, {}))
                return {OutcomeClass::Unknown, {}, "the test failed", {}, {}};
            return {OutcomeClass::Succeeded, "0", {}, "ok", {}};
        };
        const auto report = execute(3);
        QCOMPARE(disposition(report.answer), std::string_view("executed_unrecorded"));
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
        QCOMPARE(lastAttempt(3).kind, AttemptKind::LateReport);
    }

    /// A rule let the call be made again, and the first owner reports after all.
    void lateReport_besideALaterClaim_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::newRow("E16 other bytes") << QByteArray("ch_1") << QByteArray("ch_2");
        QTest::newRow("E17 same bytes") << QByteArray("ch_1") << QByteArray("ch_1");
    }
    void lateReport_besideALaterClaim()
    {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        std::unique_ptr<Executor> other;
        m_runner->onCall = [&](const ToolCall & /*call*/) -> ToolAnswer {
            if (m_runner->calls.size() > 1)
                return {OutcomeClass::Succeeded, "0", {}, second.toStdString(), {}};
            // While this one works, it is declared dead, and another one calls again.
            const ActionRecord now = record(2);
            const std::array doubt {Event {m_clock.now(),
                DoubtRaised {now.key, now.claim->attempt, now.claim->epoch, "declared dead"}}};
            if (!m_store->append(doubt, {}, {}))
                return {OutcomeClass::Unknown, {}, "the test failed", {}, {}};
            const auto again = other->execute(
                {*RunId::parse("run-1"), *Seq::of(2), std::nullopt, std::nullopt, 0});
            if (disposition(again.answer) != "executed")
                return {OutcomeClass::Unknown, {}, "the test failed", {}, {}};
            return {OutcomeClass::Succeeded, "0", {}, first.toStdString(), {}};
        };
        SeededRandom random(14);
        other = std::move(*Executor::create(*m_store, *m_runner, {m_clock, random, &m_tools}));
        const auto report = execute(2);
        // The record stands, and is the answer; what the first call said is kept and compared.
        QCOMPARE(disposition(report.answer), std::string_view("replayed"));
        QCOMPARE(*std::get<answers::Replayed>(report.answer).answer->body, second.toStdString());
        const auto attempts = details(2).attempts;
        QCOMPARE(attempts[2].kind, AttemptKind::LateReport);
        QCOMPARE(attempts[2].note.starts_with("contradiction"), first != second);
        QCOMPARE(*attempts[2].sameAsOriginal, first == second);
        verify();
    }

    /// Notes of others do not move the action's state, but they move the numbers of its attempts.
    void claim_besideNotesOfOthers_keepsItsOwnAttempt()
    {
        bool noted = false;
        restart([&](Step step) {
            if (step != Step::BeforeClaim || noted)
                return;
            noted = true;
            const std::array note {Event {m_clock.now(),
                AttemptAnswered {
                    record(3).key, AttemptKind::Conflict, {}, {}, "by somebody else"}}};
            QVERIFY(m_store->append(note, {}, {}));
        });
        answerWith(OutcomeClass::Succeeded, "0");
        QCOMPARE(disposition(execute(3).answer), std::string_view("executed"));
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
        const ActionDetail detail = details(3);
        QCOMPARE(detail.attempts.size(), std::size_t {2});
        QCOMPARE(detail.attempts[0].kind, AttemptKind::Conflict);
        QVERIFY(!detail.attempts[0].outcome && !detail.attempts[0].result);
        QCOMPARE(detail.attempts[1].kind, AttemptKind::Executed);
        QCOMPARE(*detail.attempts[1].outcome, OutcomeClass::Succeeded);
        QVERIFY(detail.attempts[1].original);
        QCOMPARE(m_runner->calls[0].attempt, std::int64_t {2});
    }

    void claim_runClosedMeanwhile_E82_isRefused()
    {
        restart([this](Step step) {
            if (step != Step::BeforeClaim)
                return;
            const std::array closed {Event {m_clock.now(), RunClosed {"run-1"}}};
            QVERIFY(m_store->append(closed, {}, {}));
        });
        answerWith(OutcomeClass::Succeeded, "0");
        QCOMPARE(disposition(execute(3).answer), std::string_view("refused"));
        QCOMPARE(m_runner->calls.size(), std::size_t {0});
        QCOMPARE(record(3).state, ActionState::Planned);
    }

    /// Two callers of one executor: the claim of one fails, that of the other is on the disk. The
    /// first must not take the other's claim back.
    void claim_failsBesideAnotherCaller_takesNothingBack()
    {
        int claims = 0;
        bool inside = false;
        m_faulty->code = ErrorCode::StoreBusy;
        m_faulty->fault = [&](auto events) {
            if (events[0].kind() != "claimed" || ++claims > 1)
                return FaultyStore::Fault::None;
            // While the first caller's claim fails, the second one's is written, and its tool
            // works.
            inside = true;
            std::jthread other([&] { execute(3); });
            other.join();
            return FaultyStore::Fault::Before;
        };
        m_runner->onCall = [this](const ToolCall & /*call*/) -> ToolAnswer {
            return {OutcomeClass::Unknown, {}, "timeout", {}, {}};
        };
        QCOMPARE(disposition(execute(3).answer), std::string_view("refused"));
        QVERIFY(inside);
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
        QCOMPARE(record(3).state, ActionState::InDoubt);
    }

    /// Two agents plan actions of one run as they execute them: both are planned.
    void unseen_twoSeqsOfOneRunAtOnce_areBothPlanned()
    {
        bool raced = false;
        m_faulty->fault = [&](auto events) {
            if (!raced && events[0].kind() == "run_planned") {
                raced = true;
                Plan plan;
                plan.runId = "run-1";
                plan.revision = 2;
                plan.actions = {{7, "plain", "{}"}};
                if (!writePlan(*m_store, m_clock, plan, m_tools))
                    return FaultyStore::Fault::Before;
            }
            return FaultyStore::Fault::None;
        };
        answerWith(OutcomeClass::Succeeded, "0");
        const auto report = m_executor->execute(
            {*RunId::parse("run-1"), *Seq::of(8), std::string("plain"), std::string("{}"), 0});
        QCOMPARE(disposition(report.answer), std::string_view("executed"));
        QVERIFY(raced);
        QCOMPARE(record(7).state, ActionState::Planned);
        QCOMPARE(record(8).state, ActionState::Succeeded);
    }

private:
    void restart(std::function<void(Step)> onStep = {})
    {
        m_executor.reset();
        m_executor = std::move(*Executor::create(
            *m_faulty, *m_runner, {m_clock, m_random, &m_tools, {}, std::move(onStep)}));
    }
    void answerWith(OutcomeClass outcome, const std::string &status)
    {
        m_runner->onCall = [=](const ToolCall & /*call*/) -> ToolAnswer {
            return {outcome, status, "as told", std::string("ok"), {}};
        };
    }
    void leaveInDoubt(int seq)
    {
        answerWith(OutcomeClass::Unknown, "timeout");
        QCOMPARE(disposition(execute(seq).answer), std::string_view("in_doubt"));
        QCOMPARE(m_runner->calls.size(), std::size_t {1});
    }
    ExecuteReport execute(int seq)
    {
        return m_executor->execute(
            {*RunId::parse("run-1"), *Seq::of(seq), std::nullopt, std::nullopt, 0});
    }
    ActionRecord record(int seq)
    {
        return **m_store->find(deriveKey(*RunId::parse("run-1"), *Seq::of(seq)));
    }
    ActionDetail details(int seq)
    {
        auto reader = StoreReader::open(m_path);
        return **(*reader)->action(record(seq).key);
    }
    AttemptRow lastAttempt(int seq) { return details(seq).attempts.back(); }
    void verify()
    {
        auto reader = StoreReader::open(m_path);
        QVERIFY(reader);
        VerifyOptions options;
        options.deep = true;
        const auto verified = verifyStore(**reader, options);
        QVERIFY(verified && verified->ok);
    }

    FakeClock m_clock;
    SeededRandom m_random {13};
    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_path;
    ToolSet m_tools;
    std::unique_ptr<ScriptedRunner> m_runner;
    std::unique_ptr<Store> m_store;
    std::unique_ptr<FaultyStore> m_faulty;
    std::unique_ptr<Executor> m_executor;
};

QTEST_GUILESS_MAIN(TestDoubt)
#include "tst_doubt.moc"

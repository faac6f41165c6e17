#include "core/demo/stage.h"

#include "core/executor/plan.h"
#include "core/key/key.h"
#include "core/store/sqlite_store.h"

#include <algorithm>
#include <utility>

namespace reprise {

namespace {

constexpr std::int64_t kUsPerMs = 1000;
constexpr std::int64_t kUsPerSecond = 1'000'000;

struct Name
{
    RunId run;
    Seq seq;
};

Result<Name> parseName(const std::string &runId, std::int64_t value)
{
    ASSIGN_OR_RETURN(RunId run, RunId::parse(runId));
    ASSIGN_OR_RETURN(const Seq seq, Seq::of(value));
    return Name {std::move(run), seq};
}

std::string agentOf(const std::string &runId)
{
    return runId.substr(0, runId.find('-'));
}

} // namespace

Time demoStart()
{
    // 2026-11-03T08:00:00Z, a Tuesday.
    return Time {1'793'692'800LL * kUsPerSecond};
}

Stage::Stage(std::string folder, std::uint64_t seed, ToolSet tools)
    : m_folder(std::move(folder))
    , m_random(seed)
    , m_clock(demoStart())
    , m_tools(std::move(tools))
    , m_runner(m_folder, m_clock, m_random)
{
}

Result<std::unique_ptr<Stage>> Stage::set(const std::string &folder, std::uint64_t seed)
{
    ASSIGN_OR_RETURN(ToolSet tools, demoTools());
    std::unique_ptr<Stage> stage(new Stage(folder, seed, std::move(tools)));
    ASSIGN_OR_RETURN(stage->m_store,
        SqliteStore::create(
            folder + "/payments.db", StoreKind::Live, {stage->m_clock, stage->m_random}));
    return Result<std::unique_ptr<Stage>>(std::move(stage));
}

template <typename Function> void Stage::play(Function &&function)
{
    if (m_trouble)
        m_trouble = function();
}

void Stage::waitUntil(Time at)
{
    if (at > m_clock.now())
        m_clock.advance(at.us - m_clock.now().us);
}

void Stage::pause(std::int64_t secondsMin, std::int64_t secondsMax)
{
    const auto spread = static_cast<std::uint64_t>((secondsMax - secondsMin) * 1000 + 1);
    m_clock.advance(secondsMin * kUsPerSecond
        + static_cast<std::int64_t>(m_random.below(spread)) * kUsPerMs
        + static_cast<std::int64_t>(m_random.below(1000)));
}

void Stage::plan(const std::string &runId, const std::string &label, const std::vector<Ask> &asks)
{
    play([&]() -> Result<void> {
        Plan plan;
        plan.runId = runId;
        plan.revision = m_runs[runId] + 1;
        plan.label = label;
        plan.account = "acct_nordlicht_shop";
        for (const Ask &ask : asks)
            plan.actions.push_back({std::nullopt, ask.tool, ask.args.dump()});
        RETURN_IF_ERROR(writePlan(*m_store, m_clock, plan, m_tools));
        m_runs[runId] = plan.revision;
        m_actions += static_cast<std::int64_t>(asks.size());
        pause(0, 2);
        return {};
    });
}

Result<Executor *> Stage::workerFor(const std::string &runId)
{
    const std::string agent = agentOf(runId);
    auto &worker = m_workers[agent];
    if (!worker) {
        // Everything that names a machine is seeded: the same seed gives the same store.
        Owner owner;
        owner.id = m_random.hex128();
        owner.host = agent + "-worker";
        owner.bootId = m_random.hex128();
        owner.pid = static_cast<std::int64_t>(1000 + m_random.below(30'000));
        owner.startTicks = static_cast<std::int64_t>(m_random.below(100'000'000));
        ASSIGN_OR_RETURN(worker,
            Executor::create(
                *m_store, m_runner, {m_clock, m_random, &m_tools, owner, [this](Step at) {
                                         if (m_workerDiesAt == at)
                                             throw SimulatedCrash {};
                                     }}));
    }
    return worker.get();
}

Result<void> Stage::deliverNow(
    const std::string &runId, std::int64_t seq, const std::string &expected, const Mishap &mishap)
{
    ASSIGN_OR_RETURN(const Name action, parseName(runId, seq));
    ASSIGN_OR_RETURN(Executor *const worker, workerFor(runId));
    m_runner.setNextFault(mishap.fault);
    m_workerDiesAt = mishap.workerDiesAt;
    ExecuteRequest request {action.run, action.seq, {}, {}, 0};
    if (mishap.otherArgs)
        request.args = mishap.otherArgs->dump();
    std::string answer;
    std::string detail;
    try {
        const ExecuteReport report = worker->execute(request);
        answer = disposition(report.answer);
        if (const auto *refused = std::get_if<answers::Refused>(&report.answer))
            detail = ": " + refused->error.text();
    } catch (const SimulatedCrash &) {
        answer = "died";
        m_workers.erase(agentOf(runId));
    }
    m_workerDiesAt.reset();
    m_runner.setNextFault(ProviderFault::None);
    pause(0, 3);
    if (answer != expected)
        return fail(ErrorCode::Internal,
            "the scene expected " + expected + ", and the answer was " + answer + detail,
            "run " + runId + ", seq " + std::to_string(seq));
    return {};
}

void Stage::deliver(
    const std::string &runId, std::int64_t seq, const std::string &expected, const Mishap &mishap)
{
    play([&] { return deliverNow(runId, seq, expected, mishap); });
}

Result<ActionRecord> Stage::recordOf(const std::string &runId, std::int64_t seq)
{
    ASSIGN_OR_RETURN(const Name action, parseName(runId, seq));
    ASSIGN_OR_RETURN(auto record, m_store->find(deriveKey(action.run, action.seq)));
    if (!record)
        return fail(ErrorCode::NotFound, "no such action", "run " + runId);
    return std::move(*record);
}

void Stage::settle(const std::string &runId, std::int64_t seq, Decision decision,
    const std::string &by, const std::string &reason, const std::string &evidence)
{
    play([&]() -> Result<void> {
        ASSIGN_OR_RETURN(const ActionRecord record, recordOf(runId, seq));
        SettleRequest request;
        request.key = record.key;
        request.decision = decision;
        request.by = by;
        request.reason = reason;
        request.evidence = evidence;
        if (decision == Decision::Landed)
            request.reference = referenceOf(runId, seq);
        request.expected = record.stateHash;
        RETURN_IF_ERROR(reprise::settle(*m_store, m_clock, request));
        pause(20, 90);
        return {};
    });
}

Result<void> Stage::callNow(
    const std::string &runId, std::int64_t seq, const Ask &ask, ProviderFault fault)
{
    const ToolContract *contract = m_tools.find(ask.tool);
    if (contract == nullptr)
        return fail(ErrorCode::Internal, "no tool " + ask.tool);
    const auto earlier = std::count_if(m_olderLog.begin(), m_olderLog.end(),
        [&](const OlderCall &call) { return call.runId == runId && call.seq == seq; });
    m_runner.setNextFault(fault);
    OlderCall logged {runId, seq, ask.tool, ask.args.dump(), {}, m_clock.now(), {}};
    ASSIGN_OR_RETURN(
        const auto call, m_runner.prepare({runId, seq, earlier + 1, logged.args, {}, *contract}));
    logged.answer = call->run();
    logged.endedAt = m_clock.now();
    m_olderLog.push_back(std::move(logged));
    m_runs.emplace(runId, 0);
    m_actions += earlier == 0 ? 1 : 0;
    return {};
}

void Stage::callAsOlderAgent(
    const std::string &runId, std::int64_t seq, const Ask &ask, ProviderFault fault)
{
    play([&] { return callNow(runId, seq, ask, fault); });
}

void Stage::importOlderLog()
{
    play([&] { return importOlderCalls(*m_store, m_clock.now(), m_olderLog, m_tools); });
}

std::string Stage::referenceOf(const std::string &runId, std::int64_t seq)
{
    std::string reference;
    play([&]() -> Result<void> {
        ASSIGN_OR_RETURN(const auto ledger, readLedger(m_folder + "/provider-ledger.jsonl"));
        for (const LedgerLine &line : ledger)
            if (line.runId == runId && line.seq == seq)
                reference = line.reference;
        if (reference.empty())
            return fail(ErrorCode::Internal, "the provider has nothing of this action", runId);
        return {};
    });
    return reference;
}

void Stage::meantOnce(const std::string &cause, std::vector<ActionName> members)
{
    m_intentions.push_back({cause, std::move(members)});
}

void Stage::looksAlike(const std::string &why, std::vector<ActionName> members)
{
    m_lookAlikes.push_back({why, std::move(members)});
}

Result<std::vector<ActionName>> Stage::actionsInDoubt()
{
    std::vector<ActionName> open;
    for (const auto &[runId, revision] : m_runs) {
        ASSIGN_OR_RETURN(const RunId run, RunId::parse(runId));
        ASSIGN_OR_RETURN(const auto seqs, m_store->seqsOf(run, 0));
        for (const std::int64_t seq : seqs) {
            ASSIGN_OR_RETURN(const ActionRecord record, recordOf(runId, seq));
            if (record.state == ActionState::InDoubt || record.state == ActionState::InFlight)
                open.push_back({runId, seq});
        }
    }
    return open;
}

Result<Truth> Stage::close()
{
    RETURN_IF_ERROR(m_trouble);
    ASSIGN_OR_RETURN(const auto open, actionsInDoubt());
    m_workers.clear();
    m_store.reset();
    ASSIGN_OR_RETURN(const auto ledger, readLedger(m_folder + "/provider-ledger.jsonl"));
    return findTruth(ledger, m_intentions, m_lookAlikes, open);
}

} // namespace reprise

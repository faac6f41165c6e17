#include "core/sandbox/rehearsal.h"

#include "core/executor/plan.h"
#include "core/key/key.h"
#include "core/sandbox/fault_plan.h"

#include <utility>
#include <vector>

namespace reprise {

namespace {

constexpr std::int64_t kUsPerMs = 1000;
constexpr std::size_t kBodyShown = 160;

std::string bodyWords(const std::optional<std::string> &body)
{
    return body ? printable(*body, kBodyShown) : "no result";
}

std::string answerWords(const Answer &answer)
{
    return answer.pruned ? "done, details pruned" : bodyWords(answer.body);
}

std::string stepWords(Step step, const ToolContract &contract)
{
    switch (step) {
    case Step::BeforeClaim:
        return "prepares the call of " + contract.name;
    case Step::AfterClaim:
        return "claims the key durably; only this worker may call now, once";
    case Step::AfterCall:
        return "sees the end of the call";
    case Step::AfterRecord:
        return "has recorded durably how it ended";
    }
    return "?";
}

} // namespace

Rehearsal::Rehearsal(const RecordedAction &recorded, const SimulationRequest &request,
    ToolContract contract, std::string contractName)
    : m_recorded(recorded)
    , m_request(request)
    , m_contract(std::move(contract))
    , m_tools {{{m_contract.name, m_contract}}}
    , m_random(request.seed)
    , m_clock(recorded.detail.row.firstAt.value_or(Time {}))
    , m_provider(m_contract)
    , m_tool(m_provider, m_clock, m_random,
          [this](const std::string &actor, const std::string &what) { step(actor, what); })
{
    m_simulation.fault = request.fault;
    m_simulation.keyPolicy = request.keyPolicy;
    m_simulation.seed = request.seed;
    m_simulation.contractName = std::move(contractName);
    m_simulation.scenario
        = scenarioInWords(request.fault, request.keyPolicy, m_contract, request.retries);
}

void Rehearsal::step(const std::string &actor, const std::string &what)
{
    const Time start = m_recorded.detail.row.firstAt.value_or(Time {});
    m_simulation.steps.push_back({m_clock.now().us - start.us, actor, what});
}

void Rehearsal::passTime(std::int64_t msMin, std::int64_t msMax)
{
    const auto spread = static_cast<std::uint64_t>(msMax - msMin);
    m_clock.advance((msMin + static_cast<std::int64_t>(m_random.below(spread))) * kUsPerMs);
}

void Rehearsal::sayWhatTheRecordAnswers()
{
    const ActionDetail &detail = m_recorded.detail;
    const std::string state(name(detail.row.state));
    if (detail.imported) {
        step("store",
            "the record is of another system (" + state
                + "): nothing recorded here is ever executed");
        return;
    }
    switch (detail.row.state) {
    case ActionState::Succeeded:
    case ActionState::Failed:
    case ActionState::Cancelled:
        step("store",
            "a retry of the recorded action now is answered from its record (" + state
                + "), with no call of the tool"
                + (detail.result ? ": recorded " + detail.result->recordedAt.rfc3339() : ""));
        return;
    case ActionState::InDoubt:
        step("store",
            "the recorded action is in doubt (" + detail.row.reason + "); its contract declares "
                + rulesInWords(detail.contract));
        return;
    case ActionState::InFlight:
        step("store",
            detail.ownerAlive.value_or(false)
                ? "the recorded action is in flight: a retry now is answered busy"
                : "the recorded action is in flight and its owner is dead: a retry raises doubt");
        return;
    case ActionState::Planned:
        step("store", "the recorded action is planned: a retry now is its first call");
        return;
    }
}

Result<void> Rehearsal::planAction(const RunId &run, Seq seq, const std::string &args)
{
    Plan plan;
    plan.runId = run.bytes();
    plan.environment = m_recorded.detail.environment;
    plan.account = m_recorded.detail.account;
    plan.dryRun = m_recorded.detail.dryRun;
    plan.actions.push_back({seq.value(), m_recorded.detail.row.tool, args});
    RETURN_IF_ERROR(writePlan(*m_store, m_clock, plan, m_tools));
    return {};
}

Result<std::unique_ptr<Executor>> Rehearsal::makeWorker()
{
    // Owners of stores in memory are known to the whole process, so their ids must not come from
    // the seed: two simulations may run at once. No id reaches the simulation's text.
    SystemRandom fresh;
    const std::int64_t number = ++m_workers;
    const Owner owner {fresh.hex128(), "worker-" + std::to_string(number), {}, number, 0};
    return Executor::create(
        *m_store, m_tool, {m_clock, m_random, &m_tools, owner, [this](Step at) { onStep(at); }});
}

void Rehearsal::onStep(Step at)
{
    passTime(1, 6);
    step("executor", stepWords(at, m_contract));
    if (m_crashAt != at)
        return;
    m_crashAt.reset();
    step("executor", "dies here");
    throw SimulatedCrash {};
}

Rehearsal::Ending Rehearsal::agentSees(Ending ending, const std::string &what)
{
    m_answered = m_answered || ending == Ending::Answered;
    m_simulation.agentSees.push_back(what);
    step("agent", "sees " + what);
    return ending;
}

Rehearsal::Ending Rehearsal::seen(const ExecuteReport &report)
{
    struct Seen
    {
        Rehearsal &self;
        Ending operator()(const answers::Executed &executed) const
        {
            return self.agentSees(Ending::Answered, "executed: " + answerWords(executed.answer));
        }
        Ending operator()(const answers::Replayed &replayed) const
        {
            ++self.m_simulation.replays;
            return self.agentSees(Ending::Answered,
                "replayed: "
                    + (replayed.answer ? answerWords(*replayed.answer)
                                       : std::string(name(replayed.state)) + ", no result"));
        }
        Ending operator()(const answers::Busy &busy) const
        {
            return self.agentSees(
                Ending::Busy, "busy: " + busy.owner.host + " is still at work under this key");
        }
        Ending operator()(const answers::Conflict &conflict) const
        {
            return self.agentSees(Ending::Open,
                "conflict: " + conflict.what
                    + "; send the original args, or have the planner allocate a new seq");
        }
        Ending operator()(const answers::InDoubt &doubt) const
        {
            std::string settle;
            for (const std::string &way : doubt.canSettle)
                settle += (settle.empty() ? "" : ", or ") + way;
            return self.agentSees(
                Ending::Open, "in doubt: " + doubt.reason + "; what can settle it: " + settle);
        }
        Ending operator()(const answers::NotSent &notSent) const
        {
            return self.agentSees(Ending::Open, "not sent: " + notSent.reason);
        }
        Ending operator()(const answers::Refused &refused) const
        {
            return self.agentSees(Ending::Open, "refused: " + refused.error.text());
        }
        Ending operator()(const answers::ExecutedUnrecorded &unrecorded) const
        {
            return self.agentSees(
                Ending::Answered, "executed, not recorded: " + bodyWords(unrecorded.answer.body));
        }
    };
    return std::visit(Seen {*this}, report.answer);
}

Result<Rehearsal::Ending> Rehearsal::deliverByExecutor(
    const std::string &args, bool duplicate, const RunId &run, Seq seq)
{
    std::unique_ptr<Executor> second;
    std::unique_ptr<Executor> &worker = duplicate ? second : m_worker;
    if (!worker) {
        ASSIGN_OR_RETURN(worker, makeWorker());
    }
    try {
        return seen(worker->execute({run, seq, m_contract.name, args, 0}));
    } catch (const SimulatedCrash &) {
        worker.reset(); // what a kill does: its lock is free
        return agentSees(Ending::Open, "no answer: the worker died");
    }
}

Rehearsal::Ending Rehearsal::seenWithoutKey(const ToolAnswer &answer)
{
    // Without a contract's check there is only the transport: a body that is no JSON is an error to
    // the agent.
    const bool whole = answer.body && Json::parse(*answer.body).has_value();
    if (answer.outcome == OutcomeClass::Succeeded && whole)
        return agentSees(Ending::Answered, "the tool's answer: " + bodyWords(answer.body));
    if (answer.outcome == OutcomeClass::Succeeded)
        return agentSees(Ending::Open, "a cut answer: " + bodyWords(answer.body));
    return agentSees(Ending::Open, "an error: " + answer.reason);
}

Rehearsal::Ending Rehearsal::deliverWithoutKey(const std::string &args)
{
    const auto dies = [&](const std::string &when) {
        m_crashAt.reset();
        step("tool", "its process dies " + when);
        return agentSees(Ending::Open, "no answer: the worker died");
    };
    if (m_crashAt == Step::AfterClaim)
        return dies("before it sends anything; there is no claim and no record");
    step("tool", "is called directly: no claim, no key, no record");
    ToolContract contract = m_contract;
    contract.keyEnv.clear();
    const auto call = m_tool.prepare(
        {m_request.run.bytes(), m_request.seq.value(), 0, args, {}, std::move(contract)});
    if (!call)
        return agentSees(Ending::Open, "an error: " + call.error().text());
    const ToolAnswer answer = (*call)->run();
    if (m_crashAt)
        return dies("with the answer in hand; nothing was recorded");
    return seenWithoutKey(answer);
}

Result<Rehearsal::Ending> Rehearsal::deliver(int number, const std::string &args, bool duplicate)
{
    step("agent",
        number == 1 ? "asks for " + m_contract.name
            : duplicate
            ? "asks for the same again at the same moment (delivery " + std::to_string(number) + ")"
            : "asks again (delivery " + std::to_string(number) + ")");
    switch (m_request.keyPolicy) {
    case KeyPolicy::Planner:
        return deliverByExecutor(args, duplicate, m_request.run, m_request.seq);
    case KeyPolicy::MintedByTool: {
        // A key of its own for every call is, to store and provider, a new action every time.
        ASSIGN_OR_RETURN(const RunId minted, RunId::parse("minted-" + m_random.hex128()));
        ASSIGN_OR_RETURN(const Seq first, Seq::of(1));
        RETURN_IF_ERROR(planAction(minted, first, args));
        step("tool",
            "mints key " + deriveKey(minted, first).hex().substr(0, 12)
                + "…, which nobody has seen before");
        return deliverByExecutor(args, duplicate, minted, first);
    }
    case KeyPolicy::None:
        return deliverWithoutKey(args);
    }
    return fail(ErrorCode::Internal, "unknown key policy");
}

Result<Simulation> Rehearsal::run()
{
    ASSIGN_OR_RETURN(const Json args, Json::parse(m_recorded.args, "the recorded args"));
    ASSIGN_OR_RETURN(
        m_store, SqliteStore::create(":memory:", StoreKind::Sandbox, {m_clock, m_random}));
    sayWhatTheRecordAnswers();
    if (m_request.keyPolicy == KeyPolicy::Planner) {
        RETURN_IF_ERROR(planAction(m_request.run, m_request.seq, m_recorded.args));
        step("planner",
            "plans the action in the sandbox under key "
                + deriveKey(m_request.run, m_request.seq).hex().substr(0, 12) + "…");
    }

    m_crashAt = crashStep(m_request.fault);
    m_tool.setNextFate(firstCallFate(m_request.fault));
    std::vector<int> again; // deliveries that have no answer yet
    Result<void> inside;
    if (m_request.fault == Fault::DuplicateDelivery)
        m_tool.setWhileInside([&] {
            for (int number = 2; inside && number <= m_request.retries + 1; ++number) {
                const auto ending = deliver(number, m_recorded.args, true);
                if (!ending)
                    inside = tl::unexpected(ending.error());
                else if (*ending == Ending::Busy)
                    again.push_back(number);
            }
        });
    RETURN_IF_ERROR(deliver(1, m_recorded.args, false));
    RETURN_IF_ERROR(inside);
    if (m_request.fault != Fault::DuplicateDelivery)
        for (int number = 2; number <= m_request.retries + 1; ++number)
            again.push_back(number);
    const std::string retried
        = m_request.fault == Fault::ArgsChanged ? changedArgs(m_contract, args) : m_recorded.args;
    for (const int number : again) {
        passTime(2'000, 40'000);
        RETURN_IF_ERROR(deliver(number, retried, false));
    }
    RETURN_IF_ERROR(drawUp());
    return std::move(m_simulation);
}

/// Counts and verdict come from the provider's ledger and the agent's answers, and from nothing
/// else.
Result<void> Rehearsal::drawUp()
{
    m_simulation.executions = m_tool.calls();
    for (const SandboxEffect &effect : m_provider.effects()) {
        m_simulation.charges.push_back({effect.reference, effect.key, effect.amount});
        if (!effect.amount)
            continue;
        if (!m_simulation.customerCharged)
            m_simulation.customerCharged = Money {effect.amount->currency, 0};
        std::int64_t &total = m_simulation.customerCharged->minor;
        if (__builtin_add_overflow(total, effect.amount->minor, &total))
            return fail(ErrorCode::InvalidInput, "the amounts are too large to add up");
    }
    const auto meant = m_recorded.detail.row.business.amount;
    if (!m_simulation.customerCharged && meant)
        m_simulation.customerCharged = Money {meant->currency, 0};
    m_simulation.verdict = m_simulation.charges.size() > 1 ? SimulationVerdict::Double
        : m_answered                                       ? SimulationVerdict::Protected
                                                           : SimulationVerdict::Stopped;
    return {};
}

} // namespace reprise

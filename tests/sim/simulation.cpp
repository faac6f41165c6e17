#include "tests/sim/simulation.h"

#include "core/base/file.h"
#include "core/executor/plan.h"
#include "core/executor/process.h"
#include "core/inspect/store_reader.h"
#include "core/journal/verify.h"
#include "core/key/key.h"
#include "core/store/liveness.h"
#include "core/store/sqlite_store.h"
#include "tests/sim/faulty_store.h"
#include "tests/sim/fiber.h"
#include "tests/sim/pause.h"
#include "tests/sim/runner.h"
#include "tests/support/quoted.h"
#include "tests/support/scripted_runner.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace reprise::sim {

namespace {

constexpr std::int64_t kSecondUs = 1'000'000;
constexpr std::int64_t kHourUs = 3600 * kSecondUs;
constexpr std::size_t kProcesses = 4;
constexpr std::size_t kHotRuns = 4;
constexpr std::int64_t kStepsBetweenChecks = 500;
constexpr std::int64_t kStepsBetweenDeepChecks = 20'000;

std::string toolsText(const std::string &chargeVersion)
{
    return test::quoted("{'tools':[{'name':'charge','version':'" + chargeVersion
        + "','result':{'content_type':'application/json','reference':'/id'}},"
          "{'name':'forwarded','result':{'reference':'/id'},"
          "'settle':{'forwarding':{'retention':'24h','attempts':3}}},"
          "{'name':'keyless','key':{'env':''},'result':{'reference':'/id'},"
          "'settle':{'forwarding':{'retention':'24h','attempts':3}}},"
          "{'name':'probed','result':{'reference':'/id'},'settle':{'probe':['/bin/look']}},"
          "{'name':'both','result':{'reference':'/id'},'settle':{'probe':['/bin/look'],"
          "'forwarding':{'retention':'24h','attempts':2}}},"
          "{'name':'repeatable','settle':{'repeatable':true}}]}");
}

constexpr std::array kTools {"charge", "forwarded", "keyless", "probed", "both", "repeatable"};

/// A folder that goes with the object; in memory where the machine has a place for that.
class Folder
{
public:
    Folder()
    {
        std::error_code failure;
        const std::filesystem::path memory = "/dev/shm";
        const auto parent = ::access(memory.c_str(), W_OK) == 0
            ? memory
            : std::filesystem::temp_directory_path(failure);
        std::string name = (parent / "reprise-sim-XXXXXX").string();
        m_path = ::mkdtemp(name.data()) == nullptr ? std::string() : name;
    }
    ~Folder()
    {
        std::error_code failure;
        if (!m_path.empty())
            std::filesystem::remove_all(m_path, failure);
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    [[nodiscard]] const std::string &path() const { return m_path; }

private:
    std::string m_path;
};

/// One executor with its callers, as one operating-system process would have them.
struct Process
{
    Owner owner;
    const ToolSet *tools = nullptr;
    std::unique_ptr<FaultyStore> store;
    std::unique_ptr<SimulatedRunner> runner;
    std::unique_ptr<Executor> executor;
    std::vector<std::unique_ptr<Actor>> actors;
    std::vector<std::unique_ptr<Fiber>> fibers;
    bool zombie = false; ///< its lock was taken from it
};

/// An operator or a planner: one fiber with a connection of its own.
struct Desk
{
    std::unique_ptr<Actor> actor = std::make_unique<Actor>();
    std::unique_ptr<FaultyStore> store;
    std::unique_ptr<Fiber> fiber;
};

class World
{
public:
    explicit World(const SimulationOptions &options)
        : m_options(options)
        , m_random(options.seed)
        , m_provider(m_random, m_trueUs, m_reached)
        , m_oracle(m_reached, m_provider)
    {
        m_oracle.verbose = options.verbose;
        m_oracle.strict = options.strict;
        onPause([this](int ms) { pause(ms); });
    }
    ~World()
    {
        for (const auto &process : m_processes)
            if (process)
                endFibers(*process);
        for (Desk &desk : m_desks)
            desk.fiber->kill();
        onPause({});
    }
    World(const World &) = delete;
    World &operator=(const World &) = delete;

    SimulationResult run()
    {
        if (start())
            go();
        SimulationResult result;
        result.failure = m_oracle.failure();
        result.steps = m_steps;
        result.actions = static_cast<std::int64_t>(m_oracle.keys().size());
        result.calls = m_oracle.calls();
        result.permits = m_oracle.permits();
        result.entries = static_cast<std::int64_t>(m_oracle.journal().size()) + 1;
        result.deaths = m_deaths;
        result.digest = m_oracle.digest();
        result.reached = m_reached;
        for (std::size_t i = 0; i < static_cast<std::size_t>(Known::Count); ++i)
            result.known.push_back(m_oracle.timesKnown(static_cast<Known>(i)));
        return result;
    }

private:
    bool wrong(const std::string &what)
    {
        m_oracle.wrong(what);
        return false;
    }
    [[nodiscard]] bool chance(std::uint64_t tenThousandths)
    {
        return m_random.below(10'000) < tenThousandths;
    }
    template <typename List> [[nodiscard]] auto &oneOf(List &list)
    {
        return list[m_random.below(list.size())];
    }

    // Start

    bool start()
    {
        auto tools = ToolSet::parse(toolsText("1"), "tools", "/");
        auto newer = ToolSet::parse(toolsText("2"), "tools", "/");
        if (!tools || !newer)
            return wrong("the tools do not parse");
        m_tools = std::move(*tools);
        m_newerTools = std::move(*newer);
        m_path = m_folder.path() + "/s.db";
        auto store = SqliteStore::create(m_path, StoreKind::Live, {m_clock, m_random});
        if (!store)
            return wrong("no store: " + store.error().text());
        m_ownersFolder = (*store)->ownersFolder();
        m_plain = std::move(*store);
        m_processes.resize(kProcesses);
        constexpr std::array kDesks {"operator-1", "operator-2", "planner-1", "planner-2"};
        m_desks.resize(kDesks.size());
        for (std::size_t i = 0; i < kDesks.size(); ++i) {
            Desk &desk = m_desks[i];
            desk.actor->name = kDesks[i];
            desk.actor->tools = &m_tools;
            desk.store = openStore(true);
            if (!desk.store)
                return false;
            desk.fiber = std::make_unique<Fiber>([this, &desk, i] {
                for (;;)
                    i < 2 ? operate(desk) : plan(desk);
            });
        }
        return true;
    }

    std::unique_ptr<FaultyStore> openStore(bool faults)
    {
        auto inner = SqliteStore::open(m_path, StoreKind::Live, {m_clock, m_random});
        if (!inner) {
            wrong("the store does not open: " + inner.error().text());
            return {};
        }
        return std::make_unique<FaultyStore>(std::move(*inner),
            FaultyStore::Surroundings {m_oracle, m_reached, m_random,
                [this]() -> Actor & { return *m_actor; }, [this] { others(); },
                [this](Branch how) { die(how); }},
            faults);
    }

    std::unique_ptr<Process> makeProcess(bool faults, const ToolSet &tools)
    {
        auto process = std::make_unique<Process>();
        ++m_processesMade;
        process->owner
            = {m_random.hex128(), "sim", m_boot, 1000 + m_processesMade, m_processesMade};
        process->tools = &tools;
        process->store = openStore(faults);
        if (!process->store)
            return {};
        process->runner = std::make_unique<SimulatedRunner>(
            SimulatedRunner::Surroundings {m_oracle, m_reached, m_random, m_provider,
                [this]() -> Actor & { return *m_actor; }, [this] { others(); },
                [this](Branch how) { die(how); },
                [this](Orphan orphan) {
                    m_reached(Branch::ToolOutlivedOwner);
                    m_orphans.push_back(std::move(orphan));
                }},
            faults);
        ExecutorOptions options {m_clock, m_random, process->tools, process->owner, {}};
        if (faults)
            options.onStep = [this](Step step) { atStep(step); };
        auto executor = Executor::create(*process->store, *process->runner, std::move(options));
        if (!executor) {
            wrong("no executor: " + executor.error().text());
            return {};
        }
        process->executor = std::move(*executor);
        m_oracle.ownerLives(process->owner.id);
        return process;
    }

    void startProcess(std::unique_ptr<Process> &slot)
    {
        slot = makeProcess(true, chance(1500) ? m_newerTools : m_tools);
        if (!slot)
            return;
        Process &process = *slot;
        const std::size_t callers = 1 + m_random.below(2);
        for (std::size_t i = 0; i < callers; ++i) {
            auto actor = std::make_unique<Actor>();
            actor->name = "caller-" + std::to_string(m_processesMade) + "." + std::to_string(i + 1);
            actor->owner = process.owner.id;
            actor->tools = process.tools;
            process.fibers.push_back(
                std::make_unique<Fiber>([this, &process, caller = actor.get()] {
                    for (;;)
                        execute(process, *caller);
                }));
            process.actors.push_back(std::move(actor));
        }
    }

    // Who acts when

    /// A place where others may go on before the one who asks.
    void others()
    {
        if (Fiber::current() != nullptr && chance(4000))
            Fiber::yield();
    }

    void pause(int ms)
    {
        pass(std::int64_t {ms} * 1000);
        if (chance(1000))
            die(Branch::CrashInRetry);
        Fiber::yield();
    }

    void pass(std::int64_t us)
    {
        m_trueUs += us;
        m_clock.advanceUs(us);
    }

    /// The process of the one who acts is killed here.
    void die(Branch how)
    {
        if (Fiber::current() == nullptr)
            return;
        m_reached(how);
        m_oracle.log(m_actor->name + ": killed: " + std::string(name(how)));
        Fiber::die();
    }

    void atStep(Step step)
    {
        Fiber::throwIfKilled();
        static constexpr std::array kHow {Branch::CrashBeforeClaim, Branch::CrashAfterClaim,
            Branch::CrashAfterCall, Branch::CrashAfterRecord};
        if (chance(80))
            die(kHow[static_cast<std::size_t>(step)]);
        others();
        if (chance(4000))
            others();
    }

    void resume(Fiber &fiber, Actor &actor)
    {
        m_actor = &actor;
        fiber.resume();
        m_actor = nullptr;
    }

    void endFibers(Process &process)
    {
        // Twice: the first may wait for a lock that the second holds.
        for (std::size_t round = 0; round < 2; ++round)
            for (std::size_t i = 0; i < process.fibers.size(); ++i) {
                m_actor = process.actors[i].get();
                process.fibers[i]->kill();
            }
        m_actor = nullptr;
        process.fibers.clear();
    }

    /// As by `kill -9`: nothing of it goes on, and the kernel frees its lock.
    void kill(std::unique_ptr<Process> &slot)
    {
        ++m_deaths;
        endFibers(*slot);
        const std::string id = slot->owner.id;
        slot.reset();
        // A killed process leaves its lock file behind, unlocked.
        if (chance(5000)) {
            if (makeFolder(m_ownersFolder)
                && writeFileAtomically(ownerLockPath(m_ownersFolder, id), ""))
                m_reached(Branch::OwnerDeadLockFree);
        } else {
            m_reached(Branch::OwnerDeadNoLock);
        }
        m_oracle.ownerDied(id);
    }

    void go()
    {
        while (m_steps < m_options.steps && m_oracle.failure().empty()) {
            ++m_steps;
            pass(1000 + static_cast<std::int64_t>(m_random.below(20'000)));
            if (chance(200))
                happen();
            else
                act();
            if (m_steps % kStepsBetweenChecks == 0)
                checkAll();
            if (m_steps % kStepsBetweenDeepChecks == 0)
                verifyDeep();
        }
        if (m_oracle.failure().empty())
            end();
    }

    void act()
    {
        const std::size_t who = m_random.below(kProcesses * 2 + m_desks.size());
        if (who >= kProcesses * 2) {
            Desk &desk = m_desks[who - kProcesses * 2];
            resume(*desk.fiber, *desk.actor);
            return;
        }
        auto &slot = m_processes[who / 2];
        if (!slot) {
            if (chance(3000))
                startProcess(slot);
            return;
        }
        const std::size_t caller = who % 2;
        if (caller >= slot->fibers.size())
            return;
        resume(*slot->fibers[caller], *slot->actors[caller]);
        if (slot->fibers[caller]->crashed())
            kill(slot);
    }

    /// Something from outside.
    void happen()
    {
        auto &slot = oneOf(m_processes);
        switch (m_random.below(12)) {
        case 0:
            if (slot)
                kill(slot);
            return;
        case 1:
            declareDead(slot);
            return;
        case 2: {
            m_reached(Branch::ClockBack);
            const std::array kBack {
                kSecondUs, kHourUs, 30 * kHourUs, std::int64_t {366} * 24 * kHourUs};
            m_clock.advanceUs(-oneOf(kBack));
            m_oracle.log("the clock goes back");
            return;
        }
        case 3: {
            m_reached(Branch::ClockForward);
            const std::array kForward {
                kHourUs, 5 * kHourUs, 30 * kHourUs, std::int64_t {366} * 24 * kHourUs};
            const std::int64_t us = oneOf(kForward);
            m_clock.advanceUs(us);
            if (chance(7000))
                m_trueUs += us;
            m_oracle.log("the clock goes forward");
            return;
        }
        case 4:
        case 5:
            toWindowEnd();
            return;
        case 6:
        case 7:
            m_provider.landLate(false);
            return;
        case 8:
        case 9:
        case 10:
            endOrphan();
            return;
        default:
            // The machine sleeps: all clocks go on, nobody acts.
            pass(static_cast<std::int64_t>(m_random.below(10)) * 60 * kSecondUs);
            return;
        }
    }

    /// Somebody removes the lock file of a process that lives.
    void declareDead(std::unique_ptr<Process> &slot)
    {
        if (!slot || slot->zombie)
            return;
        slot->zombie = true;
        ::unlink(ownerLockPath(m_ownersFolder, slot->owner.id).c_str());
        m_reached(Branch::DeclaredDeadWhileAlive);
        m_oracle.ownerDied(slot->owner.id);
    }

    /// The clock comes close to the end of some forwarding window.
    void toWindowEnd()
    {
        for (int i = 0; i < 10 && !m_hot.empty(); ++i) {
            const Model *model = m_oracle.find(hotKey());
            if (model == nullptr || !model->firstDispatch || isFinal(model->state))
                continue;
            const std::int64_t end = model->firstDispatch->us + Provider::kRetentionUs
                - static_cast<std::int64_t>(m_random.below(12)) * 60 * kSecondUs;
            const std::int64_t ahead = end - m_clock.now().us;
            if (ahead <= 0)
                continue;
            m_reached(Branch::ClockAtWindowEnd);
            pass(ahead);
            return;
        }
    }

    void endOrphan()
    {
        if (m_orphans.empty())
            return;
        Orphan orphan = std::move(m_orphans.front());
        m_orphans.erase(m_orphans.begin());
        // It has sent its request, or sends it now; nobody hears the answer.
        if (!orphan.hasSent && chance(5000))
            (void)m_provider.call(orphan.call);
        orphan.process.reset();
        if (Model *model = m_oracle.find(keyOf(orphan.call.runId, orphan.call.seq)))
            model->toolRuns.reset();
        m_oracle.log("a tool that outlived its owner has ended");
    }

    // Callers

    [[nodiscard]] Key hotKey()
    {
        const auto &keys = m_oracle.keys();
        if (keys.empty())
            return {};
        if (m_hot.empty() || chance(1000))
            return oneOf(keys);
        const std::vector<Key> &some = m_oracle.keysOf(oneOf(m_hot));
        if (some.empty())
            return oneOf(keys);
        // What has not ended is asked for more often, and what was just asked for again.
        if (chance(2500) && m_oracle.find(m_lastKey) != nullptr)
            return m_lastKey;
        for (int i = 0; i < 4; ++i)
            if (const Key key = oneOf(some); !isFinal(m_oracle.find(key)->state))
                return m_lastKey = key;
        return m_lastKey = oneOf(some);
    }

    [[nodiscard]] static std::string argsOf(std::int64_t amount, bool respelt)
    {
        return respelt ? "{ \"note\":\"n\", \"amount\":" + std::to_string(amount / 100) + "e2}"
                       : "{\"amount\":" + std::to_string(amount) + ",\"note\":\"n\"}";
    }
    [[nodiscard]] std::int64_t anAmount()
    {
        return 100 * (1 + static_cast<std::int64_t>(m_random.below(5)));
    }

    void execute(Process &process, Actor &actor)
    {
        Fiber::yield();
        if (m_oracle.keys().empty())
            return;
        const Key key = hotKey();
        const Model &model = *m_oracle.find(key);
        std::string runId = model.runId;
        std::int64_t seq = model.seq;
        Request request;
        std::optional<std::string> args;
        const std::uint64_t kind = m_random.below(100);
        if (kind < 70) {
        } else if (kind < 78) {
            request.amount = model.amount;
            args = argsOf(model.amount, true);
        } else if (kind < 86) {
            request.amount = anAmount();
            args = argsOf(*request.amount, false);
        } else if (kind < 90) {
            request.tool = oneOf(kTools);
        } else if (kind < 92) {
            request.badInput = true;
            args = "{\"amount\":1,\"amount\":2}";
        } else if (kind < 97) {
            seq = 40 + static_cast<std::int64_t>(m_random.below(6));
            request.tool = oneOf(kTools);
            request.amount = anAmount();
            args = argsOf(*request.amount, false);
        } else {
            seq = 90;
            request.inNoPlan = true;
        }
        executeOne(*process.executor, actor, std::move(request), runId, seq, std::move(args));
    }

    /// Does an executor with these tools offer the contract that the action is bound to?
    [[nodiscard]] bool isOffered(const ToolSet &tools, const Model &model)
    {
        std::map<std::string, Digest> &digests = m_offered[&tools == &m_tools ? 0 : 1];
        if (digests.empty())
            for (const auto &[tool, contract] : tools.tools)
                digests[tool] = contract.digest();
        return digests[model.tool] == model.contract;
    }

    ExecuteReport executeOne(Executor &executor, Actor &actor, Request request,
        const std::string &runId, std::int64_t seq, std::optional<std::string> args)
    {
        const RunId run = *RunId::parse(runId);
        const Seq number = *Seq::of(seq);
        request.key = keyOf(runId, seq);
        request.runId = runId;
        const Model *known = m_oracle.find(request.key);
        const bool unplanned = known == nullptr;
        if (known != nullptr) {
            request.otherVersion = !isOffered(*actor.tools, *known);
        }
        const ExecuteRequest asked {run, number, request.tool, std::move(args), 0};
        m_oracle.log(actor.name + ": execute " + runId + " #" + std::to_string(seq));
        request.startedAt = m_oracle.now();
        actor.request = std::move(request);
        ExecuteReport report = executor.execute(asked);
        if (unplanned && m_oracle.find(report.key) != nullptr)
            m_reached(Branch::PlannedByExecute);
        m_oracle.answered(actor, report);
        return report;
    }

    // Operators

    void operate(Desk &desk)
    {
        Fiber::yield();
        if (m_oracle.keys().empty())
            return;
        const Key key = hotKey();
        const Model &model = *m_oracle.find(key);
        if (model.state != ActionState::InDoubt && model.state != ActionState::InFlight
            && !chance(500))
            return;
        Asked asked;
        asked.movesSeen = model.moves;
        asked.callsSeen = model.calls.size();
        asked.inFlightSeen = model.state == ActionState::InFlight;
        const auto seen = desk.store->inner().find(key);
        if (!seen || !*seen)
            return;
        SettleRequest &request = asked.request;
        request.key = key;
        request.by = desk.actor->name;
        request.reason = "looked at the statement";
        request.expected = (*seen)->stateHash;
        request.decision = static_cast<Decision>(m_random.below(3));
        if (request.decision == Decision::Landed) {
            ++m_decisions;
            if (chance(6000))
                request.result = "{\"id\":\"ch_op" + std::to_string(m_decisions) + "\"}";
            else
                request.reference = "ref-" + std::to_string(m_decisions);
        }
        // Time to think: the state may change under the decision.
        for (std::uint64_t i = m_random.below(6); i > 0; --i)
            Fiber::yield();
        desk.actor->asked = asked;
        const auto settled = settle(*desk.store, m_clock, request);
        desk.actor->asked.reset();
        if (settled)
            return;
        if (settled.error().code == ErrorCode::Conflict)
            m_reached(Branch::OperatorLostRace);
        if (settled.error().what.find("is still running") != std::string::npos)
            m_reached(Branch::OperatorHeldByTool);
    }

    // Planners

    void plan(Desk &desk)
    {
        Fiber::yield();
        const std::uint64_t kind = m_random.below(100);
        if (m_hot.size() < kHotRuns) {
            if (kind < 80)
                planNew(desk);
        } else if (kind < 4) {
            planMore(desk);
        } else if (kind < 7 && !m_plans.empty()) {
            planAgain(desk, false);
        } else if (kind < 10 && !m_plans.empty()) {
            planAgain(desk, true);
        } else if (kind < 11) {
            close(desk);
        } else if (kind < 14) {
            cancel(desk);
        } else if (kind < 22) {
            m_hot.erase(m_hot.begin());
        }
    }

    [[nodiscard]] std::vector<PlannedAction> someActions(std::size_t count)
    {
        std::vector<PlannedAction> actions;
        for (std::size_t i = 0; i < count; ++i)
            actions.push_back({std::nullopt, oneOf(kTools), argsOf(anAmount(), false)});
        return actions;
    }

    Result<PlanReceipt> handIn(Desk &desk, const Plan &plan)
    {
        auto receipt = writePlan(*desk.store, m_clock, plan, m_tools);
        if (receipt) {
            for (const PlanReceipt::Row &row : receipt->actions)
                if (row.key != keyOf(plan.runId, row.seq))
                    wrong("I8: a receipt names another key than the derived one");
            if (receipt->alreadyPlanned)
                m_reached(Branch::PlanHandedInAgain);
        }
        return receipt;
    }

    void planNew(Desk &desk)
    {
        Plan plan;
        plan.runId = "run-" + std::to_string(++m_runs);
        plan.ordered = chance(1500);
        plan.actions = someActions(2 + m_random.below(4));
        m_hot.push_back(plan.runId);
        m_plans.push_back(plan);
        if (m_plans.size() > 8)
            m_plans.erase(m_plans.begin());
        (void)handIn(desk, plan);
    }

    void planMore(Desk &desk)
    {
        const std::string runId = oneOf(m_hot);
        const auto run = desk.store->inner().findRun(*RunId::parse(runId));
        if (!run || !*run)
            return;
        Plan plan;
        plan.runId = runId;
        plan.revision = (*run)->revision + 1;
        plan.ordered = (*run)->ordered;
        plan.actions = someActions(1);
        // Another planner may be faster with this revision.
        Fiber::yield();
        const auto receipt = handIn(desk, plan);
        if (!receipt && receipt.error().code == ErrorCode::Conflict)
            m_reached(Branch::PlanLostRace);
    }

    void planAgain(Desk &desk, bool changed)
    {
        Plan plan = oneOf(m_plans);
        if (changed)
            plan.actions[0].args = argsOf(777'700, false);
        const std::int64_t before = m_oracle.now();
        const auto receipt = handIn(desk, plan);
        const Model *first = m_oracle.find(keyOf(plan.runId, 1));
        if (!changed || first == nullptr || before == m_oracle.now())
            return;
        if (first->amount != 777'700) {
            if (receipt)
                wrong("E92: other content was taken under a recorded revision");
            m_reached(Branch::PlanChanged);
        }
    }

    void close(Desk &desk)
    {
        const std::array events {Event {m_clock.now(), RunClosed {oneOf(m_hot)}}};
        if (m_oracle.find(keyOf(std::get<RunClosed>(events[0].body).runId, 1)) == nullptr)
            return;
        Store &store = *desk.store;
        if (store.append(events, {}, {}))
            m_reached(Branch::RunClosed);
    }

    void cancel(Desk &desk)
    {
        const Key key = hotKey();
        Store &store = *desk.store;
        const auto seen = store.find(key);
        if (!seen || !*seen || (*seen)->state != ActionState::Planned)
            return;
        const std::array events {Event {m_clock.now(), ActionCancelled {key, desk.actor->name}}};
        const std::array preconditions {Precondition {key, (*seen)->stateEntry}};
        ignoreError(store.append(events, {}, preconditions), "somebody was faster");
    }

    // Checks

    void checkAll()
    {
        const auto &keys = m_oracle.keys();
        constexpr std::size_t kRecent = 60;
        for (std::size_t i = keys.size() > kRecent ? keys.size() - kRecent : 0; i < keys.size();
             ++i)
            m_oracle.compare(*m_plain, keys[i]);
        for (int i = 0; i < 20 && !keys.empty(); ++i)
            m_oracle.compare(*m_plain, oneOf(keys));
    }

    /// I5 and I10, by the program's own verification; and the journal is what was committed.
    void verifyDeep()
    {
        auto reader = StoreReader::open(m_path);
        if (!reader) {
            wrong("the store cannot be read: " + reader.error().text());
            return;
        }
        VerifyOptions options;
        options.deep = true;
        const auto verified = verifyStore(**reader, options);
        if (!verified)
            wrong("verification: " + verified.error().text());
        else if (!verified->ok)
            wrong("I10: " + verified->findings[0].kind + ", " + verified->findings[0].where + ": "
                + verified->findings[0].what);
        const auto &expected = m_oracle.journal();
        std::int64_t after = 1;
        for (;;) {
            const auto rows = (*reader)->journal(after, 5000);
            if (!rows) {
                wrong("the journal cannot be read: " + rows.error().text());
                return;
            }
            if (rows->empty())
                break;
            for (const JournalRow &row : *rows) {
                const auto i = static_cast<std::size_t>(row.entry) - 2;
                const auto event = Event::decode(row.kind, row.at, row.payload);
                if (i >= expected.size() || !event || expected[i].first != row.kind
                    || expected[i].second != event->key()) {
                    wrong("I5: entry " + std::to_string(row.entry) + " was never written");
                    return;
                }
                after = row.entry;
            }
        }
        if (after != static_cast<std::int64_t>(expected.size()) + 1)
            wrong("I5: the journal ends at entry " + std::to_string(after) + " of "
                + std::to_string(expected.size() + 1));
    }

    /// All trouble is over: every action gets the answer that it has to get.
    void end()
    {
        m_oracle.log("the trouble is over");
        for (auto &slot : m_processes)
            if (slot)
                kill(slot);
        m_provider.landLate(true);
        while (!m_orphans.empty())
            endOrphan();
        m_provider.calm();
        for (Desk &desk : m_desks) {
            m_actor = desk.actor.get();
            desk.fiber->kill();
        }
        for (const ToolSet *tools : {&m_tools, &m_newerTools}) {
            const auto process = makeProcess(false, *tools);
            if (!process)
                return;
            Actor actor;
            actor.name = "the last one";
            actor.owner = process->owner.id;
            actor.tools = tools;
            m_actor = &actor;
            executeAll(*process, actor);
            m_actor = nullptr;
            m_oracle.ownerDied(process->owner.id);
        }
        for (const Key &key : m_oracle.keys())
            m_oracle.compare(*m_plain, key);
        m_oracle.checkOutcomesKept();
        verifyDeep();
    }

    void executeAll(Process &process, Actor &actor)
    {
        const std::vector<Key> keys = m_oracle.keys();
        for (const Key &key : keys) {
            const Model model = *m_oracle.find(key);
            const std::string expected = expectedAnswer(model, actor);
            std::string here = model.runId;
            here.append(" #").append(std::to_string(model.seq)).append(" ").append(model.tool);
            const auto again = [&] {
                return std::string(disposition(
                    executeOne(*process.executor, actor, {}, model.runId, model.seq, {}).answer));
            };
            const std::string first = again();
            if (!expected.empty() && first != expected)
                wrong(here.append(", ")
                          .append(name(model.state))
                          .append(": answered ")
                          .append(first)
                          .append(", not ")
                          .append(expected));
            const Model &after = *m_oracle.find(key);
            if (isFinal(after.state) && after.state != ActionState::Cancelled
                && again() != "replayed")
                wrong(here.append(": ended, and not replayed"));
            if (!m_oracle.failure().empty())
                return;
        }
    }

    /// What a caller has to hear now that nothing fails; empty where it depends on minutes.
    [[nodiscard]] std::string expectedAnswer(const Model &model, const Actor &actor)
    {
        const ToolContract *offered = actor.tools->find(model.tool);
        const bool otherVersion = !isOffered(*actor.tools, model);
        switch (model.state) {
        case ActionState::Succeeded:
        case ActionState::Failed:
            return "replayed";
        case ActionState::Cancelled:
            return "cancelled";
        case ActionState::Planned: {
            const bool closed = m_oracle.isClosed(model.runId) && model.calls.empty();
            const bool blocked
                = m_oracle.isOrdered(model.runId) && !m_oracle.lowerSeqsAreFinal(model);
            return closed || blocked || otherVersion ? "refused" : "executed";
        }
        case ActionState::InFlight:
        case ActionState::InDoubt:
            break;
        }
        if (otherVersion)
            return "in_doubt";
        if (m_oracle.isOrdered(model.runId) || m_oracle.isClosed(model.runId))
            return {};
        if (offered->forwarding && !offered->keyEnv.empty()
            && static_cast<std::int64_t>(model.calls.size()) < offered->forwarding->attemptsMax) {
            const std::int64_t age = m_clock.now().us - model.firstDispatch->us;
            const std::int64_t latest
                = std::max(age, m_oracle.newestAt().us - model.firstDispatch->us);
            const std::int64_t left = offered->forwarding->retentionUs - latest;
            if (age >= 0 && left > std::int64_t {600} * kSecondUs)
                return "executed";
            if (age >= 0 && left > 0)
                return {};
        }
        if (!offered->probe.empty())
            return m_provider.effects({model.runId, model.seq}).empty() ? "executed" : "replayed";
        return offered->repeatable ? "executed" : "in_doubt";
    }

    SimulationOptions m_options;
    Folder m_folder;
    SeededRandom m_random;
    test::FakeClock m_clock;
    std::int64_t m_trueUs = 0;
    Reached m_reached;
    Provider m_provider;
    Oracle m_oracle;
    ToolSet m_tools;
    ToolSet m_newerTools;
    std::array<std::map<std::string, Digest>, 2> m_offered;
    std::string m_path;
    std::string m_ownersFolder;
    std::string m_boot = bootId();
    std::unique_ptr<Store> m_plain; ///< for checks, without faults
    std::vector<Orphan> m_orphans;
    std::vector<Desk> m_desks;
    std::vector<std::unique_ptr<Process>> m_processes;
    std::vector<std::string> m_hot; ///< runs that callers mostly ask for
    std::vector<Plan> m_plans;
    Key m_lastKey;
    Actor *m_actor = nullptr; ///< who acts now
    std::int64_t m_steps = 0;
    std::int64_t m_processesMade = 0;
    std::int64_t m_runs = 0;
    std::int64_t m_decisions = 0;
    std::int64_t m_deaths = 0;
};

} // namespace

SimulationResult simulate(const SimulationOptions &options)
{
    World world(options);
    return world.run();
}

} // namespace reprise::sim

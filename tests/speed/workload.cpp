#include "tests/speed/workload.h"

#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/executor/plan.h"
#include "core/key/key.h"
#include "core/store/sqlite_store.h"
#include "tests/speed/counting_vfs.h"

#include <signal.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace reprise::speed {

namespace {

constexpr std::int64_t kActionsPerRun = 1000;
const std::string kTool = "charge_card";

/// A contract as a payment tool declares it: the reference is read, the business meaning kept.
const ToolSet &tools()
{
    static const ToolSet set = [] {
        ToolContract contract = ToolContract::undeclared(kTool);
        contract.contentType = "application/json";
        contract.required = {"/id"};
        contract.reference = "/id";
        contract.business.kind = BusinessKind::Charge;
        contract.business.amount = "/amount";
        contract.business.currency = "/currency";
        contract.business.payee = "/customer";
        contract.business.order = "/order";
        ToolSet made;
        made.tools.emplace(kTool, std::move(contract));
        return made;
    }();
    return set;
}

std::string argsOf(std::int64_t seq)
{
    const std::string number = std::to_string(seq);
    return R"({"amount":)" + std::to_string(1000 + seq % 9000)
        + R"(,"currency":"EUR","customer":"cus_)" + number + R"(","order":"A-)" + number
        + R"(","description":"Monthly plan, two seats, billed by the agent that looks after)"
          R"( renewals; see the order for what was agreed"})";
}

std::string answerTo(const std::string &runId, std::int64_t seq)
{
    const std::string number = std::to_string(seq);
    return R"({"id":"ch_)" + runId + "_" + number + R"(","status":"succeeded","order":"A-)" + number
        + R"(","receipt":"https://pay.example/receipts/)" + number
        + R"(","message":"The card was charged; the customer gets a receipt by mail"})";
}

class InstantCall final : public PreparedCall
{
public:
    explicit InstantCall(const ToolCall &call)
        : m_body(answerTo(call.runId, call.seq))
    {
    }
    [[nodiscard]] std::optional<ProcessId> process() const override { return std::nullopt; }
    [[nodiscard]] ToolAnswer run() override
    {
        return {OutcomeClass::Succeeded, "0", {}, std::move(m_body), {}};
    }

private:
    std::string m_body;
};

/// The work folder, removed with everything in it when the program ends well.
class Folder
{
public:
    Folder()
        : m_path(cacheFolder() + kPrefix + std::to_string(::getpid()))
    {
        must(makeFolder(m_path));
        removeAbandoned();
    }
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    [[nodiscard]] const std::string &path() const { return m_path; }

private:
    static constexpr const char *kPrefix = "/run-";

    /// Folders of runs that were killed.
    static void removeAbandoned()
    {
        std::error_code ignored;
        for (const auto &entry : std::filesystem::directory_iterator(cacheFolder(), ignored)) {
            const std::string name = "/" + entry.path().filename().string();
            if (!name.starts_with(kPrefix))
                continue;
            const auto pid
                = static_cast<pid_t>(std::strtol(name.c_str() + std::strlen(kPrefix), nullptr, 10));
            if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH)
                std::filesystem::remove_all(entry.path(), ignored);
        }
    }

    std::string m_path;
};

/// Asks for durable notes where the executor offers the choice; without it all notes are durable.
template <typename Options> void makeNotesDurable(Options &options)
{
    if constexpr (requires { options.durableReplays = true; })
        options.durableReplays = true;
}

RunId runNamed(const std::string &name)
{
    return must(RunId::parse(name));
}

} // namespace

void stopFor(const Error &error)
{
    std::fprintf(stderr, "the measurement stops: %s\n", error.text().c_str());
    std::exit(1);
}

std::string cacheFolder()
{
    const auto from = [](const char *name) -> std::string {
        const char *value = std::getenv(name);
        return value == nullptr ? "" : value;
    };
    if (const std::string chosen = from("REPRISE_BENCH_DIR"); !chosen.empty())
        return chosen;
    if (const std::string cache = from("XDG_CACHE_HOME"); !cache.empty())
        return cache + "/reprise-bench";
    if (const std::string home = from("HOME"); !home.empty())
        return home + "/.cache/reprise-bench";
    return std::filesystem::temp_directory_path().string() + "/reprise-bench";
}

const std::string &workFolder()
{
    static const Folder folder;
    return folder.path();
}

std::string newPath(const std::string &name)
{
    static int made = 0;
    return workFolder() + "/" + name + "-" + std::to_string(++made) + ".db";
}

bool inMemory(const std::string &folder)
{
    constexpr long kTmpfs = 0x01021994;
    constexpr long kRamfs = 0x858458f6;
    struct statfs info
    {
    };
    return ::statfs(folder.c_str(), &info) == 0 && (info.f_type == kTmpfs || info.f_type == kRamfs);
}

Result<std::unique_ptr<PreparedCall>> InstantTool::prepare(const ToolCall &call)
{
    return Result<std::unique_ptr<PreparedCall>>(std::make_unique<InstantCall>(call));
}

ProbeResult InstantTool::probe(const ToolCall & /*call*/)
{
    return {};
}

Workload::Workload(const std::string &path, const std::string &runs, Notes notes)
    : m_path(path)
    , m_runs(runs)
{
    const bool there = std::filesystem::exists(path);
    m_store = must(there ? SqliteStore::open(path, StoreKind::Live, {m_clock, m_random})
                         : SqliteStore::create(path, StoreKind::Live, {m_clock, m_random}));
    ExecutorOptions options {m_clock, m_random, &tools()};
    if (notes == Notes::Durable)
        makeNotesDurable(options);
    m_executor = must(Executor::create(*m_store, m_tool, std::move(options)));
}

void Workload::plan(const std::string &run, std::int64_t count)
{
    Plan plan;
    plan.runId = run;
    for (std::int64_t seq = 1; seq <= count; ++seq)
        plan.actions.push_back({seq, kTool, argsOf(seq)});
    (void)must(writePlan(*m_store, m_clock, plan, tools()));
}

void Workload::stock(std::int64_t count)
{
    while (static_cast<std::int64_t>(m_actions.size() - std::min(m_next.load(), m_actions.size()))
        < count) {
        const std::string run = m_runs + "-" + std::to_string(++m_runsPlanned);
        plan(run, kActionsPerRun);
        for (std::int64_t seq = 1; seq <= kActionsPerRun; ++seq)
            m_actions.push_back({runNamed(run), must(Seq::of(seq))});
    }
    m_next = std::min(m_next.load(), m_actions.size());
}

bool Workload::executeNext()
{
    const std::size_t at = m_next.fetch_add(1);
    if (at >= m_actions.size()) {
        m_next.fetch_sub(1);
        return false;
    }
    execute(m_actions[at]);
    return true;
}

void Workload::execute(const Planned &action)
{
    const ExecuteReport report = m_executor->execute({action.run, action.seq, {}, {}, 0});
    if (std::holds_alternative<answers::Executed>(report.answer))
        return;
    if (const auto *refused = std::get_if<answers::Refused>(&report.answer))
        stopFor(refused->error);
    stopFor({ErrorCode::Internal,
        "an action was not executed but " + std::string(disposition(report.answer)), {}, {}});
}

const Planned &Workload::done(std::uint64_t turn, std::int64_t count) const
{
    // A step that is odd and large visits them in no order that a cache could follow.
    constexpr std::uint64_t kStep = 7919;
    return m_actions[static_cast<std::size_t>(turn * kStep % static_cast<std::uint64_t>(count))];
}

void Workload::replay(std::uint64_t turn, std::int64_t count)
{
    const Planned &action = done(turn, count);
    const ExecuteReport report = m_executor->execute({action.run, action.seq, {}, {}, 0});
    const auto *replayed = std::get_if<answers::Replayed>(&report.answer);
    if (replayed == nullptr || !replayed->answer || !replayed->answer->body)
        stopFor({ErrorCode::Internal, "an action was not replayed", {}, {}});
}

void Workload::lookUp(std::uint64_t turn, std::int64_t count)
{
    const Planned &action = done(turn, count);
    const auto record = must(m_store->find(deriveKey(action.run, action.seq)));
    if (!record || !record->result || !record->result->body
        || !must(m_store->body(*record->result->body)))
        stopFor({ErrorCode::Internal, "an action has no recorded answer", {}, {}});
}

std::int64_t actionsNeeded(double rate, double seconds)
{
    constexpr std::int64_t kFirst = 500;
    constexpr double kSpare = 1.5;
    return std::max(kFirst, static_cast<std::int64_t>(rate * seconds * kSpare));
}

namespace {

/// What an executed action of this workload takes on the disk, about.
constexpr double kBytesPerAction = 2500;

/// One run of executed actions as its events, in the order in which an executor appends them.
void appendExecutedRun(Store &store, SystemClock &clock, const std::string &run)
{
    const ToolContract &contract = tools().tools.at(kTool);
    const Digest bound = contract.digest();
    const Owner owner {"00000000000000000000000000000b01", "bench", "boot", 1, 1};
    std::vector<Event> events;
    std::vector<Body> bodies;
    const auto keep = [&](std::string bytes) {
        const Digest digest = Sha256::of(bytes);
        bodies.push_back({digest, std::move(bytes)});
        return digest;
    };
    const RunId id = runNamed(run);
    const Time now = clock.now();
    events.push_back(
        {now, RunPlanned {run, 1, Sha256::of(run), {}, false, "live", {}, false, false, {}}});
    events.push_back(
        {now, ContractBound {kTool, contract.version, bound, contract.toJson().canonical()}});
    for (std::int64_t seq = 1; seq <= kActionsPerRun; ++seq) {
        const Key key = deriveKey(id, must(Seq::of(seq)));
        const std::string args = argsOf(seq);
        const Json parsed = must(Json::parse(args));
        events.push_back({now,
            ActionPlanned {run, seq, key, false, kTool, true, bound,
                fingerprint({kTool, contract.version, "live", {}, false, {}}, parsed), keep(args),
                contract.business.read(parsed)}});
        events.push_back(
            {now, Claimed {key, 1, 1, owner, {}, formatKey(key, contract.keyForm), Permit::First}});
        std::string answer = answerTo(run, seq);
        RecordedResult result;
        result.status = "0";
        result.contentType = contract.contentType;
        result.bodyBytes = static_cast<std::int64_t>(answer.size());
        result.reference = "ch_" + run + "_" + std::to_string(seq);
        result.recordedAt = now;
        result.body = keep(std::move(answer));
        events.push_back({now,
            OutcomeRecorded {key, 1, 1, OutcomeClass::Succeeded, {}, std::move(result), {}, {}}});
    }
    (void)must(store.append(events, bodies, {}));
}

} // namespace

std::string largeStore(std::int64_t actions)
{
    const std::string path = cacheFolder() + "/executed-" + std::to_string(actions) + ".db";
    SystemClock clock;
    SystemRandom random;
    if (std::filesystem::exists(path)) {
        if (SqliteStore::open(path, StoreKind::Live, {clock, random}))
            return path;
        for (const char *suffix : {"", "-wal", "-shm"})
            std::filesystem::remove(path + suffix);
    }
    // Under another name until it is whole; one that was left half-way goes on.
    const FlushingScope fast(false);
    const std::string partial = path + ".part";
    must(makeFolder(cacheFolder()));
    const double needed = static_cast<double>(actions) * kBytesPerAction;
    if (static_cast<double>(std::filesystem::space(cacheFolder()).available) < needed
        && !std::filesystem::exists(partial))
        stopFor({ErrorCode::StoreFull,
            "a store of " + std::to_string(actions) + " actions does not fit on this disk",
            cacheFolder(), "ask for a smaller one with --actions, or set REPRISE_BENCH_DIR"});
    {
        const auto store = must(std::filesystem::exists(partial)
                ? SqliteStore::open(partial, StoreKind::Live, {clock, random})
                : SqliteStore::create(partial, StoreKind::Live, {clock, random}));
        const std::int64_t runs = (actions + kActionsPerRun - 1) / kActionsPerRun;
        constexpr std::int64_t kSayEvery = 100;
        for (std::int64_t i = 1; i <= runs; ++i) {
            const std::string run = "bulk-" + std::to_string(i);
            if (!must(store->findRun(runNamed(run))))
                appendExecutedRun(*store, clock, run);
            if (i % kSayEvery == 0 || i == runs)
                std::fprintf(stderr, "\rmaking a store of %lld actions: %lld",
                    static_cast<long long>(actions), static_cast<long long>(i * kActionsPerRun));
        }
        std::fputs("\n", stderr);
    }
    std::filesystem::rename(partial, path);
    return path;
}

} // namespace reprise::speed

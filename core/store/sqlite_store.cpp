#include "core/store/sqlite_store.h"

#include "core/base/embedded.h"
#include "core/base/file.h"
#include "core/store/evidence.h"
#include "core/store/group_commit.h"
#include "core/store/liveness.h"
#include "core/store/projector.h"
#include "core/store/schema.h"
#include "core/store/sqlite.h"
#include "core/store/store_file.h"
#include "core/store/write_turn.h"

#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

namespace reprise {

namespace {

constexpr int kBusyMsMax = 10'000;
constexpr const char *kMemory = ":memory:";

const std::string kFindSql
    = "SELECT run.run_id, action.seq, action.tool, run.environment, run.account, run.dry_run, "
      "run.imported, run.closed, run.ordered, action.contract, action.fingerprint, action.args, "
      "action.state, "
      "action.reason, action.state_entry, journal.hash, action.attempts, action.calls, "
      "action.next_permit, action.claim_attempt, action.claim_epoch, action.claim_pid, "
      "action.claim_ticks, action.claim_sent_key, action.claim_at, owner.owner_id, owner.host, "
      "owner.boot_id, owner.pid, owner.start_ticks, action.first_at, action.recorded_by, "
      "result.id, result.status, result.content_type, result.complete, result.body, "
      "result.body_bytes, result.reference, result.recorded_at, result.source, claimed.outcome "
      "FROM action JOIN run ON run.id = action.run "
      "JOIN journal ON journal.entry = action.state_entry "
      "LEFT JOIN owner ON owner.id = action.claim_owner "
      "LEFT JOIN result ON result.id = action.result "
      "LEFT JOIN attempt AS claimed ON claimed.action = action.id "
      "AND claimed.n = action.claim_attempt WHERE action.key = ?";

class SqliteStoreImpl final : public Store
{
public:
    /// `evidence.access` is empty for a store that is written.
    SqliteStoreImpl(OpenedEvidence evidence, std::string path)
        : m_path(std::move(path))
        , m_readOnly(!evidence.access.empty())
        , m_ownersFolder(m_path == kMemory ? std::string() : ownersFolderOf(m_path))
        , m_folder(std::move(evidence.folder))
        , m_database(std::move(evidence.database))
        , m_projector(*m_database)
        , m_turn(m_ownersFolder)
        , m_group([this](std::span<AppendRequest *const> batch) { commit(batch); })
    {
    }

    /// Settings of the connection, checked: a store that does not sync fully is not written.
    Result<void> start(StoreKind expected)
    {
        sqlite3_busy_timeout(m_database->handle(), kBusyMsMax);
        RETURN_IF_ERROR(m_database->execute("PRAGMA foreign_keys = ON"));
        RETURN_IF_ERROR(m_database->execute("PRAGMA cache_size = -65536"));
        if (m_path != kMemory && !m_readOnly) {
            ASSIGN_OR_RETURN(const std::string mode, m_database->text("PRAGMA journal_mode = WAL"));
            if (mode != "wal")
                return fail(ErrorCode::StoreReadOnly,
                    "cannot be written with a write-ahead log here (journal mode " + mode + ")",
                    m_path, "check the permissions, and that the folder is on a local disk");
            RETURN_IF_ERROR(syncAs(Durability::Full));
        }
        ASSIGN_OR_RETURN(m_info, readInfo());
        if (m_info.kind != expected)
            return fail(ErrorCode::StoreForeign,
                expected == StoreKind::Live ? "is a sandbox; a live executor never opens one"
                                            : "is a live store; it is never opened as a sandbox",
                m_path);
        return {};
    }

    [[nodiscard]] StoreInfo info() override
    {
        const std::lock_guard guard(m_mutex);
        if (auto fresh = readInfo())
            m_info = *fresh;
        return m_info;
    }

    Result<AppendReceipt> append(std::span<const Event> events, std::span<const Body> bodies,
        std::span<const Precondition> preconditions, Durability durability) override
    {
        if (m_readOnly)
            return fail(ErrorCode::StoreReadOnly, "the store cannot be written", m_path,
                "check the permissions of the file and of its folder");
        AppendRequest request {events, bodies, preconditions, durability, {}};
        m_group.submit(request);
        return std::move(*request.result);
    }

    [[nodiscard]] Result<std::optional<ActionRecord>> find(const Key &key) override
    {
        return read([&](SqliteDatabase &database) -> Result<std::optional<ActionRecord>> {
            ASSIGN_OR_RETURN(SqliteStatement row, database.prepare(kFindSql));
            row.bind(key.digest);
            ASSIGN_OR_RETURN(const bool found, row.step());
            if (!found)
                return std::optional<ActionRecord>();
            ASSIGN_OR_RETURN(ActionRecord record, readAction(database, row));
            record.key = key;
            return std::optional(std::move(record));
        });
    }

    [[nodiscard]] Result<std::int64_t> stateEntryOf(const Key &key) override
    {
        return read([&](SqliteDatabase &database) -> Result<std::int64_t> {
            ASSIGN_OR_RETURN(SqliteStatement row,
                database.prepare("SELECT state_entry FROM action WHERE key = ?"));
            row.bind(key.digest);
            ASSIGN_OR_RETURN(const bool found, row.step());
            return found ? row.integer(0) : 0;
        });
    }

    [[nodiscard]] Result<Time> latestTime() override
    {
        return read([&](SqliteDatabase &database) -> Result<Time> {
            ASSIGN_OR_RETURN(SqliteStatement row,
                database.prepare("SELECT max((SELECT at FROM journal ORDER BY entry DESC LIMIT 1), "
                                 "coalesce((SELECT max(last_at) FROM run), 0))"));
            ASSIGN_OR_RETURN(const bool found, row.step());
            return Time {found ? row.integer(0) : 0};
        });
    }

    [[nodiscard]] Result<std::optional<RunRecord>> findRun(const RunId &run) override
    {
        return read([&](SqliteDatabase &database) -> Result<std::optional<RunRecord>> {
            ASSIGN_OR_RETURN(SqliteStatement row,
                database.prepare("SELECT revision, seq_max, label, ordered, environment, account, "
                                 "dry_run, imported, closed FROM run WHERE run_id = ?"));
            row.bind(run.bytes());
            ASSIGN_OR_RETURN(const bool found, row.step());
            if (!found)
                return std::optional<RunRecord>();
            return std::optional(RunRecord {run.bytes(), row.integer(0), row.integer(1),
                row.text(2), row.integer(3) != 0, row.text(4), row.text(5), row.integer(6) != 0,
                row.integer(7) != 0, row.integer(8) != 0});
        });
    }

    [[nodiscard]] Result<std::optional<Digest>> planContent(
        const RunId &run, std::int64_t revision) override
    {
        return read([&](SqliteDatabase &database) -> Result<std::optional<Digest>> {
            ASSIGN_OR_RETURN(SqliteStatement row,
                database.prepare("SELECT content FROM plan_revision JOIN run ON run.id = run "
                                 "WHERE run.run_id = ? AND plan_revision.revision = ?"));
            row.bind(run.bytes()).bind(revision);
            ASSIGN_OR_RETURN(const bool found, row.step());
            return found ? row.optionalDigest(0) : std::optional<Digest>();
        });
    }

    [[nodiscard]] Result<std::vector<std::int64_t>> seqsOf(
        const RunId &run, std::int64_t revision) override
    {
        return read([&](SqliteDatabase &database) -> Result<std::vector<std::int64_t>> {
            ASSIGN_OR_RETURN(SqliteStatement row,
                database.prepare("SELECT action.seq FROM action JOIN run ON run.id = action.run "
                                 "WHERE run.run_id = ? AND (? = 0 OR action.revision = ?) "
                                 "ORDER BY action.seq"));
            row.bind(run.bytes()).bind(revision).bind(revision);
            std::vector<std::int64_t> seqs;
            for (;;) {
                ASSIGN_OR_RETURN(const bool more, row.step());
                if (!more)
                    return seqs;
                seqs.push_back(row.integer(0));
            }
        });
    }

    [[nodiscard]] Result<std::optional<std::string>> body(const Digest &digest) override
    {
        return read([&](SqliteDatabase &database) -> Result<std::optional<std::string>> {
            ASSIGN_OR_RETURN(
                SqliteStatement row, database.prepare("SELECT bytes FROM body WHERE sha256 = ?"));
            row.bind(digest);
            ASSIGN_OR_RETURN(const bool found, row.step());
            if (!found)
                return fail(
                    ErrorCode::NotFound, "the store holds no such body", "sha256 " + digest.hex());
            if (row.isNull(0))
                return std::optional<std::string>();
            return intactBody(row.blob(0), digest);
        });
    }

    [[nodiscard]] std::string ownersFolder() const override { return m_ownersFolder; }

private:
    struct Head
    {
        std::int64_t entry = 0;
        Digest hash;
    };

    /// Questions go to the writing connection while it is free, whose pages are in its cache, and
    /// to a second one while a transaction is being written: a look-up does not wait for a disk.
    template <typename Question>
    auto read(Question question) -> decltype(question(std::declval<SqliteDatabase &>()))
    {
        if (const std::unique_lock writing(m_mutex, std::try_to_lock); writing.owns_lock())
            return question(*m_database);
        const std::unique_lock reading(m_readMutex);
        if (m_path != kMemory && !m_readOnly && !m_reads) {
            ASSIGN_OR_RETURN(
                m_reads, SqliteDatabase::open(m_path, SqliteDatabase::Mode::ReadWrite));
            sqlite3_busy_timeout(m_reads->handle(), kBusyMsMax);
            RETURN_IF_ERROR(m_reads->execute("PRAGMA query_only = ON"));
        }
        if (m_reads)
            return question(*m_reads);
        const std::unique_lock writing(m_mutex);
        return question(*m_database);
    }

    /// Writes a batch as one transaction and sets every result. A request whose precondition fails
    /// is refused alone; where anything else fails, nothing of the batch is kept, and each request
    /// is tried by itself, so that one that cannot be written takes no other with it.
    void commit(std::span<AppendRequest *const> batch)
    {
        const std::lock_guard guard(m_mutex);
        if (const auto written = writeTogether(batch); written || batch.size() == 1) {
            if (!written)
                batch[0]->result = tl::unexpected(written.error());
            return;
        }
        for (AppendRequest *const &request : batch)
            if (const auto written = writeTogether({&request, 1}); !written)
                request->result = tl::unexpected(written.error());
    }

    Result<void> writeTogether(std::span<AppendRequest *const> batch)
    {
        const bool lazy = std::all_of(batch.begin(), batch.end(),
            [](const AppendRequest *one) { return one->durability == Durability::Lazy; });
        RETURN_IF_ERROR(syncAs(lazy ? Durability::Lazy : Durability::Full));
        ASSIGN_OR_RETURN(const WriteTurn::Held turn, m_turn.take(kBusyMsMax));
        auto transaction = SqliteTransaction::beginImmediate(*m_database);
        if (!transaction)
            return tl::unexpected(transaction.error());
        const auto written = writeAll(batch);
        auto done = written ? transaction->commit() : written;
        if (!done) {
            m_projector.forget();
            for (AppendRequest *request : batch)
                request->result.reset();
        }
        return done;
    }

    Result<void> writeAll(std::span<AppendRequest *const> batch)
    {
        ASSIGN_OR_RETURN(Head head, readHead());
        for (AppendRequest *request : batch) {
            if (auto holds = check(request->preconditions); !holds) {
                if (holds.error().code != ErrorCode::Conflict)
                    return holds;
                request->result = tl::unexpected(std::move(holds).error());
                continue;
            }
            for (const Body &body : request->bodies)
                RETURN_IF_ERROR(keep(body));
            const std::int64_t first = head.entry + 1;
            for (const Event &event : request->events) {
                ASSIGN_OR_RETURN(const bool known, isKnownContract(event));
                if (!known)
                    RETURN_IF_ERROR(write(event, head));
            }
            request->result = AppendReceipt {first, head.entry};
        }
        return {};
    }

    /// Sets how the next transaction is synced. The setting belongs to the connection.
    Result<void> syncAs(Durability durability)
    {
        if (m_path == kMemory || m_synced == durability)
            return {};
        RETURN_IF_ERROR(
            m_database->execute(durability == Durability::Full ? "PRAGMA synchronous = FULL"
                                                               : "PRAGMA synchronous = NORMAL"));
        // Believed only after it was read back: a claim that is not synced could be called twice.
        constexpr std::int64_t kFull = 2;
        ASSIGN_OR_RETURN(const std::int64_t level, m_database->integer("PRAGMA synchronous"));
        if (durability == Durability::Full && level != kFull)
            return fail(ErrorCode::Internal, "synchronous=FULL was not taken", m_path);
        m_synced = durability;
        return {};
    }

    /// The head as the transaction sees it: another process may have written since.
    Result<Head> readHead()
    {
        ASSIGN_OR_RETURN(SqliteStatement row,
            m_database->prepare("SELECT entry, hash FROM journal ORDER BY entry DESC LIMIT 1"));
        ASSIGN_OR_RETURN(const bool found, row.step());
        return found ? Head {row.integer(0), row.digest(1)} : Head {};
    }

    Result<StoreInfo> readInfo()
    {
        StoreInfo info;
        {
            ASSIGN_OR_RETURN(SqliteStatement row,
                m_database->prepare("SELECT store_id, kind, created_at FROM store WHERE id = 1"));
            ASSIGN_OR_RETURN(const bool found, row.step());
            const auto kind = found ? storeKindFrom(row.text(1)) : std::nullopt;
            if (!kind)
                return fail(ErrorCode::StoreDamaged, "the store has lost its identity", m_path);
            info.storeId = row.text(0);
            info.kind = *kind;
            info.createdAt = Time {row.integer(2)};
        }
        info.schemaVersion = kSchemaVersion;
        ASSIGN_OR_RETURN(const Head head, readHead());
        info.entries = head.entry;
        info.head = head.hash;
        return info;
    }

    Result<void> check(std::span<const Precondition> preconditions)
    {
        for (const Precondition &precondition : preconditions) {
            ASSIGN_OR_RETURN(SqliteStatement row,
                m_database->prepare("SELECT action.state_entry, action.attempts, run.closed "
                                    "FROM action JOIN run ON run.id = action.run WHERE key = ?"));
            row.bind(precondition.key.digest);
            ASSIGN_OR_RETURN(const bool found, row.step());
            const std::int64_t now = found ? row.integer(0) : 0;
            if (now != precondition.stateEntry
                || (precondition.attempts && *precondition.attempts != row.integer(1))
                || (precondition.runOpen && row.integer(2) != 0))
                return fail(ErrorCode::Conflict, "the action changed meanwhile",
                    "key " + precondition.key.hex());
        }
        return {};
    }

    Result<void> keep(const Body &body)
    {
        ASSIGN_OR_RETURN(SqliteStatement insert,
            m_database->prepare("INSERT INTO body (sha256, size, bytes) VALUES (?, ?, ?) "
                                "ON CONFLICT (sha256) DO NOTHING"));
        insert.bind(body.digest).bind(static_cast<std::int64_t>(body.bytes.size()));
        return insert.bindBlob(body.bytes).run();
    }

    /// A contract is bound once in a store, however many plans name it.
    Result<bool> isKnownContract(const Event &event)
    {
        const auto *bound = std::get_if<ContractBound>(&event.body);
        if (bound == nullptr)
            return false;
        ASSIGN_OR_RETURN(
            SqliteStatement row, m_database->prepare("SELECT 1 FROM contract WHERE sha256 = ?"));
        row.bind(bound->digest);
        return row.step();
    }

    Result<void> write(const Event &event, Head &head)
    {
        const std::string payload = event.payload();
        const std::int64_t entry = head.entry + 1;
        const Digest hash
            = entryHash(m_info.storeId, entry, event.at, event.kind(), payload, head.hash);
        {
            ASSIGN_OR_RETURN(SqliteStatement insert,
                m_database->prepare(
                    "INSERT INTO journal (entry, at, kind, payload, hash) VALUES (?, ?, ?, ?, ?)"));
            insert.bind(entry).bind(event.at.us).bind(event.kind()).bind(payload).bind(hash);
            RETURN_IF_ERROR(insert.run());
        }
        RETURN_IF_ERROR(m_projector.apply(event, entry));
        head = Head {entry, hash};
        return {};
    }

    Result<ToolContract> contract(SqliteDatabase &database, std::int64_t id)
    {
        const std::lock_guard guard(m_contractMutex);
        if (const auto cached = m_contracts.find(id); cached != m_contracts.end())
            return cached->second;
        ASSIGN_OR_RETURN(
            SqliteStatement row, database.prepare("SELECT text FROM contract WHERE id = ?"));
        row.bind(id);
        ASSIGN_OR_RETURN(const bool found, row.step());
        if (!found)
            return fail(ErrorCode::StoreDamaged, "an action has lost its contract", m_path);
        ASSIGN_OR_RETURN(const Json json, Json::parse(row.text(0), "contract"));
        ASSIGN_OR_RETURN(ToolContract parsed, ToolContract::fromJson(json, "contract"));
        m_contracts.emplace(id, parsed);
        return parsed;
    }

    Result<ActionRecord> readAction(SqliteDatabase &database, SqliteStatement &row)
    {
        ActionRecord record;
        int column = 0;
        record.runId = row.text(column++);
        record.seq = row.integer(column++);
        record.tool = row.text(column++);
        record.environment = row.text(column++);
        record.account = row.text(column++);
        record.dryRun = row.integer(column++) != 0;
        record.imported = row.integer(column++) != 0;
        record.runClosed = row.integer(column++) != 0;
        record.runOrdered = row.integer(column++) != 0;
        ASSIGN_OR_RETURN(record.contract, contract(database, row.integer(column++)));
        record.fingerprint = row.digest(column++);
        record.args = row.digest(column++);
        const auto state = actionStateFrom(row.text(column++));
        if (!state)
            return fail(ErrorCode::StoreDamaged, "an action is in an unknown state", m_path);
        record.state = *state;
        record.reason = row.text(column++);
        record.stateEntry = row.integer(column++);
        record.stateHash = row.digest(column++);
        record.attempts = row.integer(column++);
        record.calls = row.integer(column++);
        record.nextPermit = permitFrom(row.text(column++));
        if (!row.isNull(column)) {
            ClaimState claim;
            claim.attempt = row.integer(column);
            claim.epoch = row.integer(column + 1);
            if (!row.isNull(column + 2))
                claim.toolProcess = ProcessId {row.integer(column + 2), row.integer(column + 3)};
            claim.sentKey = row.text(column + 4);
            claim.at = Time {row.integer(column + 5)};
            claim.owner = Owner {row.text(column + 6), row.text(column + 7), row.text(column + 8),
                row.integer(column + 9), row.integer(column + 10)};
            constexpr int kOutcomeColumn = 41;
            claim.outcome = outcomeFrom(row.text(kOutcomeColumn));
            record.claim = std::move(claim);
        }
        column += 11;
        if (const auto first = row.optionalInteger(column++))
            record.firstDispatchedAt = Time {*first};
        record.recordedBy = row.text(column++);
        if (!row.isNull(column++)) {
            RecordedResult result;
            result.status = row.text(column++);
            result.contentType = row.text(column++);
            result.complete = row.integer(column++) != 0;
            result.body = row.optionalDigest(column++);
            result.bodyBytes = row.integer(column++);
            result.reference = row.text(column++);
            result.recordedAt = Time {row.integer(column++)};
            result.source = resultSourceFrom(row.text(column++)).value_or(ResultSource::Call);
            record.result = std::move(result);
        }
        return record;
    }

    const std::string m_path;
    const bool m_readOnly;
    const std::string m_ownersFolder; ///< found at opening: a link turned later changes nothing
    std::mutex m_mutex; // guards the writing connection, and what follows
    PrivateFolder m_folder; ///< of a store that is only read; goes after its connection
    std::unique_ptr<SqliteDatabase> m_database;
    Projector m_projector;
    WriteTurn m_turn;
    StoreInfo m_info;
    std::optional<Durability> m_synced;
    std::mutex m_readMutex; // guards the reading connection; taken before m_mutex
    std::unique_ptr<SqliteDatabase> m_reads;
    std::mutex m_contractMutex; // guards the contracts; taken last
    std::map<std::int64_t, ToolContract> m_contracts;
    GroupCommit m_group;
};

/// Schema and first journal entry, in one transaction.
Result<void> fill(SqliteDatabase &database, StoreKind kind, StoreEnvironment environment)
{
    RETURN_IF_ERROR(database.execute("PRAGMA page_size = 4096"));
    ASSIGN_OR_RETURN(auto transaction, SqliteTransaction::beginImmediate(database));
    RETURN_IF_ERROR(database.execute(std::string(embedded::kSchema001Sql)));
    RETURN_IF_ERROR(database.execute("PRAGMA application_id = " + std::to_string(kApplicationId)));
    RETURN_IF_ERROR(database.execute("PRAGMA user_version = " + std::to_string(kSchemaVersion)));
    const Event created {environment.clock.now(), StoreCreated {environment.random.hex128(), kind}};
    const std::string storeId = std::get<StoreCreated>(created.body).storeId;
    const std::string payload = created.payload();
    const Digest hash = entryHash(storeId, 1, created.at, created.kind(), payload, Digest {});
    {
        ASSIGN_OR_RETURN(SqliteStatement insert,
            database.prepare(
                "INSERT INTO journal (entry, at, kind, payload, hash) VALUES (1, ?, ?, ?, ?)"));
        insert.bind(created.at.us).bind(created.kind()).bind(payload).bind(hash);
        RETURN_IF_ERROR(insert.run());
    }
    RETURN_IF_ERROR(Projector(database).apply(created, 1));
    return transaction.commit();
}

Result<std::unique_ptr<Store>> started(
    std::unique_ptr<SqliteDatabase> database, const std::string &path, StoreKind kind)
{
    auto store = std::make_unique<SqliteStoreImpl>(
        OpenedEvidence {PrivateFolder(), std::move(database), {}}, path);
    RETURN_IF_ERROR(store->start(kind));
    return Result<std::unique_ptr<Store>>(std::move(store));
}

} // namespace

Result<std::unique_ptr<Store>> SqliteStore::create(
    const std::string &path, StoreKind kind, StoreEnvironment environment)
{
    using Mode = SqliteDatabase::Mode;
    if (path == kMemory) {
        ASSIGN_OR_RETURN(auto database, SqliteDatabase::open(path, Mode::Create));
        RETURN_IF_ERROR(fill(*database, kind, environment));
        return started(std::move(database), path, kind);
    }
    for (const char *suffix : {"", "-wal", "-journal"})
        if (std::filesystem::exists(path + suffix))
            return fail(ErrorCode::StoreExists,
                std::string("there is a file already") + (*suffix == 0 ? "" : " of an older store"),
                path + suffix, "choose another name; a store is never overwritten");
    // Filled under another name and then linked to its own: whoever looks finds no store or a whole
    // one, and of two that make it at once only one succeeds.
    const std::string temporary
        = path + ".new-" + std::to_string(::getpid()) + "-" + environment.random.hex128();
    const auto filled = [&]() -> Result<void> {
        ASSIGN_OR_RETURN(auto database, SqliteDatabase::open(temporary, Mode::Create));
        return fill(*database, kind, environment);
    }();
    int number = 0;
    if (filled && ::link(temporary.c_str(), path.c_str()) != 0)
        number = errno;
    for (const char *suffix : {"", "-journal"})
        ::unlink((temporary + suffix).c_str());
    if (!filled) {
        Error error = filled.error();
        error.where = path;
        if (error.code == ErrorCode::StoreMissing) {
            error.what = "cannot make the store here";
            error.hint = "check that the folder exists and can be written";
            error.code = ErrorCode::StoreReadOnly;
        }
        return tl::unexpected(std::move(error));
    }
    if (number != 0)
        return tl::unexpected(errnoError(number, path, "cannot make the store"));
    ASSIGN_OR_RETURN(auto database, SqliteDatabase::open(path, Mode::ReadWrite));
    return started(std::move(database), path, kind);
}

Result<std::unique_ptr<Store>> SqliteStore::open(
    const std::string &path, StoreKind expected, StoreEnvironment /*environment*/)
{
    RETURN_IF_ERROR(checkStoreFile(path));
    if (::access(path.c_str(), W_OK) != 0)
        return tl::unexpected(errnoError(errno, path, "the store cannot be written"));
    ASSIGN_OR_RETURN(auto database, SqliteDatabase::open(path, SqliteDatabase::Mode::ReadWrite));
    return started(std::move(database), path, expected);
}

Result<std::unique_ptr<Store>> SqliteStore::openReadOnly(const std::string &path)
{
    RETURN_IF_ERROR(checkStoreFile(path));
    ASSIGN_OR_RETURN(OpenedEvidence evidence, openEvidence(path));
    auto store = std::make_unique<SqliteStoreImpl>(std::move(evidence), path);
    RETURN_IF_ERROR(store->start(StoreKind::Live));
    return Result<std::unique_ptr<Store>>(std::move(store));
}

} // namespace reprise

#include "tests/speed/raw_store.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace reprise::speed {

namespace {

constexpr int kBusyMsMax = 10'000;
constexpr std::size_t kArgsBytes = 200;
constexpr std::size_t kResultBytes = 200;
constexpr std::int64_t kSomeTime = 1'796'000'000'000'000;

[[noreturn]] void stop(sqlite3 *database, const char *doing)
{
    std::fprintf(stderr, "a floor cannot be measured: %s: %s\n", doing,
        database == nullptr ? "out of memory" : sqlite3_errmsg(database));
    std::exit(1);
}

void run(sqlite3 *database, const char *sql)
{
    if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        stop(database, sql);
}

sqlite3 *openFile(const std::string &path, int flags)
{
    sqlite3 *database = nullptr;
    if (sqlite3_open_v2(path.c_str(), &database, flags | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK)
        stop(database, path.c_str());
    sqlite3_busy_timeout(database, kBusyMsMax);
    return database;
}

const char *const kTables
    = "CREATE TABLE IF NOT EXISTS action (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, "
      "run TEXT NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL, args BLOB NOT NULL, "
      "result BLOB);"
      "CREATE TABLE IF NOT EXISTS journal (entry INTEGER PRIMARY KEY, at INTEGER NOT NULL, "
      "kind TEXT NOT NULL, payload TEXT NOT NULL, hash BLOB NOT NULL);";

} // namespace

RawSha256::RawSha256()
    : m_kind(EVP_MD_fetch(nullptr, "SHA256", nullptr))
    , m_context(EVP_MD_CTX_new())
{
    EVP_DigestInit_ex2(m_context, m_kind, nullptr);
}

RawSha256::~RawSha256()
{
    EVP_MD_CTX_free(m_context);
    EVP_MD_free(m_kind);
}

void RawSha256::add(const void *bytes, std::size_t size)
{
    EVP_DigestUpdate(m_context, bytes, size);
}

void RawSha256::addNumber(std::uint64_t value)
{
    std::array<unsigned char, 8> bytes {};
    for (std::size_t i = bytes.size(); i-- > 0; value >>= 8U)
        bytes[i] = static_cast<unsigned char>(value & 0xFFU);
    add(bytes.data(), bytes.size());
}

RawDigest RawSha256::finish()
{
    RawDigest digest {};
    EVP_DigestFinal_ex(m_context, digest.data(), nullptr);
    EVP_DigestInit_ex2(m_context, m_kind, nullptr);
    return digest;
}

RawDigest rawKey(RawSha256 &sha256, std::string_view run, std::int64_t seq)
{
    std::array<char, 400> text {};
    const int size = std::snprintf(text.data(), text.size(), "reprise-key-v1:%zu:%.*s:%lld",
        run.size(), static_cast<int>(run.size()), run.data(), static_cast<long long>(seq));
    sha256.add(text.data(), static_cast<std::size_t>(size));
    return sha256.finish();
}

RawStatement::RawStatement(sqlite3 *database, const char *sql)
{
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &m_statement, nullptr)
        != SQLITE_OK)
        stop(database, sql);
}

RawStatement::~RawStatement()
{
    sqlite3_finalize(m_statement);
}

RawStatement &RawStatement::bind(std::int64_t value)
{
    sqlite3_bind_int64(m_statement, m_next++, value);
    return *this;
}

RawStatement &RawStatement::bind(std::string_view text)
{
    sqlite3_bind_text(
        m_statement, m_next++, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    return *this;
}

RawStatement &RawStatement::bind(const RawDigest &digest)
{
    sqlite3_bind_blob(
        m_statement, m_next++, digest.data(), static_cast<int>(digest.size()), SQLITE_STATIC);
    return *this;
}

bool RawStatement::step()
{
    const int code = sqlite3_step(m_statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        stop(sqlite3_db_handle(m_statement), sqlite3_sql(m_statement));
    return code == SQLITE_ROW;
}

void RawStatement::reset()
{
    sqlite3_reset(m_statement);
    m_next = 1;
}

void RawStatement::run()
{
    (void)step();
    reset();
}

std::int64_t RawStatement::integer(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

std::string_view RawStatement::bytes(int column) const
{
    const void *bytes = sqlite3_column_blob(m_statement, column);
    return {static_cast<const char *>(bytes),
        static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column))};
}

struct RawStore::Statements
{
    explicit Statements(sqlite3 *database)
        : begin(database, "BEGIN IMMEDIATE")
        , commit(database, "COMMIT")
        , find(database, "SELECT state, result FROM action WHERE key = ?")
        , insert(database,
              "INSERT INTO action (key, run, seq, state, args) VALUES (?, ?, ?, 'in_flight', ?)")
        , update(database, "UPDATE action SET state = 'succeeded', result = ? WHERE key = ?")
        , head(database, "SELECT entry, hash FROM journal ORDER BY entry DESC LIMIT 1")
        , append(database,
              "INSERT INTO journal (entry, at, kind, payload, hash) VALUES (?, ?, ?, ?, ?)")
    {
    }
    RawStatement begin;
    RawStatement commit;
    RawStatement find;
    RawStatement insert;
    RawStatement update;
    RawStatement head;
    RawStatement append;
};

RawStore::RawStore(const std::string &path, RawSync sync)
    : m_database(openFile(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE))
{
    run(m_database, "PRAGMA journal_mode = WAL");
    run(m_database,
        sync == RawSync::Full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    run(m_database, kTables);
    m_statements = std::make_unique<Statements>(m_database);
}

RawStore::~RawStore()
{
    m_statements.reset();
    sqlite3_close(m_database);
}

void RawStore::begin()
{
    m_statements->begin.run();
    readHead();
}

void RawStore::commit()
{
    m_statements->commit.run();
}

void RawStore::readHead()
{
    RawStatement &head = m_statements->head;
    if (head.step()) {
        m_entry = head.integer(0);
        std::memcpy(m_head.data(), head.bytes(1).data(), m_head.size());
    }
    head.reset();
}

void RawStore::appendJournal(std::string_view kind, std::string_view payload)
{
    ++m_entry;
    m_sha256.addNumber(static_cast<std::uint64_t>(m_entry));
    m_sha256.addNumber(static_cast<std::uint64_t>(kSomeTime));
    m_sha256.add(kind.data(), kind.size());
    m_sha256.add(payload.data(), payload.size());
    m_sha256.add(m_head.data(), m_head.size());
    m_head = m_sha256.finish();
    m_statements->append.bind(m_entry).bind(kSomeTime).bind(kind).bind(payload).bind(m_head).run();
}

void RawStore::claim(const RawDigest &key, std::string_view run, std::int64_t seq)
{
    if (lookUp(key) >= 0)
        stop(m_database, "the key was used before");
    const std::string args = rawPayload(seq, kArgsBytes);
    m_statements->insert.bind(key).bind(run).bind(seq).bind(std::string_view(args)).run();
}

void RawStore::record(const RawDigest &key, std::int64_t seq)
{
    const std::string result = rawPayload(seq, kResultBytes);
    m_statements->update.bind(std::string_view(result)).bind(key).run();
    appendJournal("claimed", result);
    appendJournal("outcome", result);
}

void RawStore::execute(std::string_view run, std::int64_t seq)
{
    const RawDigest digest = key(run, seq);
    if (lookUp(digest) >= 0)
        stop(m_database, "the key was used before");
    const std::string args = rawPayload(seq, kArgsBytes);
    m_statements->begin.run();
    m_statements->insert.bind(digest).bind(run).bind(seq).bind(std::string_view(args)).run();
    m_statements->commit.run();
    begin();
    record(digest, seq);
    commit();
}

std::int64_t RawStore::lookUp(const RawDigest &key)
{
    RawStatement &find = m_statements->find.bind(key);
    const std::int64_t size
        = find.step() ? static_cast<std::int64_t>(std::string(find.bytes(1)).size()) : -1;
    find.reset();
    return size;
}

void RawStore::replay(const RawDigest &key)
{
    if (lookUp(key) < 0)
        stop(m_database, "nothing is recorded under the key");
    const std::string note = rawPayload(0, kResultBytes);
    begin();
    appendJournal("attempt", note);
    commit();
}

std::int64_t rawScanAndHash(const std::string &path, const std::string &storeId)
{
    sqlite3 *database = openFile(path, SQLITE_OPEN_READONLY);
    std::int64_t entries = 0;
    {
        RawStatement rows(
            database, "SELECT entry, at, kind, payload, hash FROM journal ORDER BY entry");
        RawSha256 sha256;
        RawDigest previous {};
        const auto addText = [&](std::string_view text) {
            sha256.addNumber(text.size());
            sha256.add(text.data(), text.size());
        };
        for (; rows.step(); ++entries) {
            addText(storeId);
            sha256.addNumber(static_cast<std::uint64_t>(rows.integer(0)));
            sha256.addNumber(static_cast<std::uint64_t>(rows.integer(1)));
            addText(rows.bytes(2));
            addText(rows.bytes(3));
            sha256.add(previous.data(), previous.size());
            previous = sha256.finish();
            if (std::memcmp(previous.data(), rows.bytes(4).data(), previous.size()) != 0) {
                std::fputs("the chain of a store made for measuring is broken\n", stderr);
                std::exit(1);
            }
        }
    }
    sqlite3_close(database);
    return entries;
}

void rawBulkInsert(const std::string &path, std::int64_t actions)
{
    constexpr std::size_t kPayloadBytes = 400; // args, and a result of the same size
    sqlite3 *database = openFile(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    run(database, "PRAGMA journal_mode = WAL");
    run(database, "PRAGMA synchronous = FULL");
    run(database,
        "CREATE TABLE action (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, "
        "run INTEGER NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL, args BLOB NOT NULL, "
        "result BLOB NOT NULL, UNIQUE (run, seq))");
    {
        RawStatement insert(database,
            "INSERT INTO action (key, run, seq, state, args, result) "
            "VALUES (?, ?, ?, 'succeeded', ?, ?)");
        RawSha256 sha256;
        run(database, "BEGIN IMMEDIATE");
        for (std::int64_t seq = 1; seq <= actions; ++seq) {
            const std::string payload = rawPayload(seq, kPayloadBytes);
            const RawDigest digest = rawKey(sha256, "bulk", seq);
            insert.bind(digest).bind(std::int64_t {1}).bind(seq);
            insert.bind(std::string_view(payload)).bind(std::string_view(payload)).run();
        }
        run(database, "COMMIT");
    }
    sqlite3_close(database);
}

std::string rawPayload(std::int64_t seq, std::size_t size)
{
    std::string text = "{\"seq\":" + std::to_string(seq) + ",\"text\":\"";
    text.resize(size - 2, 'x');
    return text + "\"}";
}

} // namespace reprise::speed

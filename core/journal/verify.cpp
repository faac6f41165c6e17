#include "core/journal/verify.h"

#include "core/base/embedded.h"
#include "core/base/sha256.h"
#include "core/store/projector.h"
#include "core/store/sqlite.h"

#include <algorithm>
#include <array>

namespace reprise {

namespace {

constexpr std::int64_t kPageRows = 5'000;
constexpr std::size_t kFindingsMax = 100;

class Check
{
public:
    Check(StoreReader &reader, const VerifyOptions &options)
        : m_reader(reader)
        , m_options(options)
    {
    }

    Result<Verification> run()
    {
        // Checks compare tables with each other: a commit of a live writer in between would
        // look like a difference. One read transaction holds the same state for all of them.
        const Snapshot snapshot(m_reader.database());
        RETURN_IF_ERROR(snapshot.begun());
        ASSIGN_OR_RETURN(m_info, m_reader.info());
        m_out.entries = m_info.entries;
        m_out.head = m_info.head;
        RETURN_IF_ERROR(sqlite());
        if (m_options.deep) {
            ASSIGN_OR_RETURN(
                m_rebuilt, SqliteDatabase::open(":memory:", SqliteDatabase::Mode::Create));
            RETURN_IF_ERROR(m_rebuilt->execute(std::string(embedded::kSchema001Sql)));
        }
        RETURN_IF_ERROR(unlessDamaged("journal", chain()));
        anchor();
        if (m_options.deep)
            RETURN_IF_ERROR(unlessDamaged("state", state()));
        RETURN_IF_ERROR(unlessDamaged("bodies", bodies()));
        RETURN_IF_ERROR(unlessDamaged("bodies", missingBodies()));
        m_out.ok = m_out.findings.empty();
        return std::move(m_out);
    }

private:
    /// `BEGIN` … `ROLLBACK` around reading.
    class Snapshot
    {
    public:
        explicit Snapshot(SqliteDatabase *database)
            : m_database(database)
            , m_begun(database == nullptr ? Result<void>() : database->execute("BEGIN"))
        {
        }
        ~Snapshot()
        {
            if (m_database != nullptr && m_begun)
                ignoreError(m_database->execute("ROLLBACK"), "nothing was written");
        }
        Snapshot(const Snapshot &) = delete;
        Snapshot &operator=(const Snapshot &) = delete;
        [[nodiscard]] const Result<void> &begun() const { return m_begun; }

    private:
        SqliteDatabase *m_database;
        Result<void> m_begun;
    };

    /// A damaged page ends one check, not the verification: what was found before it is kept.
    Result<void> unlessDamaged(const std::string &what, Result<void> done)
    {
        if (done || done.error().code != ErrorCode::StoreDamaged)
            return done;
        find("sqlite", what, done.error().what);
        return {};
    }

    void find(const std::string &kind, const std::string &where, const std::string &what)
    {
        if (m_out.findings.size() < kFindingsMax)
            m_out.findings.push_back({kind, where, what});
    }

    Result<void> sqlite()
    {
        SqliteDatabase *database = m_reader.database();
        if (database == nullptr)
            return {};
        ASSIGN_OR_RETURN(SqliteStatement row,
            database->prepare(
                m_options.deep ? "PRAGMA integrity_check(20)" : "PRAGMA quick_check(20)"));
        for (;;) {
            const auto more = row.step();
            if (!more && more.error().code == ErrorCode::StoreDamaged) {
                find("sqlite", m_reader.path(), more.error().what);
                return {};
            }
            RETURN_IF_ERROR(more);
            if (!*more)
                return {};
            if (const std::string said = row.text(0); said != "ok")
                find("sqlite", m_reader.path(), said);
        }
    }

    Result<void> chain()
    {
        std::int64_t expected = 1;
        Digest previous;
        for (;;) {
            ASSIGN_OR_RETURN(const auto rows, m_reader.journal(expected - 1, kPageRows));
            for (const JournalRow &row : rows) {
                const std::string where = "entry " + std::to_string(row.entry);
                if (row.entry != expected)
                    find("gap", where,
                        "entry " + std::to_string(expected) + " is missing before it");
                expected = row.entry + 1;
                const Digest hash
                    = entryHash(m_info.storeId, row.entry, row.at, row.kind, row.payload, previous);
                if (hash != row.hash)
                    find("chain", where,
                        "its hash does not follow from its content and the entry before it");
                // The chain goes on from what is written, so that one broken link is one finding.
                previous = row.hash;
                if (m_options.anchor && row.entry == m_options.anchor->entry)
                    m_anchored = row.hash;
                decode(row, where);
            }
            if (m_options.onProgress)
                m_options.onProgress(expected - 1, m_info.entries);
            if (static_cast<std::int64_t>(rows.size()) < kPageRows)
                break;
        }
        if (expected == 1)
            find("gap", "journal", "is empty; every store begins with the entry of its making");
        return {};
    }

    void decode(const JournalRow &row, const std::string &where)
    {
        const auto event = Event::decode(row.kind, row.at, row.payload);
        if (!event) {
            find("payload", where, event.error().text());
            m_rebuildable = false;
            return;
        }
        const auto *created = std::get_if<StoreCreated>(&event->body);
        if (row.entry == 1 && (created == nullptr || created->storeId != m_info.storeId))
            find("chain", where, "the journal does not begin with the making of this store");
        if (m_rebuilt && m_rebuildable) {
            if (const auto applied = Projector(*m_rebuilt).apply(*event, row.entry); !applied) {
                find("state", where, "cannot be applied: " + applied.error().text());
                m_rebuildable = false;
            }
        }
    }

    void anchor()
    {
        if (!m_options.anchor)
            return;
        const Anchor &anchor = *m_options.anchor;
        const std::string where = "anchor of entry " + std::to_string(anchor.entry);
        if (anchor.storeId != m_info.storeId)
            find("anchor", where,
                "belongs to store " + anchor.storeId + ", not to " + m_info.storeId);
        else if (anchor.entry > m_info.entries)
            find("anchor", where,
                "the journal ends at entry " + std::to_string(m_info.entries)
                    + ": its tail was cut, or an older store was restored");
        else if (!m_anchored || *m_anchored != anchor.hash)
            find("anchor", where, "the entry has another hash: the journal was rewritten");
    }

    /// The same rows, in the same order, in the store and in what its journal gives.
    Result<void> state()
    {
        SqliteDatabase *database = m_reader.database();
        if (database == nullptr || !m_rebuildable)
            return {};
        constexpr std::array kTables {
            "store", "contract", "owner", "run", "plan_revision", "result", "action", "attempt"};
        for (const char *table : kTables)
            RETURN_IF_ERROR(compare(*database, table));
        return {};
    }

    Result<void> compare(SqliteDatabase &stored, const std::string &table)
    {
        // All columns of a row as one text; quote() keeps the types apart.
        std::string columns;
        {
            ASSIGN_OR_RETURN(SqliteStatement row,
                m_rebuilt->prepare("SELECT group_concat('quote(' || name || ')', ' || '','' || ') "
                                   "FROM pragma_table_info('"
                    + table + "')"));
            ASSIGN_OR_RETURN(const bool found, row.step());
            columns = found ? row.text(0) : "''";
        }
        const std::string order = table == "plan_revision" ? "run, revision"
            : table == "attempt"                           ? "action, n"
                                                           : "id";
        const std::string sql = "SELECT " + columns + " FROM " + table + " ORDER BY " + order;
        ASSIGN_OR_RETURN(SqliteStatement left, stored.prepare(sql));
        ASSIGN_OR_RETURN(SqliteStatement right, m_rebuilt->prepare(sql));
        for (std::int64_t n = 1;; ++n) {
            ASSIGN_OR_RETURN(const bool inStore, left.step());
            ASSIGN_OR_RETURN(const bool inJournal, right.step());
            if (!inStore && !inJournal)
                return {};
            const std::string where = "table " + table + ", row " + std::to_string(n);
            if (inStore != inJournal) {
                find("state", where,
                    inStore ? "stands in the store but does not follow from the journal"
                            : "follows from the journal but is missing in the store");
                return {};
            }
            if (left.text(0) != right.text(0))
                find("state", where, "is not what the journal says");
        }
    }

    Result<void> bodies()
    {
        SqliteDatabase *database = m_reader.database();
        if (database == nullptr)
            return {};
        ASSIGN_OR_RETURN(
            SqliteStatement row, database->prepare("SELECT sha256, size, bytes FROM body"));
        for (;;) {
            ASSIGN_OR_RETURN(const bool more, row.step());
            if (!more)
                return {};
            if (row.isNull(2))
                continue; // pruned
            const std::string bytes = row.blob(2);
            if (Sha256::of(bytes) != row.digest(0)
                || static_cast<std::int64_t>(bytes.size()) != row.integer(1))
                find("body", "sha256 " + row.digest(0).hex(),
                    "its bytes have another digest or size");
        }
    }

    /// Pruning drops the bytes of a body, never its row.
    Result<void> missingBodies()
    {
        SqliteDatabase *database = m_reader.database();
        if (database == nullptr)
            return {};
        ASSIGN_OR_RETURN(SqliteStatement row,
            database->prepare(
                "SELECT used.sha256, used.place FROM ("
                "SELECT args AS sha256, 'args of an action' AS place FROM action "
                "UNION ALL SELECT acceptance, 'acceptance of an action' FROM action "
                "UNION ALL SELECT body, 'result' FROM result "
                "UNION ALL SELECT args, 'args of an attempt' FROM attempt "
                "UNION ALL SELECT tool_log, 'tool log of an attempt' FROM attempt) AS used "
                "WHERE used.sha256 IS NOT NULL AND NOT EXISTS "
                "(SELECT 1 FROM body WHERE body.sha256 = used.sha256)"));
        for (;;) {
            ASSIGN_OR_RETURN(const bool more, row.step());
            if (!more)
                return {};
            find("body", "sha256 " + row.digest(0).hex(), "is missing: " + row.text(1));
        }
    }

    StoreReader &m_reader;
    const VerifyOptions &m_options;
    StoreInfo m_info;
    Verification m_out;
    std::optional<Digest> m_anchored;
    std::unique_ptr<SqliteDatabase> m_rebuilt;
    bool m_rebuildable = true;
};

} // namespace

std::string Anchor::toText() const
{
    return Json()
               .set("format", "reprise-anchor-v1")
               .set("store_id", storeId)
               .set("entry", entry)
               .set("hash", hash.hex())
               .set("at", at.rfc3339())
               .dump()
        + "\n";
}

Result<Anchor> Anchor::parse(std::string_view text, const std::string &where)
{
    ASSIGN_OR_RETURN(const Json json, Json::parse(text, where));
    const auto entry = json["entry"].integer();
    const auto hash = Digest::fromHex(json["hash"].text());
    const auto at = Time::parse(json["at"].text());
    if (json["format"].text() != "reprise-anchor-v1" || !entry || *entry < 1 || !hash || !at
        || json["store_id"].text().empty())
        return fail(ErrorCode::InvalidInput, "is not an anchor of a store", where,
            "an anchor is written by seal");
    return Anchor {json["store_id"].text(), *entry, *hash, *at};
}

Result<Verification> verifyStore(StoreReader &reader, const VerifyOptions &options)
{
    return Check(reader, options).run();
}

} // namespace reprise

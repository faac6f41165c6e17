#include "core/inspect/store_reader.h"

#include "core/inspect/effects.h"
#include "core/inspect/run_filter.h"
#include "core/store/evidence.h"
#include "core/store/liveness.h"
#include "core/store/schema.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>

namespace reprise {

namespace {

constexpr std::int64_t kLimitMax = 10'000;

const std::string kRunColumns
    = "run.run_id, run.revision, run.seq_max, run.label, run.ordered, run.environment, "
      "run.account, "
      "run.dry_run, run.imported, run.closed, run.source, run.actions, run.executed, run.replayed, "
      "run.executed_again, run.in_doubt, run.conflicts, run.failed, run.first_at, run.last_at, "
      "run.id ";

const std::string kActionColumns
    = "action.id, run.run_id, action.seq, action.key, action.key_derived_at_import, action.tool, "
      "action.side_effect, action.state, action.reason, action.fingerprint, action.args, "
      "action.business_kind, action.currency, action.amount_minor, action.payee, action.order_ref, "
      "action.undoes, action.attempts, action.executed, action.executed_again, action.replayed, "
      "action.conflicts, action.first_at, action.outcome_at, result.reference ";

const std::string kActionTables = "FROM action JOIN run ON run.id = action.run "
                                  "LEFT JOIN result ON result.id = action.result ";

std::optional<Time> timeAt(const SqliteStatement &row, int column)
{
    const auto us = row.optionalInteger(column);
    return us ? std::optional(Time {*us}) : std::nullopt;
}

RunRow readRun(const SqliteStatement &row)
{
    RunRow out;
    out.run = RunRecord {row.text(0), row.integer(1), row.integer(2), row.text(3),
        row.integer(4) != 0, row.text(5), row.text(6), row.integer(7) != 0, row.integer(8) != 0,
        row.integer(9) != 0};
    out.source = row.text(10);
    out.actions = row.integer(11);
    out.executed = row.integer(12);
    out.replayed = row.integer(13);
    out.executedAgain = row.integer(14);
    out.inDoubt = row.integer(15);
    out.conflicts = row.integer(16);
    out.failed = row.integer(17);
    out.firstAt = timeAt(row, 18);
    out.lastAt = timeAt(row, 19);
    out.id = row.integer(20);
    return out;
}

ActionRow readAction(const SqliteStatement &row)
{
    ActionRow out;
    out.id = row.integer(0);
    out.runId = row.text(1);
    out.seq = row.integer(2);
    out.key = Key {row.digest(3)};
    out.keyDerivedAtImport = row.integer(4) != 0;
    out.tool = row.text(5);
    out.sideEffect = row.integer(6) != 0;
    out.state = actionStateFrom(row.text(7)).value_or(ActionState::InDoubt);
    out.reason = row.text(8);
    out.fingerprint = row.digest(9);
    out.args = row.digest(10);
    out.business.kind = businessKindFrom(row.text(11)).value_or(BusinessKind::Other);
    if (!row.isNull(12) && !row.isNull(13))
        out.business.amount = Money {row.text(12), row.integer(13)};
    out.business.payee = row.text(14);
    out.business.order = row.text(15);
    out.business.undoes = row.text(16);
    out.attempts = row.integer(17);
    out.executed = row.integer(18);
    out.executedAgain = row.integer(19);
    out.replayed = row.integer(20);
    out.conflicts = row.integer(21);
    out.firstAt = timeAt(row, 22);
    out.outcomeAt = timeAt(row, 23);
    out.reference = row.text(24);
    return out;
}

/// The eight columns of a result, from `column` on; nothing where there is none.
std::optional<RecordedResult> readResult(const SqliteStatement &row, int column)
{
    if (row.isNull(column))
        return std::nullopt;
    return RecordedResult {row.text(column), row.text(column + 1), row.integer(column + 2) != 0,
        row.optionalDigest(column + 3), row.integer(column + 4), row.text(column + 5),
        Time {row.integer(column + 6)},
        resultSourceFrom(row.text(column + 7)).value_or(ResultSource::Call)};
}

const std::string kResultColumns
    = "result.status, result.content_type, result.complete, result.body, result.body_bytes, "
      "result.reference, result.recorded_at, result.source ";

std::string sortColumn(RunSort sort)
{
    switch (sort) {
    case RunSort::Started:
        return "run.first_at";
    case RunSort::RunId:
        return "run.run_id";
    case RunSort::Actions:
        return "run.actions";
    case RunSort::InDoubt:
        return "run.in_doubt";
    case RunSort::Executed:
        return "run.executed";
    case RunSort::Replayed:
        return "run.replayed";
    case RunSort::Again:
        return "run.executed_again";
    case RunSort::Conflicts:
        return "run.conflicts";
    }
    return "run.first_at";
}

/// Where a page ended: the sort value of its last row (absent: NULL) and its row number.
struct Cursor
{
    std::optional<std::variant<std::int64_t, std::string>> value;
    std::int64_t id = 0;

    [[nodiscard]] std::string text() const
    {
        std::string out = "n";
        if (value && std::holds_alternative<std::int64_t>(*value))
            out = "i" + std::to_string(std::get<std::int64_t>(*value));
        else if (value)
            out = "t" + toHex(std::get<std::string>(*value));
        return out + "." + std::to_string(id);
    }

    static Result<Cursor> parse(const std::string &text)
    {
        const auto number = [](std::string_view digits, std::int64_t &out) {
            const auto [end, error]
                = std::from_chars(digits.data(), digits.data() + digits.size(), out);
            return error == std::errc() && end == digits.data() + digits.size();
        };
        Cursor cursor;
        const std::size_t dot = text.rfind('.');
        bool good = dot != std::string::npos && dot > 0
            && number(std::string_view(text).substr(dot + 1), cursor.id);
        if (good) {
            const std::string value = text.substr(1, dot - 1);
            std::int64_t integer = 0;
            const auto bytes = fromHex(value);
            if (text[0] == 'i' && number(value, integer))
                cursor.value = integer;
            else if (text[0] == 't' && bytes)
                cursor.value = *bytes;
            else
                good = text[0] == 'n' && value.empty();
        }
        if (!good)
            return fail(ErrorCode::InvalidInput, "is not a cursor of this list",
                "\"" + printable(text, 60) + "\"", "use the \"next\" of the page before");
        return cursor;
    }
};

class StoreReaderImpl final : public StoreReader
{
public:
    StoreReaderImpl(OpenedEvidence evidence, std::string path, std::vector<EvidenceFile> files)
        : m_evidence(std::move(evidence))
        , m_database(*m_evidence.database)
        , m_path(std::move(path))
        , m_files(std::move(files))
    {
    }

    [[nodiscard]] const std::string &path() const override { return m_path; }
    [[nodiscard]] std::string access() const override { return m_evidence.access; }
    void interrupt() override { m_database.interrupt(); }

    [[nodiscard]] Result<bool> changedOnDisk() override
    {
        ASSIGN_OR_RETURN(const auto now, evidenceState(m_path, false));
        const auto relevant = [](const EvidenceFile &file) { return !file.path.ends_with("-shm"); };
        std::vector<EvidenceFile> before;
        std::vector<EvidenceFile> after;
        std::copy_if(m_files.begin(), m_files.end(), std::back_inserter(before), relevant);
        std::copy_if(now.begin(), now.end(), std::back_inserter(after), relevant);
        return before != after;
    }

    [[nodiscard]] Result<StoreInfo> info() override
    {
        StoreInfo info;
        {
            ASSIGN_OR_RETURN(SqliteStatement row,
                m_database.prepare("SELECT store_id, kind, created_at FROM store WHERE id = 1"));
            ASSIGN_OR_RETURN(const bool found, row.step());
            const auto kind = found ? storeKindFrom(row.text(1)) : std::nullopt;
            if (!kind)
                return fail(ErrorCode::StoreDamaged, "the store has lost its identity", m_path);
            info.storeId = row.text(0);
            info.kind = *kind;
            info.createdAt = Time {row.integer(2)};
        }
        ASSIGN_OR_RETURN(const auto version, m_database.integer("PRAGMA user_version"));
        info.schemaVersion = static_cast<int>(version);
        ASSIGN_OR_RETURN(SqliteStatement head,
            m_database.prepare("SELECT entry, hash FROM journal ORDER BY entry DESC LIMIT 1"));
        ASSIGN_OR_RETURN(const bool found, head.step());
        if (found) {
            info.entries = head.integer(0);
            info.head = head.digest(1);
        }
        return info;
    }

    [[nodiscard]] Result<RunPage> runs(const RunQuery &query) override
    {
        ASSIGN_OR_RETURN(const RunCondition condition, parseRunFilter(query.filter));
        std::optional<Cursor> cursor;
        if (!query.after.empty()) {
            ASSIGN_OR_RETURN(cursor, Cursor::parse(query.after));
        }
        const std::int64_t limit = std::clamp<std::int64_t>(query.limit, 1, kLimitMax);
        RunPage page;
        Cursor last;
        // Runs without times come last in descending order and first in ascending order, as two
        // ranges of the index: one condition over both could not start in the middle of it.
        const bool inNulls = cursor && !cursor->value;
        for (const bool nulls : {!query.descending, query.descending}) {
            if (nulls && query.sort != RunSort::Started)
                continue;
            const bool passed
                = cursor && (query.descending ? (inNulls && !nulls) : (!inNulls && nulls));
            if (passed || static_cast<std::int64_t>(page.rows.size()) > limit)
                continue;
            const bool continues = cursor && nulls == inNulls;
            RETURN_IF_ERROR(readRange(
                query, condition, nulls, continues ? cursor : std::nullopt, limit + 1, page, last));
        }
        if (static_cast<std::int64_t>(page.rows.size()) > limit) {
            page.rows.pop_back();
            page.next = last.text();
        }
        ASSIGN_OR_RETURN(const auto flights, liveFlights());
        for (RunRow &row : page.rows)
            tellFlights(row, flights);
        return page;
    }

    [[nodiscard]] Result<RunTotals> totals(const std::string &filter) override
    {
        ASSIGN_OR_RETURN(const RunCondition condition, parseRunFilter(filter));
        RunTotals totals;
        ASSIGN_OR_RETURN(totals.runsInStore, m_database.integer("SELECT count(*) FROM run"));
        ASSIGN_OR_RETURN(SqliteStatement row,
            m_database.prepare("SELECT count(*), total(actions), total(executed), total(replayed), "
                               "total(executed_again), total(in_doubt), total(conflicts) FROM run "
                               "WHERE "
                + condition.sql));
        bindAll(row, condition);
        ASSIGN_OR_RETURN(const bool found, row.step());
        if (found) {
            totals.runs = row.integer(0);
            totals.actions = row.integer(1);
            totals.executed = row.integer(2);
            totals.replayed = row.integer(3);
            totals.executedAgain = row.integer(4);
            totals.inDoubt = row.integer(5);
            totals.conflicts = row.integer(6);
        }
        ASSIGN_OR_RETURN(const auto flights, liveFlights());
        for (const auto &[id, live] : flights) {
            ASSIGN_OR_RETURN(SqliteStatement inScope,
                m_database.prepare("SELECT 1 FROM run WHERE " + condition.sql + " AND id = ?"));
            bindAll(inScope, condition);
            inScope.bind(id);
            ASSIGN_OR_RETURN(const bool counted, inScope.step());
            if (counted) {
                totals.inFlight += live;
                totals.inDoubt -= std::min(totals.inDoubt, live);
            }
        }
        return totals;
    }

    [[nodiscard]] Result<std::optional<RunRow>> run(const RunId &run) override
    {
        ASSIGN_OR_RETURN(SqliteStatement row,
            m_database.prepare("SELECT " + kRunColumns + "FROM run WHERE run_id = ?"));
        row.bind(run.bytes());
        ASSIGN_OR_RETURN(const bool found, row.step());
        if (!found)
            return std::optional<RunRow>();
        RunRow out = readRun(row);
        ASSIGN_OR_RETURN(const auto flights, liveFlights());
        tellFlights(out, flights);
        return std::optional(std::move(out));
    }

    [[nodiscard]] Result<std::vector<ActionRow>> actions(
        const RunId &run, std::int64_t afterSeq, std::int64_t limit) override
    {
        ASSIGN_OR_RETURN(SqliteStatement row,
            m_database.prepare("SELECT " + kActionColumns + kActionTables
                + "WHERE action.run = (SELECT id FROM run WHERE run_id = ?) AND action.seq > ? "
                  "ORDER BY action.seq LIMIT ?"));
        row.bind(run.bytes()).bind(afterSeq).bind(limit);
        return readActions(row);
    }

    [[nodiscard]] Result<std::vector<ActionRow>> actionsInDoubt(std::int64_t limit) override
    {
        // Two ranges of the partial index, merged: oldest claim first.
        ASSIGN_OR_RETURN(SqliteStatement row,
            m_database.prepare("SELECT " + kActionColumns + kActionTables
                + "WHERE action.state IN ('in_doubt', 'in_flight') "
                  "ORDER BY action.claim_at, action.id LIMIT ?"));
        row.bind(limit);
        return readActions(row);
    }

    [[nodiscard]] Result<std::optional<ActionDetail>> action(const Key &key) override
    {
        ActionDetail detail;
        {
            ASSIGN_OR_RETURN(SqliteStatement row,
                m_database.prepare("SELECT " + kActionColumns
                    + ", run.environment, run.account, run.dry_run, run.imported, journal.hash, "
                      "action.calls, action.recorded_by, action.acceptance, contract.text, "
                      "action.claim_attempt, action.claim_epoch, action.claim_pid, "
                      "action.claim_ticks, action.claim_sent_key, action.claim_at, owner.owner_id, "
                      "owner.host, owner.boot_id, owner.pid, owner.start_ticks, "
                    + kResultColumns + kActionTables
                    + "JOIN journal ON journal.entry = action.state_entry "
                      "JOIN contract ON contract.id = action.contract "
                      "LEFT JOIN owner ON owner.id = action.claim_owner WHERE action.key = ?"));
            row.bind(key.digest);
            ASSIGN_OR_RETURN(const bool found, row.step());
            if (!found)
                return std::optional<ActionDetail>();
            detail.row = readAction(row);
            int column = 25;
            detail.environment = row.text(column++);
            detail.account = row.text(column++);
            detail.dryRun = row.integer(column++) != 0;
            detail.imported = row.integer(column++) != 0;
            detail.stateHash = row.digest(column++);
            detail.calls = row.integer(column++);
            detail.recordedBy = row.text(column++);
            detail.acceptance = row.optionalDigest(column++);
            ASSIGN_OR_RETURN(const Json contract, Json::parse(row.text(column++), "contract"));
            ASSIGN_OR_RETURN(detail.contract, ToolContract::fromJson(contract, "contract"));
            if (!row.isNull(column)) {
                ClaimState claim;
                claim.attempt = row.integer(column);
                claim.epoch = row.integer(column + 1);
                if (!row.isNull(column + 2))
                    claim.toolProcess
                        = ProcessId {row.integer(column + 2), row.integer(column + 3)};
                claim.sentKey = row.text(column + 4);
                claim.at = Time {row.integer(column + 5)};
                claim.owner = Owner {row.text(column + 6), row.text(column + 7),
                    row.text(column + 8), row.integer(column + 9), row.integer(column + 10)};
                detail.claim = std::move(claim);
            }
            column += 11;
            detail.result = readResult(row, column);
        }
        if (detail.row.state == ActionState::InFlight && detail.claim)
            detail.ownerAlive = ownerAlive(ownersFolderOf(m_path), detail.claim->owner.id);
        ASSIGN_OR_RETURN(detail.attempts, attempts(detail));
        return std::optional(std::move(detail));
    }

    [[nodiscard]] Result<std::optional<Key>> keyOf(const RunId &run, Seq seq) override
    {
        ASSIGN_OR_RETURN(SqliteStatement row,
            m_database.prepare("SELECT key FROM action WHERE run = (SELECT id FROM run WHERE "
                               "run_id = ?) AND seq = ?"));
        row.bind(run.bytes()).bind(seq.value());
        ASSIGN_OR_RETURN(const bool found, row.step());
        return found ? std::optional(Key {row.digest(0)}) : std::nullopt;
    }

    [[nodiscard]] Result<std::vector<Key>> keysLike(
        const std::string &prefix, std::int64_t limit) override
    {
        std::string low = prefix;
        std::string high = prefix;
        low.resize(64, '0');
        high.resize(64, 'f');
        const auto first = Digest::fromHex(low);
        const auto last = Digest::fromHex(high);
        if (!first || !last)
            return fail(ErrorCode::InvalidInput, "is not the start of a key",
                "\"" + printable(prefix, 80) + "\"", "a key is made of hex digits");
        ASSIGN_OR_RETURN(SqliteStatement row,
            m_database.prepare(
                "SELECT key FROM action WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?"));
        row.bind(*first).bind(*last).bind(limit);
        std::vector<Key> keys;
        for (;;) {
            ASSIGN_OR_RETURN(const bool more, row.step());
            if (!more)
                return keys;
            keys.push_back(Key {row.digest(0)});
        }
    }

    [[nodiscard]] Result<std::optional<std::string>> body(const Digest &digest) override
    {
        ASSIGN_OR_RETURN(
            SqliteStatement row, m_database.prepare("SELECT bytes FROM body WHERE sha256 = ?"));
        row.bind(digest);
        ASSIGN_OR_RETURN(const bool found, row.step());
        if (!found)
            return fail(
                ErrorCode::NotFound, "the store holds no such body", "sha256 " + digest.hex());
        if (row.isNull(0))
            return std::optional<std::string>();
        return intactBody(row.blob(0), digest);
    }

    Result<void> forEachEffect(const std::function<bool(const Effect &)> &use) override
    {
        return readEffects(m_database, use);
    }

    [[nodiscard]] Result<std::vector<JournalRow>> journal(
        std::int64_t afterEntry, std::int64_t limit) override
    {
        ASSIGN_OR_RETURN(SqliteStatement row,
            m_database.prepare("SELECT entry, at, kind, payload, hash FROM journal "
                               "WHERE entry > ? ORDER BY entry LIMIT ?"));
        row.bind(afterEntry).bind(limit);
        std::vector<JournalRow> rows;
        for (;;) {
            ASSIGN_OR_RETURN(const bool more, row.step());
            if (!more)
                return rows;
            rows.push_back(
                {row.integer(0), Time {row.integer(1)}, row.text(2), row.text(3), row.digest(4)});
        }
    }

    [[nodiscard]] SqliteDatabase *database() override { return &m_database; }

private:
    static void bindAll(SqliteStatement &row, const RunCondition &condition)
    {
        for (const auto &value : condition.values)
            std::visit([&](const auto &bound) { row.bind(bound); }, value);
    }

    /// Appends one range of runs: those with a sort value, or those without.
    Result<void> readRange(const RunQuery &query, const RunCondition &condition, bool nulls,
        const std::optional<Cursor> &cursor, std::int64_t limit, RunPage &page, Cursor &last)
    {
        const std::string column = sortColumn(query.sort);
        const std::string beyond = query.descending ? " < " : " > ";
        const std::string direction = query.descending ? " DESC" : " ASC";
        std::string sql = "SELECT " + kRunColumns + ", " + column + " FROM run WHERE "
            + condition.sql + " AND " + column + (nulls ? " IS NULL" : " IS NOT NULL");
        if (cursor)
            sql += nulls ? " AND run.id" + beyond + "?"
                         : " AND (" + column + ", run.id)" + beyond + "(?, ?)";
        sql += " ORDER BY " + column + direction + ", run.id" + direction + " LIMIT ?";
        ASSIGN_OR_RETURN(SqliteStatement row, m_database.prepare(sql));
        bindAll(row, condition);
        if (cursor && !nulls)
            std::visit([&](const auto &bound) { row.bind(bound); }, *cursor->value);
        if (cursor)
            row.bind(cursor->id);
        row.bind(limit - static_cast<std::int64_t>(page.rows.size()));
        for (;;) {
            ASSIGN_OR_RETURN(const bool more, row.step());
            if (!more)
                return {};
            page.rows.push_back(readRun(row));
            // The cursor stays on the last row that will be shown; the row beyond only says that
            // there is more.
            if (static_cast<std::int64_t>(page.rows.size()) < limit) {
                constexpr int kIdColumn = 20;
                constexpr int kValueColumn = 21;
                last.id = row.integer(kIdColumn);
                if (nulls)
                    last.value.reset();
                else if (query.sort == RunSort::RunId)
                    last.value = row.text(kValueColumn);
                else
                    last.value = row.integer(kValueColumn);
            }
        }
    }

    /// Actions in flight under an owner that lives, by run number: they are counted in the summary
    /// with those in doubt, and are not in doubt. Few at any time: one for each caller.
    Result<std::map<std::int64_t, std::int64_t>> liveFlights()
    {
        ASSIGN_OR_RETURN(SqliteStatement row,
            m_database.prepare("SELECT action.run, owner.owner_id FROM action "
                               "JOIN owner ON owner.id = action.claim_owner "
                               "WHERE action.state = 'in_flight'"));
        std::map<std::int64_t, std::int64_t> flights;
        const std::string owners = ownersFolderOf(m_path);
        for (;;) {
            ASSIGN_OR_RETURN(const bool more, row.step());
            if (!more)
                return flights;
            if (ownerAlive(owners, row.text(1)))
                ++flights[row.integer(0)];
        }
    }

    static void tellFlights(RunRow &run, const std::map<std::int64_t, std::int64_t> &flights)
    {
        if (const auto found = flights.find(run.id); found != flights.end()) {
            run.inFlight = found->second;
            run.inDoubt -= std::min(run.inDoubt, found->second);
        }
    }

    Result<std::vector<ActionRow>> readActions(SqliteStatement &row)
    {
        std::vector<ActionRow> rows;
        for (;;) {
            ASSIGN_OR_RETURN(const bool more, row.step());
            if (!more)
                return rows;
            rows.push_back(readAction(row));
        }
    }

    Result<std::vector<AttemptRow>> attempts(const ActionDetail &detail)
    {
        ASSIGN_OR_RETURN(SqliteStatement row,
            m_database.prepare("SELECT attempt.n, attempt.kind, attempt.outcome, "
                               "attempt.started_at, attempt.ended_at, owner.host, owner.pid, "
                               "attempt.who, attempt.sent_key, attempt.args, attempt.reason, "
                               "attempt.note, attempt.locator, attempt.tool_log, "
                + kResultColumns
                + ", attempt.kind <> 'replayed' AND attempt.result IS NOT NULL AND attempt.result "
                  "= "
                  "(SELECT action.result FROM action WHERE action.id = attempt.action) "
                  "FROM attempt LEFT JOIN owner ON owner.id = attempt.owner "
                  "LEFT JOIN result ON result.id = attempt.result "
                  "WHERE attempt.action = ? ORDER BY attempt.n"));
        row.bind(detail.row.id);
        std::vector<AttemptRow> rows;
        for (;;) {
            ASSIGN_OR_RETURN(const bool more, row.step());
            if (!more)
                return rows;
            AttemptRow attempt;
            attempt.n = row.integer(0);
            attempt.kind = attemptKindFrom(row.text(1)).value_or(AttemptKind::InDoubt);
            attempt.outcome = outcomeFrom(row.text(2));
            attempt.startedAt = timeAt(row, 3);
            attempt.endedAt = timeAt(row, 4);
            attempt.owner = row.text(7);
            if (attempt.owner.empty() && !row.isNull(5))
                attempt.owner = row.text(5) + ":" + row.text(6);
            attempt.sentKey = row.text(8);
            attempt.args = row.optionalDigest(9);
            attempt.reason = row.text(10);
            attempt.note = row.text(11);
            attempt.locator = row.text(12);
            attempt.toolLog = row.optionalDigest(13);
            attempt.result = readResult(row, 14);
            constexpr int kOriginalColumn = 22;
            attempt.original = row.integer(kOriginalColumn) != 0;
            const bool compares = !attempt.original
                && (attempt.kind == AttemptKind::Replayed
                    || attempt.kind == AttemptKind::ExecutedAgain
                    || attempt.kind == AttemptKind::LateReport);
            if (compares && attempt.result && detail.result)
                attempt.sameAsOriginal = attempt.result->body == detail.result->body;
            rows.push_back(std::move(attempt));
        }
    }

    OpenedEvidence m_evidence;
    SqliteDatabase &m_database;
    std::string m_path;
    std::vector<EvidenceFile> m_files;
};

} // namespace

std::optional<RunSort> runSortFrom(std::string_view name)
{
    static const std::map<std::string_view, RunSort> names {{"started", RunSort::Started},
        {"run", RunSort::RunId}, {"run_id", RunSort::RunId}, {"actions", RunSort::Actions},
        {"in_doubt", RunSort::InDoubt}, {"executed", RunSort::Executed},
        {"replayed", RunSort::Replayed}, {"again", RunSort::Again},
        {"conflicts", RunSort::Conflicts}};
    const auto found = names.find(name);
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

Result<std::unique_ptr<StoreReader>> StoreReader::open(const std::string &path)
{
    // The state before the first byte is read: what is opened may be newer, never older.
    const auto files = evidenceState(path, false);
    ASSIGN_OR_RETURN(OpenedEvidence evidence, openEvidence(path));
    if (!files)
        return tl::unexpected(files.error());
    auto reader = std::make_unique<StoreReaderImpl>(std::move(evidence), path, *files);
    ASSIGN_OR_RETURN(const StoreInfo info, reader->info());
    if (info.schemaVersion > kSchemaVersion)
        return fail(ErrorCode::StoreNewer,
            "has schema " + std::to_string(info.schemaVersion)
                + "; this program knows schemas up to " + std::to_string(kSchemaVersion),
            path, "use a newer Reprise");
    return Result<std::unique_ptr<StoreReader>>(std::move(reader));
}

} // namespace reprise

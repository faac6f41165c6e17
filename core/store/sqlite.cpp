#include "core/store/sqlite.h"

#include <sqlite3.h>

#include <utility>

namespace reprise {

Error sqliteError(sqlite3 *handle, int code, const std::string &where)
{
    const std::string said = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
    const auto error = [&](ErrorCode kind, const std::string &what, const std::string &hint) {
        return Error {kind, what + " (SQLite: " + said + ")", where, hint};
    };
    switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error(ErrorCode::StoreBusy, "the store is in use by someone else", "try again");
    case SQLITE_FULL:
        return error(ErrorCode::StoreFull, "the disk is full", "free some space and try again");
    case SQLITE_READONLY:
        return error(ErrorCode::StoreReadOnly, "the store cannot be written",
            "check the permissions of the file and of its folder");
    case SQLITE_CANTOPEN:
        return error(ErrorCode::StoreMissing, "the store cannot be opened",
            "check the path and the permissions");
    case SQLITE_NOTADB:
        return error(ErrorCode::StoreForeign, "is not an SQLite file", {});
    case SQLITE_CORRUPT:
        return error(
            ErrorCode::StoreDamaged, "the store is damaged", "keep the file and verify it");
    case SQLITE_INTERRUPT:
        return error(ErrorCode::Cancelled, "stopped", {});
    case SQLITE_IOERR:
        return error(ErrorCode::Io, "reading or writing failed", "check the disk");
    case SQLITE_CONSTRAINT:
        return error(ErrorCode::Conflict, "the record says otherwise", {});
    case SQLITE_TOOBIG:
        return error(ErrorCode::InvalidInput, "is larger than the store takes", {});
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return error(ErrorCode::StoreReadOnly, "access is not allowed", {});
    default:
        return error(ErrorCode::Internal, "SQLite refused", {});
    }
}

SqliteStatement::~SqliteStatement()
{
    if (m_handle != nullptr) {
        sqlite3_reset(m_handle);
        sqlite3_clear_bindings(m_handle);
    }
}

SqliteStatement::SqliteStatement(SqliteStatement &&other) noexcept
    : m_handle(std::exchange(other.m_handle, nullptr))
    , m_next(other.m_next)
    , m_bindCode(other.m_bindCode)
{
}

SqliteStatement &SqliteStatement::bound(int code)
{
    ++m_next;
    if (m_bindCode == SQLITE_OK)
        m_bindCode = code;
    return *this;
}

SqliteStatement &SqliteStatement::bind(std::int64_t value)
{
    return bound(sqlite3_bind_int64(m_handle, m_next, value));
}

SqliteStatement &SqliteStatement::bind(std::string_view text)
{
    // A view may have no address; SQLite takes that for NULL, which empty text is not.
    return bound(sqlite3_bind_text64(m_handle, m_next, text.data() == nullptr ? "" : text.data(),
        text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

SqliteStatement &SqliteStatement::bindBlob(std::string_view bytes)
{
    return bound(sqlite3_bind_blob64(m_handle, m_next, bytes.data() == nullptr ? "" : bytes.data(),
        bytes.size(), SQLITE_STATIC));
}

SqliteStatement &SqliteStatement::bindNull()
{
    return bound(sqlite3_bind_null(m_handle, m_next));
}

Result<bool> SqliteStatement::step()
{
    // A value that was not taken would be NULL, and NULL means something else.
    const int code = m_bindCode == SQLITE_OK ? sqlite3_step(m_handle) : m_bindCode;
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    sqlite3 *database = sqlite3_db_handle(m_handle);
    const char *path = sqlite3_db_filename(database, "main");
    const int extended = m_bindCode == SQLITE_OK ? sqlite3_extended_errcode(database) : m_bindCode;
    return tl::unexpected(sqliteError(database, extended, path == nullptr ? "" : path));
}

Result<void> SqliteStatement::run()
{
    ASSIGN_OR_RETURN(bool row, step());
    while (row) {
        ASSIGN_OR_RETURN(row, step());
    }
    return {};
}

bool SqliteStatement::isNull(int column) const
{
    return sqlite3_column_type(m_handle, column) == SQLITE_NULL;
}

std::int64_t SqliteStatement::integer(int column) const
{
    return sqlite3_column_int64(m_handle, column);
}

std::string SqliteStatement::text(int column) const
{
    const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(m_handle, column));
    if (bytes == nullptr)
        return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_handle, column))};
}

std::string SqliteStatement::blob(int column) const
{
    const auto *bytes = static_cast<const char *>(sqlite3_column_blob(m_handle, column));
    if (bytes == nullptr)
        return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_handle, column))};
}

Digest SqliteStatement::digest(int column) const
{
    return optionalDigest(column).value_or(Digest {});
}

std::optional<std::int64_t> SqliteStatement::optionalInteger(int column) const
{
    return isNull(column) ? std::nullopt : std::optional(integer(column));
}

std::optional<Digest> SqliteStatement::optionalDigest(int column) const
{
    return Digest::fromBytes(blob(column));
}

SqliteDatabase::SqliteDatabase(std::string path)
    : m_path(std::move(path))
{
}

SqliteDatabase::~SqliteDatabase()
{
    for (const auto &[sql, statement] : m_statements)
        sqlite3_finalize(statement);
    sqlite3_close(m_handle);
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open(
    const std::string &uri, Mode mode, const std::string &vfs)
{
    int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (mode == Mode::ReadOnly)
        flags |= SQLITE_OPEN_READONLY;
    else
        flags |= SQLITE_OPEN_READWRITE | (mode == Mode::Create ? SQLITE_OPEN_CREATE : 0);
    std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(uri));
    sqlite3 *&handle = database->m_handle;
    const int code
        = sqlite3_open_v2(uri.c_str(), &handle, flags, vfs.empty() ? nullptr : vfs.c_str());
    if (code != SQLITE_OK)
        return tl::unexpected(sqliteError(handle, code, uri));
    // A hostile file must not be able to run functions or change the schema behind our back.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    return database;
}

Result<void> SqliteDatabase::execute(const std::string &sql)
{
    const int code = sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        return tl::unexpected(sqliteError(m_handle, code, m_path));
    return {};
}

Result<SqliteStatement> SqliteDatabase::prepare(std::string_view sql)
{
    auto found = m_statements.find(sql);
    if (found == m_statements.end()) {
        sqlite3_stmt *statement = nullptr;
        const int code = sqlite3_prepare_v3(m_handle, sql.data(), static_cast<int>(sql.size()),
            SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
        if (code != SQLITE_OK)
            return tl::unexpected(sqliteError(m_handle, code, m_path));
        found = m_statements.emplace(sql, statement).first;
    } else if (sqlite3_stmt_busy(found->second) != 0) {
        return fail(ErrorCode::Internal, "a statement was asked for while it was running",
            std::string(sql));
    }
    return SqliteStatement(found->second);
}

Result<std::int64_t> SqliteDatabase::integer(const std::string &sql)
{
    ASSIGN_OR_RETURN(SqliteStatement statement, prepare(sql));
    ASSIGN_OR_RETURN(const bool row, statement.step());
    return row ? statement.integer(0) : 0;
}

Result<std::string> SqliteDatabase::text(const std::string &sql)
{
    ASSIGN_OR_RETURN(SqliteStatement statement, prepare(sql));
    ASSIGN_OR_RETURN(const bool row, statement.step());
    return row ? statement.text(0) : std::string();
}

std::int64_t SqliteDatabase::lastInsertRowId() const
{
    return sqlite3_last_insert_rowid(m_handle);
}
std::int64_t SqliteDatabase::changes() const
{
    return sqlite3_changes64(m_handle);
}
void SqliteDatabase::interrupt()
{
    sqlite3_interrupt(m_handle);
}

Result<SqliteTransaction> SqliteTransaction::beginImmediate(SqliteDatabase &database)
{
    ASSIGN_OR_RETURN(SqliteStatement begin, database.prepare("BEGIN IMMEDIATE"));
    RETURN_IF_ERROR(begin.run());
    return SqliteTransaction(database);
}

SqliteTransaction::SqliteTransaction(SqliteTransaction &&other) noexcept
    : m_database(std::exchange(other.m_database, nullptr))
{
}

SqliteTransaction::~SqliteTransaction()
{
    if (m_database != nullptr && sqlite3_get_autocommit(m_database->handle()) == 0)
        ignoreError(m_database->execute("ROLLBACK"), "SQLite may have rolled back by itself");
}

Result<void> SqliteTransaction::commit()
{
    ASSIGN_OR_RETURN(SqliteStatement statement, m_database->prepare("COMMIT"));
    RETURN_IF_ERROR(statement.run());
    m_database = nullptr;
    return {};
}

} // namespace reprise

#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/store/shared_file.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace reprise {

/// One row of a prepared statement's result, or its execution. A light handle: made by
/// SqliteDatabase::prepare, given back (reset, bindings cleared) when it goes out of scope. Must
/// not outlive its database. Parameters and columns count from 1 and 0, as in SQLite.
class SqliteStatement
{
public:
    explicit SqliteStatement(sqlite3_stmt *handle)
        : m_handle(handle)
    {
    }
    ~SqliteStatement();
    SqliteStatement(SqliteStatement &&other) noexcept;
    SqliteStatement &operator=(SqliteStatement &&) = delete;

    // Binding: the next parameter gets the value. Text and blobs must stay alive until the last
    // step.
    SqliteStatement &bind(std::int64_t value);
    SqliteStatement &bind(int value) { return bind(static_cast<std::int64_t>(value)); }
    SqliteStatement &bind(bool value) { return bind(static_cast<std::int64_t>(value ? 1 : 0)); }
    SqliteStatement &bind(std::string_view text);
    SqliteStatement &bind(const std::string &text) { return bind(std::string_view(text)); }
    SqliteStatement &bind(const char *text) { return bind(std::string_view(text)); }
    SqliteStatement &bindBlob(std::string_view bytes);
    SqliteStatement &bind(const Digest &digest) { return bindBlob(digest.view()); }
    SqliteStatement &bindNull();
    template <typename T> SqliteStatement &bind(const std::optional<T> &value)
    {
        return value ? bind(*value) : bindNull();
    }

    /// True where a row is there to be read, false at the end.
    [[nodiscard]] Result<bool> step();
    /// Runs a statement that gives no rows.
    [[nodiscard]] Result<void> run();

    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] std::string text(int column) const;
    [[nodiscard]] std::string blob(int column) const;
    /// All zeros where the column holds no 32 bytes.
    [[nodiscard]] Digest digest(int column) const;
    [[nodiscard]] std::optional<std::int64_t> optionalInteger(int column) const;
    [[nodiscard]] std::optional<Digest> optionalDigest(int column) const;

private:
    SqliteStatement &bound(int code);

    sqlite3_stmt *m_handle;
    int m_next = 1;
    int m_bindCode = 0; ///< of the first binding that failed; the next step answers it
};

/// One connection to one SQLite file. One thread at a time; `interrupt` from any thread.
class SqliteDatabase
{
public:
    enum class Mode { ReadOnly, ReadWrite, Create };

    /// `uri` is a path, or a `file:` URI with parameters. `vfs` empty: the usual one.
    [[nodiscard]] static Result<std::unique_ptr<SqliteDatabase>> open(
        const std::string &uri, Mode mode, const std::string &vfs = {});
    ~SqliteDatabase();
    SqliteDatabase(const SqliteDatabase &) = delete;
    SqliteDatabase &operator=(const SqliteDatabase &) = delete;

    /// Runs one or more statements without parameters.
    Result<void> execute(const std::string &sql);
    /// A statement that is compiled once and kept; `sql` should be a constant.
    [[nodiscard]] Result<SqliteStatement> prepare(std::string_view sql);
    /// The first column of the first row.
    [[nodiscard]] Result<std::int64_t> integer(const std::string &sql);
    [[nodiscard]] Result<std::string> text(const std::string &sql);
    [[nodiscard]] std::int64_t lastInsertRowId() const;
    /// Rows that the last insert, update or delete changed.
    [[nodiscard]] std::int64_t changes() const;
    /// Stops the running statement, which answers ErrorCode::Cancelled.
    void interrupt();
    [[nodiscard]] sqlite3 *handle() const { return m_handle; }

private:
    explicit SqliteDatabase(std::string path);
    SharedFilesInUse m_inUse; // the first member: goes when the connection is closed
    sqlite3 *m_handle = nullptr;
    std::string m_path;
    std::map<std::string, sqlite3_stmt *, std::less<>> m_statements;
};

/// The one place where an SQLite result code becomes an Error.
[[nodiscard]] Error sqliteError(sqlite3 *handle, int code, const std::string &where);

/// `BEGIN IMMEDIATE` … `COMMIT`; rolls back where `commit` was not called or failed.
class SqliteTransaction
{
public:
    [[nodiscard]] static Result<SqliteTransaction> beginImmediate(SqliteDatabase &database);
    ~SqliteTransaction();
    SqliteTransaction(SqliteTransaction &&other) noexcept;
    SqliteTransaction &operator=(SqliteTransaction &&) = delete;
    [[nodiscard]] Result<void> commit();

private:
    explicit SqliteTransaction(SqliteDatabase &database)
        : m_database(&database)
    {
    }
    SqliteDatabase *m_database;
};

} // namespace reprise

#pragma once

#include <openssl/evp.h>
#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

/// The floors: what a careful programmer writes by hand with plain C calls, and nothing more.
namespace reprise::speed {

using RawDigest = std::array<unsigned char, 32>;

/// SHA-256 with the digest fetched once and one context that is used again.
class RawSha256
{
public:
    RawSha256();
    ~RawSha256();
    RawSha256(const RawSha256 &) = delete;
    RawSha256 &operator=(const RawSha256 &) = delete;

    void add(const void *bytes, std::size_t size);
    void addNumber(std::uint64_t value); ///< 8 bytes, big end first
    [[nodiscard]] RawDigest finish();

private:
    EVP_MD *m_kind;
    EVP_MD_CTX *m_context;
};

/// The key of a run's seq, as the executor derives it.
[[nodiscard]] RawDigest rawKey(RawSha256 &sha256, std::string_view run, std::int64_t seq);

/// A statement that is compiled once. Ends the program where SQLite refuses: a floor that fails is
/// no floor.
class RawStatement
{
public:
    RawStatement(sqlite3 *database, const char *sql);
    ~RawStatement();
    RawStatement(const RawStatement &) = delete;
    RawStatement &operator=(const RawStatement &) = delete;

    RawStatement &bind(std::int64_t value);
    RawStatement &bind(std::string_view text);
    RawStatement &bind(const RawDigest &digest);
    /// True where a row is there.
    bool step();
    /// Steps once and makes ready for the next time.
    void run();
    void reset();
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] std::string_view bytes(int column) const;

private:
    sqlite3_stmt *m_statement = nullptr;
    int m_next = 1;
};

enum class RawSync { Normal, Full };

/// One connection to a table of actions and a hash-chained journal. One thread at a time.
class RawStore
{
public:
    /// Makes the tables where they are not there.
    RawStore(const std::string &path, RawSync sync);
    ~RawStore();
    RawStore(const RawStore &) = delete;
    RawStore &operator=(const RawStore &) = delete;

    /// A fresh execution: look up, insert and commit, "call", update with two journal rows and
    /// commit. The key must be new.
    void execute(std::string_view run, std::int64_t seq);

    // The steps of `execute`, for a queue that commits many at once.
    void begin();
    void commit();
    void claim(const RawDigest &key, std::string_view run, std::int64_t seq); ///< looks up, inserts
    void record(const RawDigest &key, std::int64_t seq);

    /// The recorded result of a key: its size, -1 where there is none.
    std::int64_t lookUp(const RawDigest &key);
    /// The same, with a journal row in a commit of its own.
    void replay(const RawDigest &key);

    [[nodiscard]] RawDigest key(std::string_view run, std::int64_t seq)
    {
        return rawKey(m_sha256, run, seq);
    }

private:
    struct Statements;

    void appendJournal(std::string_view kind, std::string_view payload);
    /// The chain goes on from the head that the transaction sees.
    void readHead();

    RawSha256 m_sha256;
    sqlite3 *m_database = nullptr;
    std::unique_ptr<Statements> m_statements;
    std::int64_t m_entry = 0;
    RawDigest m_head {};
};

/// Reads a journal of Reprise's from its first to its last entry and hashes every one. Answers how
/// many there were; ends the program where a hash does not fit.
[[nodiscard]] std::int64_t rawScanAndHash(const std::string &path, const std::string &storeId);

/// Makes a file of `actions` rows, each with 800 bytes of payload, in one transaction.
void rawBulkInsert(const std::string &path, std::int64_t actions);

/// Args and result of the raw actions: about as large as those that Reprise is given.
[[nodiscard]] std::string rawPayload(std::int64_t seq, std::size_t size);

} // namespace reprise::speed

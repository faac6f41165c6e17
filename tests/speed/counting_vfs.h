#pragma once

#include <cstdint>

namespace reprise::speed {

/// What SQLite asked of its files since the program began: flushes (xSync), and bytes written to
/// logs.
struct Flushes
{
    std::int64_t log = 0; ///< write-ahead logs: one for each durable commit
    std::int64_t other = 0; ///< databases and rollback journals: checkpoints, making a store
    std::int64_t logBytes = 0;

    [[nodiscard]] std::int64_t all() const { return log + other; }
};

/// Puts a thin layer over SQLite's usual files, for every connection that is opened from now on,
/// Reprise's and the floors' alike. Call it first; it ends the program where SQLite refuses.
void installCountingVfs();

/// Any thread.
[[nodiscard]] Flushes flushes();

/// Calls of fsync and fdatasync by the whole program, SQLite's included: shows what goes past
/// SQLite. Any thread.
[[nodiscard]] std::int64_t systemFlushes();

/// Off: a flush is counted and answered at once, which costs what `synchronous=OFF` costs and needs
/// nothing of the connection. Only for files that may be lost.
void setFlushing(bool on);
[[nodiscard]] bool flushing();

/// Switches flushing for as long as it lives.
class FlushingScope
{
public:
    explicit FlushingScope(bool on)
        : m_before(flushing())
    {
        setFlushing(on);
    }
    ~FlushingScope() { setFlushing(m_before); }
    FlushingScope(const FlushingScope &) = delete;
    FlushingScope &operator=(const FlushingScope &) = delete;

private:
    bool m_before;
};

} // namespace reprise::speed

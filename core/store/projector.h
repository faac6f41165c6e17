#pragma once

#include "core/journal/event.h"
#include "core/store/sqlite.h"

#include <cstdint>
#include <string>

namespace reprise {

/// The only writer of state rows: applies events, in journal order, to the tables of schema 1. The
/// same events give the same rows, row numbers included, which is how verification rebuilds a
/// store. Works inside the caller's transaction; one thread.
class Projector
{
public:
    explicit Projector(SqliteDatabase &database)
        : m_database(database)
    {
    }
    /// `entry` is the event's number in the journal. StoreDamaged where the event does not fit the
    /// state before it.
    [[nodiscard]] Result<void> apply(const Event &event, std::int64_t entry);

    /// Forgets what was read in a transaction that was rolled back.
    void forget() { m_owner = {}; }

    /// The owner that came last, and its row: nearly every event of an executor names itself.
    struct OwnerRow
    {
        std::string ownerId;
        std::int64_t id = 0;
    };

private:
    SqliteDatabase &m_database;
    OwnerRow m_owner;
};

} // namespace reprise

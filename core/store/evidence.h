#pragma once

#include "core/base/bytes.h"
#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/sqlite.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace reprise {

/// A folder of this process alone, gone with the object.
class PrivateFolder
{
public:
    PrivateFolder() = default;
    ~PrivateFolder();
    PrivateFolder(PrivateFolder &&other) noexcept;
    PrivateFolder &operator=(PrivateFolder &&other) noexcept;
    [[nodiscard]] static Result<PrivateFolder> make();
    [[nodiscard]] const std::string &path() const { return m_path; }

private:
    std::string m_path;
};

/// A store opened for reading without a trace. The connection is closed before the folder goes.
struct OpenedEvidence
{
    PrivateFolder folder;
    std::unique_ptr<SqliteDatabase> database;
    std::string access;
};

/// A file of the evidence as it was found: used to show that nothing changed.
struct EvidenceFile
{
    std::string path;
    std::uint64_t bytes = 0;
    std::int64_t modifiedNs = 0;
    Digest sha256; ///< all zeros until `EvidenceState::hash` was asked for
    friend bool operator==(const EvidenceFile &, const EvidenceFile &) = default;
};

/// The store's files and their neighbours of SQLite (-wal, -shm, -journal) at one moment. Hashing
/// ends with ErrorCode::Cancelled soon after `stop` (not owned) is set.
[[nodiscard]] Result<std::vector<EvidenceFile>> evidenceState(
    const std::string &path, bool withHashes, const std::atomic<bool> *stop = nullptr);

/// Opens a store so that no byte, time stamp or neighbour file of it changes:
/// - no log, or an empty one: in place, as immutable;
/// - a log that no process has open: the main file in place, a private copy of the log;
/// - a store that a process has open: as one more reader of it;
/// - an interrupted rollback journal: a private copy of both files, on which SQLite rolls back.
[[nodiscard]] Result<OpenedEvidence> openEvidence(const std::string &path);

} // namespace reprise

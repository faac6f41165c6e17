#pragma once

#include <string>

namespace reprise {

/// A store's file, open for looking at its bytes and locks beside SQLite. SQLite's locks are POSIX
/// locks, which belong to the process: closing any descriptor of a file gives up all of them, and a
/// writer in this process would go on without its locks ("How To Corrupt An SQLite Database File",
/// sqlite.org/howtocorrupt.html, section 2.2). So a file is opened once, its descriptor is shared,
/// and descriptors are closed only when the process has neither a SharedFile nor an SqliteDatabase.
/// Read with pread: the position belongs to everybody. Any thread.
class SharedFile
{
public:
    /// Opens a regular file for reading; its access time stays where the system allows it.
    explicit SharedFile(const std::string &path);
    ~SharedFile();
    SharedFile(const SharedFile &) = delete;
    SharedFile &operator=(const SharedFile &) = delete;

    /// -1 where it could not be opened; never to be closed.
    [[nodiscard]] int handle() const { return m_handle; }
    /// errno of a failed opening; 0 where it is open.
    [[nodiscard]] int error() const { return m_error; }

private:
    int m_handle = -1;
    int m_error = 0;
};

/// Held by every SqliteDatabase from before its file is opened until after it is closed.
class SharedFilesInUse
{
public:
    SharedFilesInUse();
    ~SharedFilesInUse();
    SharedFilesInUse(const SharedFilesInUse &) = delete;
    SharedFilesInUse &operator=(const SharedFilesInUse &) = delete;
};

} // namespace reprise

#include "core/executor/liveness_lock.h"

#include "core/base/file.h"
#include "core/store/liveness.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

namespace reprise {

namespace {

/// An open-file lock, not a process lock: it is not lost when some other descriptor of the file
/// closes. False where somebody else has it.
bool lockWhole(int handle)
{
    struct flock whole
    {
    };
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return ::fcntl(handle, F_OFD_SETLK, &whole) == 0;
}

/// Does the file still have a name?
bool isLinked(int handle)
{
    struct stat file
    {
    };
    return ::fstat(handle, &file) == 0 && file.st_nlink > 0;
}

} // namespace

LivenessLock::~LivenessLock()
{
    release();
}

LivenessLock::LivenessLock(LivenessLock &&other) noexcept
    : m_folder(std::move(other.m_folder))
    , m_ownerId(std::exchange(other.m_ownerId, {}))
    , m_handle(std::exchange(other.m_handle, -1))
{
}

LivenessLock &LivenessLock::operator=(LivenessLock &&other) noexcept
{
    release();
    m_folder = std::move(other.m_folder);
    m_ownerId = std::exchange(other.m_ownerId, {});
    m_handle = std::exchange(other.m_handle, -1);
    return *this;
}

Result<LivenessLock> LivenessLock::acquire(
    const std::string &ownersFolder, const std::string &ownerId)
{
    LivenessLock lock;
    if (ownersFolder.empty()) {
        listOwnerInMemory(ownerId, true);
        lock.m_ownerId = ownerId;
        return lock;
    }
    const std::string path = ownerLockPath(ownersFolder, ownerId);
    // Others may remove the empty folder, or the file before it is locked (removeDeadOwners): try
    // again.
    constexpr int kTriesMax = 100;
    for (int i = 0; i < kTriesMax; ++i) {
        RETURN_IF_ERROR(makeFolder(ownersFolder));
        const int handle = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (handle < 0 && errno != ENOENT && errno != EEXIST)
            return tl::unexpected(errnoError(errno, path, "cannot make the liveness file"));
        if (handle >= 0 && lockWhole(handle) && isLinked(handle)) {
            lock.m_folder = ownersFolder;
            lock.m_ownerId = ownerId;
            lock.m_handle = handle;
            return lock;
        }
        if (handle >= 0)
            ::close(handle);
    }
    return fail(ErrorCode::Io, "cannot lock the liveness file", path);
}

void LivenessLock::release()
{
    if (m_ownerId.empty())
        return;
    if (m_handle < 0) {
        listOwnerInMemory(m_ownerId, false);
    } else {
        // Removed before it is unlocked: nobody finds a free lock file of an owner that ended well.
        ::unlink(ownerLockPath(m_folder, m_ownerId).c_str());
        ::close(m_handle);
        ::rmdir(m_folder.c_str()); // succeeds only where it is empty
    }
    m_handle = -1;
    m_ownerId.clear();
}

void removeDeadOwners(const std::string &ownersFolder)
{
    std::error_code failure;
    for (const auto &entry : std::filesystem::directory_iterator(ownersFolder, failure)) {
        if (entry.path().extension() != ".lock")
            continue;
        const int handle = ::open(entry.path().c_str(), O_RDWR | O_CLOEXEC);
        if (handle < 0)
            continue;
        // Locked while it goes: an owner that has just made the file sees that it is gone.
        if (lockWhole(handle) && isLinked(handle))
            ::unlink(entry.path().c_str());
        ::close(handle);
    }
}

} // namespace reprise

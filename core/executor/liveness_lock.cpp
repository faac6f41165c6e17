#include "core/executor/liveness_lock.h"

#include "core/base/file.h"
#include "core/store/liveness.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace reprise {

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
    // Another executor that ends may remove the empty folder between the two calls: try again.
    constexpr int kTriesMax = 10;
    for (int i = 0; i < kTriesMax && lock.m_handle < 0; ++i) {
        RETURN_IF_ERROR(makeFolder(ownersFolder));
        lock.m_handle = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (lock.m_handle < 0 && errno != ENOENT)
            break;
    }
    if (lock.m_handle < 0)
        return tl::unexpected(errnoError(errno, path, "cannot make the liveness file"));
    lock.m_folder = ownersFolder;
    lock.m_ownerId = ownerId;
    struct flock whole
    {
    };
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    // An open-file lock, not a process lock: it is not lost when some other descriptor of the file
    // closes.
    if (::fcntl(lock.m_handle, F_OFD_SETLK, &whole) != 0)
        return tl::unexpected(errnoError(errno, path, "cannot lock the liveness file"));
    return lock;
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

} // namespace reprise

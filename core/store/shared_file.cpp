#include "core/store/shared_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <vector>

namespace reprise {

namespace {

struct OpenFile
{
    dev_t device;
    ino_t inode;
    int handle;
};

/// The descriptors of this process, and how many rely on them.
struct Files
{
    std::mutex mutex; // guards everything below
    std::vector<OpenFile> open;
    int users = 0;
};

Files &files()
{
    static Files instance;
    return instance;
}

void release()
{
    Files &all = files();
    const std::lock_guard guard(all.mutex);
    if (--all.users > 0)
        return;
    for (const OpenFile &file : all.open)
        ::close(file.handle);
    all.open.clear();
}

int openQuietly(const std::string &path)
{
    const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOATIME);
    // Only the owner of a file may leave its access time alone.
    return handle >= 0 || errno != EPERM ? handle : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

} // namespace

SharedFile::SharedFile(const std::string &path)
{
    Files &all = files();
    const std::lock_guard guard(all.mutex);
    ++all.users;
    struct stat info
    {
    };
    if (::stat(path.c_str(), &info) != 0) {
        m_error = errno;
        return;
    }
    if (!S_ISREG(info.st_mode)) {
        m_error = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        return;
    }
    const auto known = std::find_if(all.open.begin(), all.open.end(), [&](const OpenFile &file) {
        return file.device == info.st_dev && file.inode == info.st_ino;
    });
    if (known != all.open.end()) {
        m_handle = known->handle;
        return;
    }
    m_handle = openQuietly(path);
    if (m_handle < 0 || ::fstat(m_handle, &info) != 0) {
        m_error = errno;
        return;
    }
    all.open.push_back({info.st_dev, info.st_ino, m_handle});
}

SharedFile::~SharedFile()
{
    release();
}

SharedFilesInUse::SharedFilesInUse()
{
    Files &all = files();
    const std::lock_guard guard(all.mutex);
    ++all.users;
}

SharedFilesInUse::~SharedFilesInUse()
{
    release();
}

} // namespace reprise

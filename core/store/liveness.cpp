#include "core/store/liveness.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <mutex>
#include <set>

namespace reprise {

namespace {

std::mutex &listMutex()
{
    static std::mutex mutex;
    return mutex;
}

std::set<std::string> &listedOwners()
{
    static std::set<std::string> owners;
    return owners;
}

} // namespace

std::string ownersFolderOf(const std::string &storePath)
{
    std::error_code failure;
    const auto file = std::filesystem::canonical(storePath, failure);
    return (failure ? storePath : file.string()) + ".owners";
}

std::string ownerLockPath(const std::string &ownersFolder, const std::string &ownerId)
{
    return ownersFolder + "/" + ownerId + ".lock";
}

void listOwnerInMemory(const std::string &ownerId, bool alive)
{
    const std::lock_guard guard(listMutex());
    if (alive)
        listedOwners().insert(ownerId);
    else
        listedOwners().erase(ownerId);
}

bool ownerAlive(const std::string &ownersFolder, const std::string &ownerId)
{
    if (ownersFolder.empty()) {
        const std::lock_guard guard(listMutex());
        return listedOwners().contains(ownerId);
    }
    const int handle = ::open(ownerLockPath(ownersFolder, ownerId).c_str(), O_RDONLY | O_CLOEXEC);
    // Only a file that is not there proves a death; one that cannot be looked at does not (no
    // descriptor left, no permission).
    if (handle < 0)
        return errno != ENOENT && errno != ENOTDIR;
    struct flock whole
    {
    };
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    // Asks without taking the lock, so that two who look at once do not see each other as the
    // owner.
    const bool answered = ::fcntl(handle, F_OFD_GETLK, &whole) == 0;
    ::close(handle);
    // Where the system does not answer, the owner counts as alive: the side on which nothing is
    // called.
    return !answered || whole.l_type != F_UNLCK;
}

} // namespace reprise

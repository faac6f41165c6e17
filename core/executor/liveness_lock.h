#pragma once

#include "core/base/result.h"

#include <string>

namespace reprise {

/// An owner's proof that it lives: an operating-system lock on a file of its own, `FOLDER/ID.lock`,
/// freed by the kernel when the process ends, however it ends. The lock belongs to the open file,
/// so two owners in one process see each other. Where the folder's name is empty (a store in
/// memory) the proof is a list in this process.
class LivenessLock
{
public:
    LivenessLock() = default;
    ~LivenessLock();
    LivenessLock(LivenessLock &&other) noexcept;
    LivenessLock &operator=(LivenessLock &&other) noexcept;

    [[nodiscard]] static Result<LivenessLock> acquire(
        const std::string &ownersFolder, const std::string &ownerId);

private:
    void release();
    std::string m_folder;
    std::string m_ownerId;
    int m_handle = -1;
};

/// Removes the lock files of owners that were killed. A file that is not there means the same as
/// one that nobody has locked: the owner is dead.
void removeDeadOwners(const std::string &ownersFolder);

} // namespace reprise

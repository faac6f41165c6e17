#pragma once

#include <string>

namespace reprise {

/// Is that owner's lock (LivenessLock) held now, by whatever process? Changes nothing, and needs no
/// write access. May be called from any thread.
[[nodiscard]] bool ownerAlive(const std::string &ownersFolder, const std::string &ownerId);

/// Where owners of the store at `storePath` keep their lock files: `STORE.owners` beside the file
/// itself, whatever name or link it was opened by; two who used different names would else not see
/// each other.
[[nodiscard]] std::string ownersFolderOf(const std::string &storePath);

/// `FOLDER/ID.lock`.
[[nodiscard]] std::string ownerLockPath(
    const std::string &ownersFolder, const std::string &ownerId);

/// Owners of stores that are in memory, which only this process can see.
void listOwnerInMemory(const std::string &ownerId, bool alive);

} // namespace reprise

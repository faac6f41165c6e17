#include "core/store/evidence.h"

#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/store/shared_file.h"
#include "core/store/store_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

namespace reprise {

namespace {

constexpr const char *kVfsName = "reprise-evidence";
constexpr int kBusyMsMax = 5'000;
const std::string kMainName = "store.db";

/// Links to evidence that SQLite may follow; it follows none by itself.
class EvidenceLinks
{
public:
    static EvidenceLinks &instance()
    {
        static EvidenceLinks links;
        return links;
    }
    void add(const std::string &link)
    {
        const std::lock_guard guard(m_mutex);
        m_links.insert(link);
    }
    void remove(const std::string &link)
    {
        const std::lock_guard guard(m_mutex);
        m_links.erase(link);
    }
    [[nodiscard]] bool has(const char *path)
    {
        const std::lock_guard guard(m_mutex);
        return m_links.contains(path);
    }

private:
    std::mutex m_mutex;
    std::set<std::string, std::less<>> m_links;
};

/// SQLite opens files with O_NOFOLLOW; for the links above, and only for reading, it may follow.
int openFile(const char *path, int flags, int mode)
{
    const bool reading = (flags & O_ACCMODE) == O_RDONLY;
    const int allowed
        = reading && EvidenceLinks::instance().has(path) ? flags & ~O_NOFOLLOW : flags;
    return ::open(path, allowed, mode);
}

/// The absolute name as it is, links not resolved: SQLite then looks for the log beside the link,
/// which is in the private folder, and reads the main file through it.
int keepName(sqlite3_vfs * /*vfs*/, const char *name, int sizeMax, char *out)
{
    if (std::strlen(name) + 1 > static_cast<std::size_t>(sizeMax) || name[0] != '/')
        return SQLITE_CANTOPEN;
    std::memcpy(out, name, std::strlen(name) + 1);
    return SQLITE_OK;
}

Result<void> registerVfs()
{
    static sqlite3_vfs vfs {};
    static const bool registered = [] {
        sqlite3_vfs *usual = sqlite3_vfs_find("unix");
        if (usual == nullptr || usual->iVersion < 3)
            return false;
        vfs = *usual;
        vfs.pNext = nullptr;
        vfs.zName = kVfsName;
        vfs.xFullPathname = keepName;
        const auto opener = reinterpret_cast<sqlite3_syscall_ptr>(openFile);
        return usual->xSetSystemCall(usual, "open", opener) == SQLITE_OK
            && sqlite3_vfs_register(&vfs, 0) == SQLITE_OK;
    }();
    if (!registered)
        return fail(ErrorCode::Internal, "the reading layer over SQLite is not available");
    return {};
}

/// A path as the path part of a `file:` URI.
std::string uriPath(const std::string &path)
{
    std::string out = "file:";
    for (const char c : path) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '-' || c == '_';
        out += plain ? std::string(1, c) : "%" + toHex(std::string_view(&c, 1));
    }
    return out;
}

std::uintmax_t sizeOf(const std::string &path)
{
    std::error_code absent;
    const auto size = std::filesystem::file_size(path, absent);
    return absent ? 0 : size;
}

/// A rollback journal that a writer left behind starts with these bytes; one that was finished is
/// gone, empty or zeroed ("Database File Format", sqlite.org/fileformat.html, section 3).
bool isHotJournal(const std::string &path)
{
    constexpr unsigned char kMagic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0)
        return false;
    unsigned char start[8] = {};
    const bool hot = ::read(handle, start, sizeof start) == sizeof start
        && std::memcmp(start, kMagic, sizeof kMagic) == 0;
    ::close(handle);
    return hot;
}

/// Every connection to a store with a write-ahead log holds a lock on byte 128 of the -shm file
/// (UNIX_SHM_DMS in SQLite's os_unix.c).
bool isOpenSomewhere(const std::string &path)
{
    constexpr off_t kDeadManSwitch = 128;
    const SharedFile shm(path + "-shm");
    // One that cannot be looked at is left to SQLite, which says what is wrong.
    if (shm.handle() < 0)
        return shm.error() != ENOENT;
    struct flock lock
    {
    };
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = kDeadManSwitch;
    lock.l_len = 1;
    return ::fcntl(shm.handle(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

Result<void> copyFile(const std::string &from, const std::string &to)
{
    std::error_code failure;
    std::filesystem::copy_file(from, to, failure);
    if (failure)
        return tl::unexpected(
            errnoError(failure.value(), from, "cannot make a private copy of the log"));
    return {};
}

Result<OpenedEvidence> openWithPrivateLog(const std::string &path)
{
    RETURN_IF_ERROR(registerVfs());
    OpenedEvidence opened;
    opened.access = "private copy of the log";
    ASSIGN_OR_RETURN(opened.folder, PrivateFolder::make());
    const std::string link = opened.folder.path() + "/" + kMainName;
    if (::symlink(path.c_str(), link.c_str()) != 0)
        return tl::unexpected(errnoError(errno, link, "cannot make a link"));
    RETURN_IF_ERROR(copyFile(path + "-wal", link + "-wal"));
    EvidenceLinks::instance().add(link);
    ASSIGN_OR_RETURN(opened.database,
        SqliteDatabase::open(uriPath(link), SqliteDatabase::Mode::ReadOnly, kVfsName));
    return opened;
}

Result<OpenedEvidence> openWithPrivateRollback(const std::string &path)
{
    OpenedEvidence opened;
    opened.access = "private copy, rolled back";
    ASSIGN_OR_RETURN(opened.folder, PrivateFolder::make());
    const std::string copy = opened.folder.path() + "/" + kMainName;
    RETURN_IF_ERROR(copyFile(path, copy));
    RETURN_IF_ERROR(copyFile(path + "-journal", copy + "-journal"));
    std::filesystem::permissions(
        copy, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    ASSIGN_OR_RETURN(
        opened.database, SqliteDatabase::open(uriPath(copy), SqliteDatabase::Mode::ReadWrite));
    RETURN_IF_ERROR(opened.database->execute("PRAGMA query_only = ON"));
    return opened;
}

Result<Digest> hashFile(const std::string &path, const std::atomic<bool> *stop)
{
    const SharedFile file(path);
    if (file.handle() < 0)
        return tl::unexpected(errnoError(file.error(), path, "cannot read"));
    Sha256 hash;
    std::string buffer(std::size_t {1} << 20, '\0');
    off_t at = 0;
    for (;;) {
        if (stop != nullptr && *stop)
            return fail(ErrorCode::Cancelled, "stopped", path);
        const ssize_t count = ::pread(file.handle(), buffer.data(), buffer.size(), at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return tl::unexpected(errnoError(errno, path, "cannot read"));
        if (count == 0)
            return hash.finish();
        hash.add({buffer.data(), static_cast<std::size_t>(count)});
        at += count;
    }
}

} // namespace

PrivateFolder::~PrivateFolder()
{
    if (!m_path.empty()) {
        EvidenceLinks::instance().remove(m_path + "/" + kMainName);
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
}

PrivateFolder::PrivateFolder(PrivateFolder &&other) noexcept
    : m_path(std::exchange(other.m_path, {}))
{
}

PrivateFolder &PrivateFolder::operator=(PrivateFolder &&other) noexcept
{
    std::swap(m_path, other.m_path);
    return *this;
}

Result<PrivateFolder> PrivateFolder::make()
{
    std::error_code failure;
    const auto base = std::filesystem::temp_directory_path(failure);
    if (failure)
        return tl::unexpected(
            errnoError(failure.value(), "the folder for temporary files", "cannot be used"));
    std::string name = (base / "reprise-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        return tl::unexpected(errnoError(errno, name, "cannot make a private folder"));
    PrivateFolder folder;
    folder.m_path = name;
    return folder;
}

Result<OpenedEvidence> openEvidence(const std::string &given)
{
    RETURN_IF_ERROR(checkStoreFile(given));
    std::error_code failure;
    const std::string path = std::filesystem::canonical(given, failure).string();
    if (failure)
        return tl::unexpected(errnoError(failure.value(), given, "cannot find"));
    if (isHotJournal(path + "-journal"))
        return openWithPrivateRollback(path);
    if (isOpenSomewhere(path)) {
        OpenedEvidence opened;
        opened.access = "live";
        ASSIGN_OR_RETURN(opened.database,
            SqliteDatabase::open(uriPath(path) + "?mode=ro", SqliteDatabase::Mode::ReadOnly));
        sqlite3_busy_timeout(opened.database->handle(), kBusyMsMax);
        return opened;
    }
    if (sizeOf(path + "-wal") > 0)
        return openWithPrivateLog(path);
    OpenedEvidence opened;
    opened.access = "immutable";
    ASSIGN_OR_RETURN(opened.database,
        SqliteDatabase::open(uriPath(path) + "?immutable=1", SqliteDatabase::Mode::ReadOnly));
    return opened;
}

Result<std::vector<EvidenceFile>> evidenceState(
    const std::string &path, bool withHashes, const std::atomic<bool> *stop)
{
    std::vector<EvidenceFile> files;
    for (const char *suffix : {"", "-wal", "-shm", "-journal"}) {
        EvidenceFile file;
        file.path = path + suffix;
        struct stat info
        {
        };
        if (::stat(file.path.c_str(), &info) != 0) {
            if (*suffix == 0)
                return tl::unexpected(errnoError(errno, path, "cannot look at the store"));
            continue;
        }
        constexpr std::int64_t kNsPerSecond = 1'000'000'000;
        file.bytes = static_cast<std::uint64_t>(info.st_size);
        file.modifiedNs = info.st_mtim.tv_sec * kNsPerSecond + info.st_mtim.tv_nsec;
        if (withHashes) {
            ASSIGN_OR_RETURN(file.sha256, hashFile(file.path, stop));
        }
        files.push_back(std::move(file));
    }
    return files;
}

} // namespace reprise

#include "core/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace reprise {

namespace {

class Descriptor
{
public:
    explicit Descriptor(int handle)
        : m_handle(handle)
    {
    }
    ~Descriptor()
    {
        if (m_handle > 2)
            ::close(m_handle);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    [[nodiscard]] int get() const { return m_handle; }

private:
    int m_handle;
};

constexpr int kTemporaryNamesMax = 1000;

bool writeAll(int handle, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(handle, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

} // namespace

Error errnoError(int number, const std::string &path, const std::string &doing)
{
    ErrorCode code = ErrorCode::Io;
    if (number == ENOENT)
        code = ErrorCode::NotFound;
    else if (number == ENOSPC || number == EDQUOT)
        code = ErrorCode::StoreFull;
    else if (number == EROFS || number == EACCES || number == EPERM)
        code = ErrorCode::StoreReadOnly;
    return Error {code, doing + ": " + std::strerror(number), path, {}};
}

Result<std::string> readFile(const std::string &path, std::uint64_t bytesMax)
{
    const Descriptor file(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0)
        return tl::unexpected(errnoError(errno, path, "cannot open"));
    struct stat info
    {
    };
    if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode))
        return fail(ErrorCode::InvalidInput, "is a folder, not a file", path);
    std::string bytes;
    char buffer[1 << 16];
    for (;;) {
        const ssize_t count = ::read(file.get(), buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return tl::unexpected(errnoError(errno, path, "cannot read"));
        if (count == 0)
            return bytes;
        bytes.append(buffer, static_cast<std::size_t>(count));
        if (bytes.size() > bytesMax)
            return fail(ErrorCode::InvalidInput,
                "is larger than " + std::to_string(bytesMax) + " bytes", path);
    }
}

Result<void> writeFileAtomically(const std::string &path, std::string_view bytes)
{
    if (path == "-") {
        if (!writeAll(STDOUT_FILENO, bytes))
            return tl::unexpected(errnoError(errno, "standard output", "cannot write"));
        return {};
    }
    static std::atomic<unsigned> counter {0};
    std::string temporary;
    int handle = -1;
    // A killed process leaves its temporary file behind, and in a container the next one may well
    // have the same process id.
    for (int attempt = 0; handle < 0 && attempt < kTemporaryNamesMax; ++attempt) {
        temporary = path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(++counter);
        handle = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (handle < 0 && errno != EEXIST)
            break;
    }
    const Descriptor file(handle);
    if (file.get() < 0)
        return tl::unexpected(errnoError(errno, path, "cannot write"));
    const bool written = writeAll(file.get(), bytes) && ::fsync(file.get()) == 0
        && ::rename(temporary.c_str(), path.c_str()) == 0;
    if (!written) {
        const int number = errno;
        ::unlink(temporary.c_str());
        return tl::unexpected(errnoError(number, path, "cannot write"));
    }
    const auto parent = std::filesystem::path(path).parent_path();
    const Descriptor folder(
        ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.get() >= 0)
        ::fsync(folder.get());
    return {};
}

Result<void> makeFolder(const std::string &path)
{
    std::error_code failure;
    std::filesystem::create_directories(path, failure);
    if (failure)
        return tl::unexpected(errnoError(failure.value(), path, "cannot make the folder"));
    if (!std::filesystem::is_directory(path, failure))
        return fail(ErrorCode::Io, "is not a folder", path);
    return {};
}

} // namespace reprise

#include "core/store/store_file.h"

#include "core/base/file.h"
#include "core/store/schema.h"
#include "core/store/shared_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string_view>

namespace reprise {

namespace {

constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kPageSizeAt = 16;
constexpr std::size_t kChangeCounterAt = 24;
constexpr std::size_t kPageCountAt = 28;
constexpr std::size_t kUserVersionAt = 60;
constexpr std::size_t kApplicationIdAt = 68;
constexpr std::size_t kVersionValidForAt = 92;

using Header = std::array<unsigned char, kHeaderBytes>;

std::uint32_t number(const Header &header, std::size_t at, int bytes)
{
    std::uint32_t value = 0;
    for (int i = 0; i < bytes; ++i)
        value = value << 8 | header[at + static_cast<std::size_t>(i)];
    return value;
}

} // namespace

Result<void> checkStoreFile(const std::string &path)
{
    struct stat info
    {
    };
    if (::stat(path.c_str(), &info) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return fail(ErrorCode::StoreMissing, "there is no such file", path,
                "check the path, or make a store with init");
        return tl::unexpected(errnoError(errno, path, "cannot look at the store"));
    }
    if (!S_ISREG(info.st_mode))
        return fail(ErrorCode::StoreForeign, "is not a file", path, "name the store file itself");
    if (info.st_size == 0)
        return fail(ErrorCode::StoreForeign, "is empty: 0 bytes", path,
            "a store that was made by init is never empty");
    Header header {};
    const SharedFile file(path);
    if (file.handle() < 0) {
        Error error = errnoError(file.error(), path, "cannot open the store");
        error.code = ErrorCode::StoreReadOnly;
        return tl::unexpected(std::move(error));
    }
    const ssize_t count = ::pread(file.handle(), header.data(), header.size(), 0);
    const std::string_view magic(reinterpret_cast<const char *>(header.data()), 16);
    if (count < static_cast<ssize_t>(magic.size())
        || magic != std::string_view("SQLite format 3\0", 16))
        return fail(ErrorCode::StoreForeign, "is not a Reprise store, nor any SQLite file", path);
    if (count < static_cast<ssize_t>(kHeaderBytes))
        return fail(ErrorCode::StoreDamaged, "is cut inside its header", path,
            "restore the file from a copy");
    if (number(header, kApplicationIdAt, 4) != static_cast<std::uint32_t>(kApplicationId))
        return fail(ErrorCode::StoreForeign,
            "is an SQLite file of another application, not a Reprise store", path,
            "records of other systems are brought in with import");
    const std::uint32_t version = number(header, kUserVersionAt, 4);
    if (version > static_cast<std::uint32_t>(kSchemaVersion))
        return fail(ErrorCode::StoreNewer,
            "has schema " + std::to_string(version) + "; this program knows schemas up to "
                + std::to_string(kSchemaVersion),
            path, "use a newer Reprise");
    // The page count of the header counts only where its change counter is the one it was made for.
    const std::uint32_t rawPageSize = number(header, kPageSizeAt, 2);
    const std::uint64_t pageSize = rawPageSize == 1 ? 65536 : rawPageSize;
    const std::uint64_t pages = number(header, kPageCountAt, 4);
    const bool counted
        = number(header, kChangeCounterAt, 4) == number(header, kVersionValidForAt, 4);
    if (counted && static_cast<std::uint64_t>(info.st_size) < pages * pageSize)
        return fail(ErrorCode::StoreDamaged,
            "is cut: " + std::to_string(info.st_size) + " bytes, its header says "
                + std::to_string(pages * pageSize),
            path, "restore the file from a copy");
    return {};
}

} // namespace reprise

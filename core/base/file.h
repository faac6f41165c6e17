#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise {

/// The whole file; `-` is standard input. Refuses files above `bytesMax`.
[[nodiscard]] Result<std::string> readFile(
    const std::string &path, std::uint64_t bytesMax = std::uint64_t {1} << 32);

/// Writes all of it or nothing: a temporary file beside the target, fsync, rename, fsync of the
/// folder. An existing file is replaced. `-` is standard output.
[[nodiscard]] Result<void> writeFileAtomically(const std::string &path, std::string_view bytes);

/// Makes the folder and its parents.
[[nodiscard]] Result<void> makeFolder(const std::string &path);

/// "strerror" for a failed call on a path, as an Error with the class that fits errno.
[[nodiscard]] Error errnoError(int number, const std::string &path, const std::string &doing);

} // namespace reprise

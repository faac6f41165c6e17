#include "core/executor/process.h"

#include "core/base/file.h"

#include <unistd.h>

#include <sstream>

namespace reprise {

std::string hostName()
{
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string bootId()
{
    auto text = readFile("/proc/sys/kernel/random/boot_id").value_or(std::string());
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

std::optional<std::int64_t> processStartTicks(std::int64_t pid)
{
    const auto stat = readFile("/proc/" + std::to_string(pid) + "/stat");
    if (!stat)
        return std::nullopt;
    // The program's name (field 2) may hold blanks and parentheses: fields are counted after the
    // last one.
    const std::size_t close = stat->rfind(')');
    if (close == std::string::npos)
        return std::nullopt;
    std::istringstream rest(stat->substr(close + 1));
    std::string field;
    constexpr int kStateField = 3;
    constexpr int kStartField = 22;
    for (int i = kStateField; i <= kStartField; ++i) {
        rest >> field;
        if (i == kStateField && (field == "Z" || field == "X"))
            return std::nullopt;
    }
    try {
        return std::stoll(field);
    } catch (const std::exception &) {
        return std::nullopt;
    }
}

bool processLives(const ProcessId &process, const std::string &boot)
{
    return boot == bootId() && processStartTicks(process.pid) == process.startTicks;
}

} // namespace reprise

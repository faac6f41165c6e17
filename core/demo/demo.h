#pragma once

#include "core/base/result.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace reprise {

struct DemoOptions
{
    std::string folder; ///< is made; must not hold a demonstration already
    std::uint64_t seed = 1;
    std::int64_t actions = 0; ///< at least so many actions; 0: the usual forty runs
    std::string providerProgram; ///< path of reprise-demo-provider
    const std::atomic<bool> *stop = nullptr; ///< not owned; ends with ErrorCode::Cancelled
};

struct DemoSummary
{
    std::int64_t runs = 0;
    std::int64_t actions = 0;
    std::int64_t doubles = 0;
    std::int64_t inDoubt = 0;
    std::string storePath;
};

/// Makes the demonstration (cli.md, "demo DIR") by running the real executor on a seeded clock
/// against the provider program. Same seed, same content. On an error nothing is left in the
/// folder. Beside the files that cli.md names there is `tools.json`, with which `reprise plan` and
/// `execute` go on in the store.
[[nodiscard]] Result<DemoSummary> makeDemo(const DemoOptions &options);

} // namespace reprise

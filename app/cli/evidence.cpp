#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/support.h"
#include "core/suspects/suspects.h"

#include <unistd.h>

#include <iostream>

namespace reprise::cli {

int suspectsCommand(const SuspectsOptions &options)
{
    const auto reader = StoreReader::open(options.store);
    if (!reader)
        return report(reader.error());
    watchInterrupt();
    SuspectOptions how;
    how.stop = &interrupted();
    if (::isatty(STDERR_FILENO) == 1)
        how.onProgress = [](double share) {
            std::cerr << "\rchecked " << static_cast<int>(share * 100) << " %"
                      << (share >= 1 ? "\n" : "");
        };
    const auto suspects = findSuspects(**reader, how);
    if (!suspects)
        return report(suspects.error());
    if (options.json)
        print(suspectsToJson(*suspects));
    else
        std::cout << suspectsText(*suspects);
    return suspects->clusters.empty() ? kDone : kFound;
}

} // namespace reprise::cli

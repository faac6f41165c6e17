#pragma once

#include "core/base/result.h"

namespace reprise::cli {

/// Exit codes of cli.md, "Common to all commands".
enum ExitCode {
    kDone = 0,
    kInternal = 1,
    kUsage = 2,
    kInputRefused = 3,
    kStoreTrouble = 4,
    kFound = 5,
    kInDoubtOrBusy = 6,
};

[[nodiscard]] int exitCodeFor(ErrorCode code);

/// Prints the error as one line on standard error and answers its exit code.
int report(const Error &error);

} // namespace reprise::cli

#include "app/cli/exit_code.h"

#include "core/base/bytes.h"

#include <iostream>

namespace reprise::cli {

int exitCodeFor(ErrorCode code)
{
    switch (code) {
    case ErrorCode::InvalidInput:
    case ErrorCode::Conflict:
    case ErrorCode::NotFound:
        return kInputRefused;
    case ErrorCode::StoreMissing:
    case ErrorCode::StoreExists:
    case ErrorCode::StoreForeign:
    case ErrorCode::StoreNewer:
    case ErrorCode::StoreDamaged:
    case ErrorCode::StoreBusy:
    case ErrorCode::StoreFull:
    case ErrorCode::StoreReadOnly:
    case ErrorCode::Io:
        return kStoreTrouble;
    case ErrorCode::Cancelled:
    case ErrorCode::Internal:
        return kInternal;
    }
    return kInternal;
}

int report(const Error &error)
{
    constexpr std::size_t kLineMax = 2000;
    std::cerr << "reprise: " << printable(error.text(), kLineMax) << '\n';
    return exitCodeFor(error.code);
}

} // namespace reprise::cli

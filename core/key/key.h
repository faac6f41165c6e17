#pragma once

#include "core/model/contract.h"
#include "core/model/ids.h"

#include <string>
#include <vector>

namespace reprise {

/// SHA-256("reprise-key-v1:" + length of run id + ":" + run id + ":" + seq), design section 2.
/// Pure: nothing but the run and the seq enters.
[[nodiscard]] Key deriveKey(const RunId &run, Seq seq);

/// The string that is sent downstream.
[[nodiscard]] std::string formatKey(const Key &key, KeyForm form);

/// All that a fingerprint covers (design section 3). Secrets are never part of it.
struct FingerprintInput
{
    std::string tool {};
    std::string contractVersion = "1";
    std::string environment = "live";
    std::string account {};
    bool dryRun = false;
    std::vector<std::string> ignore {}; ///< JSON pointers
};

/// Canonical args without the ignored fields.
[[nodiscard]] std::string canonicalArgs(const Json &args, const std::vector<std::string> &ignore);

[[nodiscard]] Digest fingerprint(const FingerprintInput &input, const Json &args);

} // namespace reprise

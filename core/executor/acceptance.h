#pragma once

#include "core/base/json.h"
#include "core/executor/tool.h"
#include "core/model/contract.h"

#include <string>

namespace reprise {

/// Would an agent accept this record as the end of its loop? Checked when a result is recorded,
/// shown by the inspector (design section 4).
struct Acceptance
{
    bool accepted = false;
    std::string firstFailure; ///< in words; empty where accepted
    std::string reference; ///< the provider's reference found in the result
    Json document; ///< {"accepted":…,"checks":[{"name","ok","what"}]}
};

/// Checks an answer against the contract's declarations: a whole body, JSON that parses where JSON
/// is declared, required fields, the provider's reference.
[[nodiscard]] Acceptance checkAcceptance(const ToolContract &contract,
    const std::optional<std::string> &body, const std::string &status);

} // namespace reprise

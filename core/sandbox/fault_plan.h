#pragma once

#include "core/base/json.h"
#include "core/executor/executor.h"
#include "core/model/contract.h"
#include "core/sandbox/scripted_tool.h"
#include "core/sandbox/simulator.h"

#include <optional>
#include <string>
#include <string_view>

/// What a fault does to the first delivery and to the retries, in data and in words.
namespace reprise {

/// What the tool does with the first call under `fault`.
[[nodiscard]] CallFate firstCallFate(Fault fault);
/// Where the worker of the first delivery dies.
[[nodiscard]] std::optional<Step> crashStep(Fault fault);
/// The args of a retry that asks for something else: another amount where the contract names one,
/// else one more member.
[[nodiscard]] std::string changedArgs(const ToolContract &contract, const Json &args);

/// The settlement rules of a contract, taken at their word: "forwarding for 24h, 3 calls".
[[nodiscard]] std::string rulesInWords(const ToolContract &contract);
/// One sentence.
[[nodiscard]] std::string scenarioInWords(
    Fault fault, KeyPolicy policy, const ToolContract &contract, int retries);

} // namespace reprise

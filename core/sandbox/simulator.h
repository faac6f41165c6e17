#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/inspect/store_reader.h"
#include "core/model/contract.h"
#include "core/model/money.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Retries under faults, in a sandbox store that no live executor can open and from which no real
/// tool can be reached (design section 8).
namespace reprise {

enum class Fault {
    RequestLost,
    ResponseLost,
    ResponseTruncated,
    CrashAfterClaim,
    CrashAfterCall,
    CrashAfterRecord,
    DuplicateDelivery,
    ArgsChanged,
};

/// Which key a retry carries: the planner's own; one minted inside every call; none.
enum class KeyPolicy { Planner, MintedByTool, None };

[[nodiscard]] std::string_view name(Fault fault);
[[nodiscard]] std::optional<Fault> faultFrom(std::string_view name);
[[nodiscard]] std::string_view name(KeyPolicy policy);
[[nodiscard]] std::optional<KeyPolicy> keyPolicyFrom(std::string_view name);

enum class SimulationVerdict {
    Protected, ///< no second effect, and the agent got an answer
    Double, ///< the customer was charged more than once
    Stopped, ///< no second effect; a person or a rule has to settle it
};

[[nodiscard]] std::string_view name(SimulationVerdict verdict);
/// "no second effect, and the agent got an answer"
[[nodiscard]] std::string_view meaning(SimulationVerdict verdict);

inline constexpr Fault kAllFaults[] = {Fault::RequestLost, Fault::ResponseLost,
    Fault::ResponseTruncated, Fault::CrashAfterClaim, Fault::CrashAfterCall,
    Fault::CrashAfterRecord, Fault::DuplicateDelivery, Fault::ArgsChanged};
inline constexpr KeyPolicy kAllKeyPolicies[]
    = {KeyPolicy::Planner, KeyPolicy::MintedByTool, KeyPolicy::None};

struct SimulationStep
{
    std::int64_t atUs = 0; ///< since the start of the simulation
    std::string actor; ///< "planner", "agent", "executor", "provider"
    std::string what;
};

struct ProviderCharge
{
    std::string reference;
    std::string key; ///< as the provider saw it; empty: none
    std::optional<Money> amount;
};

struct Simulation
{
    std::string scenario; ///< one sentence
    Fault fault = Fault::ResponseLost;
    KeyPolicy keyPolicy = KeyPolicy::Planner;
    std::uint64_t seed = 1;
    std::string contractName; ///< "as bound", "forwarding", "probe", "repeatable", "none declared"
    std::vector<SimulationStep> steps;
    std::int64_t executions = 0; ///< calls that arrived at the tool
    std::int64_t replays = 0; ///< answers from the record
    std::vector<std::string> agentSees; ///< one line for each answer
    std::vector<ProviderCharge> charges; ///< the sandbox provider's ledger, in order
    std::optional<Money> customerCharged; ///< absent where the action has no amount
    SimulationVerdict verdict = SimulationVerdict::Stopped;
};

struct SimulationRequest
{
    RunId run;
    Seq seq;
    Fault fault = Fault::ResponseLost;
    KeyPolicy keyPolicy = KeyPolicy::Planner;
    std::uint64_t seed = 1;
    int retries = 1; ///< deliveries after the first; 1 to 10
};

/// Simulates deliveries of one recorded action. The store is only read; the sandbox is a private
/// store in memory that is gone afterwards. Same request, same answer. The promises that a contract
/// makes about its tool are taken at their word.
[[nodiscard]] Result<Simulation> simulate(StoreReader &reader, const SimulationRequest &request);

/// Every fault under every key policy and settlement rule.
[[nodiscard]] Result<std::vector<Simulation>> simulateMatrix(
    StoreReader &reader, const RunId &run, Seq seq, std::uint64_t seed);

/// The document of `reprise simulate --json`.
[[nodiscard]] Json simulationToJson(const Simulation &simulation);
/// The document of `reprise simulate --matrix --json`: {"cells":[…]}, each cell as above.
[[nodiscard]] Json simulationMatrixToJson(const std::vector<Simulation> &cells);
/// For people: the steps, what the agent saw, the provider's ledger, the verdict.
[[nodiscard]] std::string simulationText(const Simulation &simulation);
/// For people: one row for each fault and key policy, one column for each contract.
[[nodiscard]] std::string simulationMatrixText(const std::vector<Simulation> &cells);

} // namespace reprise

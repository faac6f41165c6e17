#include "core/sandbox/simulator.h"

#include "core/sandbox/rehearsal.h"

#include <utility>

namespace reprise {

namespace {

constexpr int kRetriesMax = 10;

Result<RecordedAction> readRecorded(StoreReader &reader, const RunId &run, Seq seq)
{
    const std::string where
        = "run " + printable(run.bytes(), 80) + ", seq " + std::to_string(seq.value());
    ASSIGN_OR_RETURN(const auto key, reader.keyOf(run, seq));
    if (!key)
        return fail(ErrorCode::NotFound, "no such action in this store", where);
    ASSIGN_OR_RETURN(auto detail, reader.action(*key));
    if (!detail)
        return fail(ErrorCode::NotFound, "no such action in this store", where);
    ASSIGN_OR_RETURN(auto args, reader.body(detail->row.args));
    if (!args)
        return fail(
            ErrorCode::NotFound, "its args were pruned: there is nothing to ask for", where);
    return RecordedAction {std::move(*detail), std::move(*args)};
}

using NamedContract = std::pair<std::string, ToolContract>;

/// The bound contract, and variants of it with one rule for settling doubt at a time.
std::vector<NamedContract> contractVariants(const ToolContract &bound)
{
    constexpr std::int64_t kDayUs = 24LL * 3600 * 1'000'000;
    constexpr std::int64_t kCallsMax = 3;
    ToolContract none = bound;
    none.forwarding.reset();
    none.probe.clear();
    none.repeatable = false;
    ToolContract forwarding = none;
    forwarding.forwarding = ForwardingRule {kDayUs, kCallsMax};
    if (forwarding.keyEnv.empty())
        forwarding.keyEnv = ToolContract {}.keyEnv; // a key can be honoured only if it is sent
    ToolContract probe = none;
    probe.probe = {"sandbox-probe"};
    ToolContract repeatable = none;
    repeatable.repeatable = true;
    return {{"as bound", bound}, {"none declared", none}, {"forwarding", forwarding},
        {"probe", probe}, {"repeatable", repeatable}};
}

} // namespace

Result<Simulation> simulate(StoreReader &reader, const SimulationRequest &request)
{
    if (request.retries < 1 || request.retries > kRetriesMax)
        return fail(ErrorCode::InvalidInput,
            "retries must be 1 to " + std::to_string(kRetriesMax) + ", not "
                + std::to_string(request.retries));
    ASSIGN_OR_RETURN(const RecordedAction recorded, readRecorded(reader, request.run, request.seq));
    return Rehearsal(recorded, request, recorded.detail.contract, "as bound").run();
}

Result<std::vector<Simulation>> simulateMatrix(
    StoreReader &reader, const RunId &run, Seq seq, std::uint64_t seed)
{
    ASSIGN_OR_RETURN(const RecordedAction recorded, readRecorded(reader, run, seq));
    const auto contracts = contractVariants(recorded.detail.contract);
    std::vector<Simulation> cells;
    for (const Fault fault : kAllFaults) {
        for (const KeyPolicy policy : kAllKeyPolicies) {
            for (const auto &[contractName, contract] : contracts) {
                const SimulationRequest request {run, seq, fault, policy, seed, 1};
                ASSIGN_OR_RETURN(
                    Simulation cell, Rehearsal(recorded, request, contract, contractName).run());
                cells.push_back(std::move(cell));
            }
        }
    }
    return cells;
}

} // namespace reprise

#include "core/base/json.h"
#include "core/model/money.h"
#include "core/sandbox/simulator.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace reprise {

namespace {

/// "+12.345 s"
std::string sinceStart(std::int64_t us)
{
    std::ostringstream out;
    out << '+' << us / 1'000'000 << '.' << std::setw(3) << std::setfill('0')
        << us % 1'000'000 / 1000 << " s";
    return out.str();
}

template <typename Value> Json list(const std::vector<Value> &values, Json (*toJson)(const Value &))
{
    Json json = Json::array();
    for (const Value &value : values)
        json.push(toJson(value));
    return json;
}

Json stepToJson(const SimulationStep &step)
{
    return Json()
        .set("at", sinceStart(step.atUs))
        .set("at_us", step.atUs)
        .set("actor", step.actor)
        .set("what", step.what);
}

Json chargeToJson(const ProviderCharge &charge)
{
    return Json()
        .set("reference", charge.reference)
        .set("key", charge.key.empty() ? Json() : Json(charge.key))
        .set("amount", charge.amount ? moneyToJson(*charge.amount) : Json());
}

Json textToJson(const std::string &text)
{
    return text;
}

std::string countWords(std::size_t count, const std::string &one)
{
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

} // namespace

Json simulationToJson(const Simulation &simulation)
{
    Json json;
    json.set("scenario", simulation.scenario)
        .set("fault", name(simulation.fault))
        .set("key_policy", name(simulation.keyPolicy))
        .set("contract", simulation.contractName)
        .set("seed", Json::number(std::to_string(simulation.seed)))
        .set("steps", list(simulation.steps, stepToJson))
        .set("executions", simulation.executions)
        .set("replays", simulation.replays)
        .set("agent_sees", list(simulation.agentSees, textToJson))
        .set("provider_charges", list(simulation.charges, chargeToJson))
        .set("customer_charged",
            simulation.customerCharged ? moneyToJson(*simulation.customerCharged) : Json())
        .set("verdict", name(simulation.verdict));
    return json;
}

Json simulationMatrixToJson(const std::vector<Simulation> &cells)
{
    return Json().set("cells", list(cells, simulationToJson));
}

std::string simulationText(const Simulation &simulation)
{
    std::ostringstream out;
    out << simulation.scenario << "\nfault " << name(simulation.fault) << ", key policy "
        << name(simulation.keyPolicy) << ", contract " << simulation.contractName << ", seed "
        << simulation.seed << "\n\n";
    std::size_t width = 0;
    for (const SimulationStep &step : simulation.steps)
        width = std::max(width, step.actor.size());
    for (const SimulationStep &step : simulation.steps)
        out << std::setw(12) << std::right << sinceStart(step.atUs) << "  "
            << std::setw(static_cast<int>(width)) << std::left << step.actor << "  " << step.what
            << '\n';
    out << "\nThe agent saw\n";
    for (std::size_t i = 0; i < simulation.agentSees.size(); ++i)
        out << "  " << i + 1 << ". " << simulation.agentSees[i] << '\n';
    out << "\nThe provider's ledger\n";
    for (const ProviderCharge &charge : simulation.charges)
        out << "  " << charge.reference << "  "
            << (charge.amount ? charge.amount->withCode() : "no amount") << "  "
            << (charge.key.empty() ? "no key" : "key " + charge.key) << '\n';
    if (simulation.charges.empty())
        out << "  nothing\n";
    out << '\n'
        << countWords(static_cast<std::size_t>(simulation.executions), "call") << ", "
        << countWords(static_cast<std::size_t>(simulation.replays), "replay") << ", "
        << countWords(simulation.charges.size(), "effect");
    if (simulation.customerCharged)
        out << ", customer charged " << simulation.customerCharged->withCode();
    out << "\nVerdict: " << name(simulation.verdict) << " (" << meaning(simulation.verdict)
        << ")\n";
    return out.str();
}

std::string simulationMatrixText(const std::vector<Simulation> &cells)
{
    constexpr int kFaultWidth = 20;
    constexpr int kPolicyWidth = 16;
    constexpr int kCellWidth = 15;
    std::vector<std::string> contracts;
    for (const Simulation &cell : cells)
        if (std::find(contracts.begin(), contracts.end(), cell.contractName) == contracts.end())
            contracts.push_back(cell.contractName);
    std::ostringstream out;
    out << std::left << std::setw(kFaultWidth) << "fault" << std::setw(kPolicyWidth)
        << "key policy";
    for (const std::string &contract : contracts)
        out << std::setw(kCellWidth) << contract;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Simulation &cell = cells[i];
        if (i % contracts.size() == 0)
            out << '\n'
                << std::setw(kFaultWidth) << name(cell.fault) << std::setw(kPolicyWidth)
                << name(cell.keyPolicy);
        out << std::setw(kCellWidth) << name(cell.verdict);
    }
    std::string text = out.str() + '\n';
    // Padding after the last column is of no use to anybody.
    for (std::size_t at = text.find(" \n"); at != std::string::npos; at = text.find(" \n"))
        text.erase(at, 1);
    return text;
}

} // namespace reprise

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/support.h"
#include "core/demo/demo.h"
#include "core/inspect/store_reader.h"
#include "core/sandbox/simulator.h"

#include <filesystem>
#include <iostream>

namespace reprise::cli {

namespace {

int simulateOne(StoreReader &reader, const ActionName &action, const SimulateOptions &options)
{
    const auto policy = keyPolicyFrom(options.keyPolicy);
    if (!policy)
        return report({ErrorCode::InvalidInput, "unknown key policy", options.keyPolicy,
            "use planner, minted_by_tool or none"});
    std::vector<Fault> faults;
    for (const std::string &text : options.faults) {
        const auto fault = faultFrom(text);
        if (!fault)
            return report({ErrorCode::InvalidInput, "unknown fault", text, "see simulate --help"});
        faults.push_back(*fault);
    }
    std::vector<Simulation> simulations;
    for (const Fault fault : faults) {
        auto simulated = simulate(
            reader, {action.run, action.seq, fault, *policy, options.seed, options.retries});
        if (!simulated)
            return report(simulated.error());
        simulations.push_back(std::move(*simulated));
    }
    if (options.json && simulations.size() == 1) {
        print(simulationToJson(simulations[0]));
    } else if (options.json) {
        Json list = Json::array();
        for (const Simulation &simulation : simulations)
            list.push(simulationToJson(simulation));
        print(Json().set("simulations", std::move(list)));
    } else {
        for (const Simulation &simulation : simulations)
            std::cout << simulationText(simulation);
    }
    return kDone;
}

/// The provider program stands beside this one.
Result<std::string> providerProgram()
{
    std::error_code failure;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", failure);
    const auto provider = self.parent_path() / "reprise-demo-provider";
    if (failure || !std::filesystem::exists(provider))
        return fail(ErrorCode::NotFound, "the demonstration's provider program is missing",
            provider.string(), "it belongs beside the program reprise");
    return provider.string();
}

} // namespace

int simulateCommand(const SimulateOptions &options)
{
    const auto action = parseActionName(options.run, options.seq);
    if (!action)
        return report(action.error());
    if (options.matrix != options.faults.empty()) {
        std::cerr << "reprise: simulate: give either --fault or --matrix\n";
        return kUsage;
    }
    const auto reader = StoreReader::open(options.store);
    if (!reader)
        return report(reader.error());
    if (!options.matrix)
        return simulateOne(**reader, *action, options);
    const auto cells = simulateMatrix(**reader, action->run, action->seq, options.seed);
    if (!cells)
        return report(cells.error());
    if (options.json)
        print(simulationMatrixToJson(*cells));
    else
        std::cout << simulationMatrixText(*cells);
    return kDone;
}

int demoCommand(const DemoCommandOptions &options)
{
    const auto provider = providerProgram();
    if (!provider)
        return report(provider.error());
    const auto made = makeDemo({options.folder, options.seed, options.actions, *provider});
    if (!made)
        return report(made.error());
    if (options.json)
        print(Json()
                  .set("store", made->storePath)
                  .set("runs", made->runs)
                  .set("actions", made->actions)
                  .set("doubles", made->doubles)
                  .set("in_doubt", made->inDoubt));
    else
        std::cout << "made " << made->storePath << ": " << made->runs << " runs, " << made->actions
                  << " actions, " << made->doubles << " true doubles, " << made->inDoubt
                  << " in doubt\n";
    return kDone;
}

} // namespace reprise::cli

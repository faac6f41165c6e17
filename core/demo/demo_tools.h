#pragma once

#include "core/base/random.h"
#include "core/executor/process_tool.h"
#include "core/model/contract.h"
#include "core/sandbox/sandbox_clock.h"

#include <optional>
#include <string>

namespace reprise {

/// Name of the provider program inside a demonstration's folder: a link to the real one.
inline constexpr const char *kDemoProviderLink = "./demo-provider";

/// The tools file of the demonstration; its commands are relative to its folder.
[[nodiscard]] std::string demoToolsText();

/// The tools as the demonstration's plans bind them: commands stay relative, so that the store does
/// not depend on the folder it is made in.
[[nodiscard]] Result<ToolSet> demoTools();

/// How the provider treats the next call; the words of its `--fault` option.
enum class ProviderFault {
    None,
    Decline,
    Refuse, ///< connection refused: provably not sent
    LoseRequest, ///< no answer, and it never arrived
    LoseResponse, ///< no answer, and it was carried out
    CutResponse,
    DieBefore,
    DieAfter,
};

/// Runs the provider program as a real process, on the demonstration's time: the program is told
/// what time it is, and a call takes as long as the script says. The process ids that it reports
/// are seeded, since those of the machine would make every demonstration different; the processes
/// are gone before anybody looks. Clock and random outlive it. One thread.
class DemoToolRunner final : public ToolRunner
{
public:
    /// `folder` holds the link to the provider program.
    DemoToolRunner(std::string folder, SandboxClock &clock, Random &random);

    void setNextFault(ProviderFault fault) { m_nextFault = fault; }

    [[nodiscard]] Result<std::unique_ptr<PreparedCall>> prepare(const ToolCall &call) override;
    [[nodiscard]] ProbeResult probe(const ToolCall &call) override;

private:
    class Call;
    [[nodiscard]] std::vector<std::string> commandFor(
        const std::vector<std::string> &command, Time at, ProviderFault fault) const;

    std::string m_folder;
    SandboxClock &m_clock;
    Random &m_random;
    ProcessToolRunner m_processes;
    ProviderFault m_nextFault = ProviderFault::None;
};

} // namespace reprise

#pragma once

#include "core/executor/tool.h"

namespace reprise {

/// Runs tools that are programs (cli.md, "Tools file"). The process is made before the claim, waits
/// at a gate, and starts the program only after the claim is durable; if this process dies at the
/// gate, the program is never started. Args on standard input, result on standard output, standard
/// error kept. Thread-safe, no state.
class ProcessToolRunner final : public ToolRunner
{
public:
    /// Largest result that is taken; a longer one makes the outcome unknown.
    static constexpr std::size_t kResultBytesMax = std::size_t {256} << 20;
    static constexpr std::size_t kLogBytesMax = std::size_t {64} << 10;

    [[nodiscard]] Result<std::unique_ptr<PreparedCall>> prepare(const ToolCall &call) override;
    [[nodiscard]] ProbeResult probe(const ToolCall &call) override;
};

} // namespace reprise

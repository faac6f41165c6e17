#pragma once

#include "core/base/clock.h"
#include "core/model/contract.h"
#include "core/model/money.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reprise {

/// One line of the sandbox provider's ledger.
struct SandboxEffect
{
    std::string reference;
    std::string key; ///< as it arrived; empty: none
    std::string content; ///< canonical request
    std::optional<Money> amount;
    Time at;
};

/// The other side of a simulation: a provider with a ledger of its own, which knows nothing of the
/// store. It keeps the promises that a contract makes about it and no others: with a forwarding
/// rule it recognises a key for the declared time; a repeatable tool recognises the same content;
/// otherwise every request is carried out. One thread at a time.
class SandboxProvider
{
public:
    explicit SandboxProvider(const ToolContract &contract);

    struct Applied
    {
        SandboxEffect effect;
        bool recognised = false; ///< nothing happened: this is the earlier effect
    };
    [[nodiscard]] Applied apply(
        const std::string &key, const std::string &content, std::optional<Money> amount, Time now);

    /// What a look-up finds: by key, or by content where no key was sent.
    [[nodiscard]] const SandboxEffect *find(
        const std::string &key, const std::string &content) const;

    [[nodiscard]] const std::vector<SandboxEffect> &effects() const { return m_effects; }

private:
    std::optional<std::int64_t> m_keyRetentionUs; ///< absent: keys are ignored
    bool m_repeatable = false;
    std::vector<SandboxEffect> m_effects;
};

} // namespace reprise

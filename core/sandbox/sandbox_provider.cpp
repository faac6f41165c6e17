#include "core/sandbox/sandbox_provider.h"

#include <algorithm>

namespace reprise {

SandboxProvider::SandboxProvider(const ToolContract &contract)
    : m_repeatable(contract.repeatable)
{
    if (contract.forwarding)
        m_keyRetentionUs = contract.forwarding->retentionUs;
}

SandboxProvider::Applied SandboxProvider::apply(
    const std::string &key, const std::string &content, std::optional<Money> amount, Time now)
{
    const auto recognised
        = std::find_if(m_effects.begin(), m_effects.end(), [&](const SandboxEffect &effect) {
              const bool byKey = m_keyRetentionUs && !key.empty() && effect.key == key
                  && now.us - effect.at.us < *m_keyRetentionUs;
              return byKey || (m_repeatable && effect.content == content);
          });
    if (recognised != m_effects.end())
        return {*recognised, true};
    m_effects.push_back(
        {"sandbox_" + std::to_string(m_effects.size() + 1), key, content, std::move(amount), now});
    return {m_effects.back(), false};
}

const SandboxEffect *SandboxProvider::find(const std::string &key, const std::string &content) const
{
    const auto found
        = std::find_if(m_effects.begin(), m_effects.end(), [&](const SandboxEffect &effect) {
              return key.empty() ? effect.content == content : effect.key == key;
          });
    return found == m_effects.end() ? nullptr : &*found;
}

} // namespace reprise

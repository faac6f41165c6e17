#pragma once

#include "core/inspect/store_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace reprise {

/// The first pass over a store: finds out which effects can be part of a suspect at all, so that
/// the second pass keeps those and no others. It keeps numbers of 8 bytes in place of texts; where
/// two texts share a number, an effect too many is kept, and the rules, which compare the values
/// themselves, leave it alone.
class Candidates
{
public:
    /// Effects come in their order: those of one run stand together.
    void look(const Effect &effect);
    void finish() { closeRun(); }

    [[nodiscard]] bool mayBelong(const Effect &effect) const;
    /// Does a refund or cancellation name this provider reference?
    [[nodiscard]] bool isNamed(const std::string &reference) const;
    [[nodiscard]] bool anyReference() const { return m_anyReference; }

private:
    struct Seen
    {
        std::uint64_t asked = 0; ///< run and fingerprint
        std::uint64_t like = 0; ///< run, tool, kind, payee and amount; 0: nobody's in particular
    };
    void closeRun();

    std::string m_runId;
    std::optional<Key> m_key; ///< of the effect before
    std::vector<Seen> m_run; ///< effects of the run that is being read
    std::unordered_set<std::uint64_t> m_askedTwice; ///< keys, and fingerprints in one run
    std::unordered_set<std::uint64_t> m_likeSuspects;
    std::unordered_set<std::uint64_t> m_doubtful; ///< fingerprints and orders of effects in doubt
    std::unordered_set<std::uint64_t> m_undone; ///< provider references that a reversal names
    bool m_anyReference = false;
};

} // namespace reprise

#pragma once

#include "core/inspect/store_reader.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace reprise {

/// The effects of a store in the order run, seq, attempt, with the groups that rules look at.
class EffectSet
{
public:
    /// What a later refund or cancellation did to an effect.
    struct Undoing
    {
        bool whole = false;
        std::int64_t refundedMinor = 0;
        std::string by; ///< "cancel_reservation, seq 12"
    };
    using Group = std::vector<std::size_t>; ///< indices, ascending

    void add(Effect effect);
    /// Finds what was undone; called once, after the last `add`.
    void finish();

    [[nodiscard]] const std::vector<Effect> &effects() const { return m_effects; }
    [[nodiscard]] const Effect &operator[](std::size_t i) const { return m_effects[i]; }
    [[nodiscard]] const Undoing *undoingOf(std::size_t i) const;
    /// Effects under one key, of one action.
    [[nodiscard]] const std::unordered_map<std::string, Group> &byKey() const { return m_byKey; }
    /// Effects with one fingerprint, in whatever run.
    [[nodiscard]] const std::unordered_map<std::string, Group> &byFingerprint() const
    {
        return m_byFingerprint;
    }
    /// Effects for one order with equal tool, payee and amount; those without an order are in none.
    [[nodiscard]] const std::unordered_map<std::string, Group> &byOrder() const
    {
        return m_byOrder;
    }
    [[nodiscard]] bool anyReference() const { return m_anyReference; }

private:
    std::vector<Effect> m_effects;
    std::unordered_map<std::string, Group> m_byKey;
    std::unordered_map<std::string, Group> m_byFingerprint;
    std::unordered_map<std::string, Group> m_byOrder;
    std::unordered_map<std::size_t, Undoing> m_undone;
    bool m_anyReference = false;
};

/// May two effects of these kinds be one intention carried out twice? Money in is never paired with
/// money out; a cancellation is not paired, because cancelling twice undoes once.
[[nodiscard]] bool mayPair(const Effect &a, const Effect &b);

/// "run run-1, seq 2, attempt 1 (ch_91)".
[[nodiscard]] std::string nameOf(const Effect &effect);

/// Time between the starts of two effects; nothing where one is not recorded.
[[nodiscard]] std::optional<std::int64_t> gapUs(const Effect &earlier, const Effect &later);

/// "32.6 s", "4 min 5 s", "2 h 3 min", "3 d 4 h".
[[nodiscard]] std::string gapText(std::int64_t us);

} // namespace reprise

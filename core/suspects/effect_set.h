#pragma once

#include "core/inspect/store_reader.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace reprise {

/// The effects of a store that can be part of a suspect, in the order run, seq, attempt, with the
/// groups that rules look at and with what was undone. core/suspects/collect.cpp fills it.
class EffectSet
{
public:
    /// What later refunds or cancellations did to an effect.
    struct Undoing
    {
        bool whole = false;
        std::int64_t refundedMinor = 0; ///< of its amount; never more than that
        std::string by; ///< "cancel_reservation, seq 12"
    };
    using Group = std::vector<std::size_t>; ///< indices, ascending
    using Groups = std::unordered_map<std::string, Group>;

    void add(Effect effect);
    /// Remembers what a refund or cancellation undoes. `madeHere`: its own run made the effect that
    /// it names; then it undoes that one and no namesake in another run.
    void addReversal(const Effect &reversal, bool madeHere);
    /// Finds what was undone; called once, after everything was added.
    void finish();

    [[nodiscard]] const std::vector<Effect> &effects() const { return m_effects; }
    [[nodiscard]] const Effect &operator[](std::size_t i) const { return m_effects[i]; }
    /// nullptr where nothing of it was undone.
    [[nodiscard]] const Undoing *undoingOf(std::size_t i) const;
    [[nodiscard]] bool wasUndone(std::size_t i) const;
    /// Effects under one key, of one action.
    [[nodiscard]] const Groups &byKey() const { return m_byKey; }
    /// Effects with one fingerprint, in whatever run.
    [[nodiscard]] const Groups &byFingerprint() const { return m_byFingerprint; }
    /// Effects for one order with equal tool, payee and amount; those without an order are in none.
    [[nodiscard]] const Groups &byOrder() const { return m_byOrder; }
    /// Effects of the run of `i` that stand (were not undone whole) and have its tool, kind, payee
    /// and amount; empty where neither payee nor order says whose they are.
    [[nodiscard]] const Group &standingLike(std::size_t i) const;

private:
    /// Only what undoing needs: there may be a refund for every effect.
    struct Reversal
    {
        BusinessKind kind = BusinessKind::Refund;
        bool madeHere = false;
        std::string undoes;
        std::optional<Money> amount;
        std::string tool;
        std::string runId;
        std::int64_t seq = 0;
        std::optional<Time> at;
    };
    void undo(std::size_t i, const Reversal &reversal);

    std::vector<Effect> m_effects;
    std::vector<Reversal> m_reversals;
    Groups m_byKey;
    Groups m_byFingerprint;
    Groups m_byOrder;
    Groups m_standing;
    std::unordered_map<std::size_t, Undoing> m_undone;
};

/// A refund or cancellation that took effect and names what it undoes. One in doubt may not have
/// happened: it undoes nothing yet.
[[nodiscard]] bool isReversal(const Effect &effect);

/// May two effects be one intention carried out twice? Money in is never paired with money out.
/// Two answers with one provider reference are one effect: the provider recognised the repetition.
/// Cancelling twice undoes once, unless the provider gave two references for it.
[[nodiscard]] bool mayPair(const Effect &a, const Effect &b);

/// "run run-1, seq 2, attempt 1 (ch_91)".
[[nodiscard]] std::string nameOf(const Effect &effect);

/// Time between the starts of two effects; nothing where one is not recorded.
[[nodiscard]] std::optional<std::int64_t> gapUs(const Effect &earlier, const Effect &later);

/// "32.6 s", "4 min 5 s", "2 h 3 min", "3 d 4 h".
[[nodiscard]] std::string gapText(std::int64_t us);

} // namespace reprise

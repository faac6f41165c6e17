#include "core/inspect/effects.h"

namespace reprise {

namespace {

/// The scan walks two indices, (run, seq) and (action, n), and sorts nothing.
const std::string kEffectsSql
    = "SELECT action.id, run.run_id, action.seq, action.key, action.key_derived_at_import, "
      "action.tool, action.fingerprint, action.state, action.business_kind, action.currency, "
      "action.amount_minor, action.payee, action.order_ref, action.undoes, contract.timeout_ms, "
      "attempt.n, attempt.kind, attempt.outcome, attempt.epoch, attempt.started_at, "
      "attempt.ended_at, attempt.locator, result.reference, attempt.permit "
      "FROM run CROSS JOIN action ON action.run = run.id "
      "CROSS JOIN attempt ON attempt.action = action.id "
      "JOIN contract ON contract.id = action.contract "
      "LEFT JOIN result ON result.id = attempt.result "
      "WHERE action.side_effect = 1 AND run.dry_run = 0 AND run.environment <> 'sandbox' "
      "AND attempt.kind IN ('executed', 'executed_again', 'in_doubt', 'settled', 'late_report') "
      "ORDER BY run.id, action.seq, attempt.n";

struct Candidate
{
    Effect effect;
    std::optional<std::int64_t> epoch;
};

/// The attempts of one action, until the next action begins.
class ActionEffects
{
public:
    /// What later attempts say about the calls before them.
    void settle(std::string_view outcome, const std::string &reference)
    {
        for (Candidate &call : m_calls) {
            if (!call.effect.inDoubt)
                continue;
            call.effect.inDoubt = false;
            if (outcome == "succeeded")
                call.effect.reference = reference;
            else
                call.effect.attempt = kDropped;
        }
    }

    void reportLate(std::optional<std::int64_t> epoch, std::string_view outcome, const Effect &late)
    {
        if (outcome != "succeeded")
            return;
        // The call did land, whatever was decided about it meanwhile.
        for (Candidate &call : m_calls) {
            if (call.epoch != epoch)
                continue;
            call.effect.inDoubt = false;
            call.effect.reference = late.reference;
            if (call.effect.attempt == kDropped)
                call.effect.attempt = late.attempt;
        }
    }

    void add(Candidate call) { m_calls.push_back(std::move(call)); }

    /// False where `use` wants no more.
    bool flush(const std::function<bool(const Effect &)> &use)
    {
        for (const Candidate &call : m_calls)
            if (call.effect.attempt != kDropped && !use(call.effect))
                return false;
        m_calls.clear();
        return true;
    }

    [[nodiscard]] bool isOf(std::int64_t action) const
    {
        return m_calls.empty() || m_calls.front().effect.actionId == action;
    }

private:
    static constexpr std::int64_t kDropped = -1;
    std::vector<Candidate> m_calls;
};

std::optional<Time> timeAt(const SqliteStatement &row, int column)
{
    const auto us = row.optionalInteger(column);
    return us ? std::optional(Time {*us}) : std::nullopt;
}

Effect readEffect(const SqliteStatement &row)
{
    Effect effect;
    effect.actionId = row.integer(0);
    effect.runId = row.text(1);
    effect.seq = row.integer(2);
    effect.key = Key {row.digest(3)};
    effect.keyDerivedAtImport = row.integer(4) != 0;
    effect.tool = row.text(5);
    effect.fingerprint = row.digest(6);
    effect.actionState = actionStateFrom(row.text(7)).value_or(ActionState::InDoubt);
    effect.business.kind = businessKindFrom(row.text(8)).value_or(BusinessKind::Other);
    if (!row.isNull(9) && !row.isNull(10))
        effect.business.amount = Money {row.text(9), row.integer(10)};
    effect.business.payee = row.text(11);
    effect.business.order = row.text(12);
    effect.business.undoes = row.text(13);
    effect.timeoutMs = row.integer(14);
    effect.attempt = row.integer(15);
    effect.kind = attemptKindFrom(row.text(16)).value_or(AttemptKind::InDoubt);
    effect.startedAt = timeAt(row, 19);
    effect.endedAt = timeAt(row, 20);
    effect.locator = row.text(21);
    effect.reference = row.text(22);
    effect.permit = permitFrom(row.text(23));
    return effect;
}

} // namespace

Result<void> readEffects(SqliteDatabase &database, const std::function<bool(const Effect &)> &use)
{
    ASSIGN_OR_RETURN(SqliteStatement row, database.prepare(kEffectsSql));
    ActionEffects action;
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, row.step());
        if (!more)
            break;
        if (!action.isOf(row.integer(0)) && !action.flush(use))
            return {};
        const std::string outcome = row.text(17);
        Effect effect = readEffect(row);
        switch (effect.kind) {
        case AttemptKind::Settled:
            action.settle(outcome, effect.reference);
            break;
        case AttemptKind::LateReport:
            action.reportLate(row.optionalInteger(18), outcome, effect);
            break;
        case AttemptKind::Executed:
        case AttemptKind::ExecutedAgain:
        case AttemptKind::InDoubt:
            // No outcome yet: the call is happening, or its owner died.
            effect.inDoubt = outcome.empty() || outcome == "unknown";
            if (effect.inDoubt || outcome == "succeeded")
                action.add({std::move(effect), row.optionalInteger(18)});
            break;
        case AttemptKind::Replayed:
        case AttemptKind::Conflict:
        case AttemptKind::Busy:
        case AttemptKind::Refused:
            break;
        }
    }
    action.flush(use);
    return {};
}

} // namespace reprise

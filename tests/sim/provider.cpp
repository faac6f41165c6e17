#include "tests/sim/provider.h"

#include <algorithm>

namespace reprise::sim {

namespace {

enum class Mood {
    Succeeds,
    Declines,
    SaysNotSent,
    LosesRequest,
    LosesAnswer,
    Cuts,
    LacksField,
    AnswersLate
};

/// Weights of a hundred.
Mood moodOf(std::uint64_t hundredth)
{
    struct Row
    {
        Mood mood;
        std::uint64_t below;
    };
    constexpr Row kRows[] = {{Mood::Succeeds, 45}, {Mood::Declines, 52}, {Mood::SaysNotSent, 59},
        {Mood::LosesRequest, 68}, {Mood::LosesAnswer, 82}, {Mood::Cuts, 88}, {Mood::LacksField, 92},
        {Mood::AnswersLate, 100}};
    for (const Row &row : kRows)
        if (hundredth < row.below)
            return row.mood;
    return Mood::Succeeds;
}

ToolAnswer answer(OutcomeClass outcome, const std::string &reason, std::optional<std::string> body)
{
    return {outcome, outcome == OutcomeClass::Succeeded ? "0" : "1", reason, std::move(body),
        outcome == OutcomeClass::Succeeded ? "" : "log: " + reason};
}

} // namespace

const std::vector<Effect> &Provider::effects(const Action &action) const
{
    static const std::vector<Effect> none;
    const auto found = m_effects.find(action);
    return found == m_effects.end() ? none : found->second;
}

Effect Provider::newEffect(const ToolCall &call)
{
    ++m_effectsMade;
    std::string body = "{\"id\":\"ch_" + std::to_string(m_effectsMade)
        + "\",\"seq\":" + std::to_string(call.seq) + "}";
    // A tool without a declared form answers any bytes: NUL, invalid UTF-8.
    if (call.contract.reference.empty())
        body = std::string("\0\xff", 2) + body;
    return {std::move(body), call.sentKey, m_trueUs};
}

const Effect *Provider::honoured(const ToolCall &call) const
{
    if (!call.contract.forwarding || call.sentKey.empty())
        return nullptr;
    for (const Effect &effect : effects({call.runId, call.seq}))
        if (effect.sentKey == call.sentKey && m_trueUs - effect.atUs < kRetentionUs)
            return &effect;
    return nullptr;
}

bool Provider::isPending(const Action &action) const
{
    return std::any_of(m_pending.begin(), m_pending.end(),
        [&](const auto &pending) { return pending.first == action; });
}

ToolAnswer Provider::call(const ToolCall &call)
{
    const Action action {call.runId, call.seq};
    const Mood mood = m_calm ? Mood::Succeeds : moodOf(m_random.below(100));
    const bool promised = call.contract.forwarding && !call.sentKey.empty();
    if (promised && isPending(action))
        return answer(OutcomeClass::Unknown, "the first request with this key is at work", {});
    if (const Effect *first = honoured(call)) {
        m_reached(Branch::SameKeyHonoured);
        switch (mood) {
        case Mood::SaysNotSent:
            return answer(OutcomeClass::NotSent, "connection refused", {});
        case Mood::Declines:
            return answer(OutcomeClass::Declined, "409: the key is in use", "{\"error\":409}");
        case Mood::LosesRequest:
        case Mood::LosesAnswer:
            return answer(OutcomeClass::Unknown, "time limit", {});
        case Mood::Cuts:
        case Mood::LacksField:
        case Mood::AnswersLate:
        case Mood::Succeeds:
            return answer(OutcomeClass::Succeeded, {}, first->body);
        }
    }
    if (mood == Mood::SaysNotSent)
        return answer(OutcomeClass::NotSent, "connection refused", {});
    if (mood == Mood::Declines)
        return answer(OutcomeClass::Declined, "card declined", "{\"error\":\"declined\"}");
    if (mood == Mood::LosesRequest)
        return answer(OutcomeClass::Unknown, "connection reset", {});
    Effect effect = newEffect(call);
    if (mood == Mood::AnswersLate) {
        m_pending.emplace_back(action, std::move(effect));
        return answer(OutcomeClass::Unknown, "time limit", {});
    }
    m_effects[action].push_back(effect);
    switch (mood) {
    case Mood::LosesAnswer:
        return answer(OutcomeClass::Unknown, "connection reset", {});
    case Mood::Cuts:
        return answer(OutcomeClass::Succeeded, {}, effect.body.substr(0, effect.body.size() / 2));
    case Mood::LacksField:
        return answer(OutcomeClass::Succeeded, {}, "{\"seq\":1}");
    case Mood::Succeeds:
    case Mood::Declines:
    case Mood::SaysNotSent:
    case Mood::LosesRequest:
    case Mood::AnswersLate:
        break;
    }
    return answer(OutcomeClass::Succeeded, {}, effect.body);
}

ProbeResult Provider::probe(const ToolCall &call)
{
    const Action action {call.runId, call.seq};
    // What is at work is not known yet: "not applied" would be a lie.
    if (isPending(action) || (!m_calm && m_random.below(4) == 0))
        return {ProbeAnswer::NotKnown, {}, {}, "no answer"};
    const std::vector<Effect> &found = effects(action);
    if (found.empty())
        return {ProbeAnswer::NotApplied, {}, {}, "nothing under this key"};
    // A look-up whose answer is cut settles nothing.
    const std::string body = !m_calm && m_random.below(5) == 0 ? "{\"id\":" : found.front().body;
    return {ProbeAnswer::Applied, body, "0", "found"};
}

void Provider::landLate(bool all)
{
    while (!m_pending.empty() && (all || m_random.below(2) == 0)) {
        m_reached(Branch::LateEffect);
        auto [action, effect] = std::move(m_pending.front());
        m_pending.erase(m_pending.begin());
        effect.atUs = m_trueUs;
        m_effects[action].push_back(std::move(effect));
        if (!all)
            return;
    }
}

} // namespace reprise::sim

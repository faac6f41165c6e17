#include "core/model/action.h"

#include <array>
#include <utility>

namespace reprise {

namespace {

template <typename E, std::size_t N> using Names = std::array<std::pair<E, std::string_view>, N>;

constexpr Names<ActionState, 6> kStates {
    {{ActionState::Planned, "planned"}, {ActionState::InFlight, "in_flight"},
        {ActionState::Succeeded, "succeeded"}, {ActionState::Failed, "failed"},
        {ActionState::InDoubt, "in_doubt"}, {ActionState::Cancelled, "cancelled"}}};
constexpr Names<AttemptKind, 9> kKinds {{{AttemptKind::Executed, "executed"},
    {AttemptKind::Replayed, "replayed"}, {AttemptKind::ExecutedAgain, "executed_again"},
    {AttemptKind::InDoubt, "in_doubt"}, {AttemptKind::Conflict, "conflict"},
    {AttemptKind::Busy, "busy"}, {AttemptKind::Refused, "refused"},
    {AttemptKind::Settled, "settled"}, {AttemptKind::LateReport, "late_report"}}};
constexpr Names<OutcomeClass, 4> kOutcomes {
    {{OutcomeClass::Succeeded, "succeeded"}, {OutcomeClass::Declined, "declined"},
        {OutcomeClass::NotSent, "not_sent"}, {OutcomeClass::Unknown, "unknown"}}};
constexpr Names<ResultSource, 5> kSources {{{ResultSource::Call, "call"},
    {ResultSource::Probe, "probe"}, {ResultSource::LateReport, "late_report"},
    {ResultSource::Operator, "operator"}, {ResultSource::Import, "import"}}};
constexpr Names<BusinessKind, 8> kBusiness {
    {{BusinessKind::Charge, "charge"}, {BusinessKind::Refund, "refund"},
        {BusinessKind::Authorisation, "authorisation"}, {BusinessKind::Capture, "capture"},
        {BusinessKind::Booking, "booking"}, {BusinessKind::Cancellation, "cancellation"},
        {BusinessKind::Message, "message"}, {BusinessKind::Other, "other"}}};

template <typename E, std::size_t N> std::string_view nameIn(const Names<E, N> &names, E value)
{
    for (const auto &[candidate, text] : names)
        if (candidate == value)
            return text;
    return "?";
}

template <typename E, std::size_t N>
std::optional<E> valueIn(const Names<E, N> &names, std::string_view text)
{
    for (const auto &[candidate, known] : names)
        if (known == text)
            return candidate;
    return std::nullopt;
}

} // namespace

std::string_view name(ActionState state)
{
    return nameIn(kStates, state);
}
std::optional<ActionState> actionStateFrom(std::string_view text)
{
    return valueIn(kStates, text);
}
std::string_view name(AttemptKind kind)
{
    return nameIn(kKinds, kind);
}
std::optional<AttemptKind> attemptKindFrom(std::string_view text)
{
    return valueIn(kKinds, text);
}
std::string_view name(OutcomeClass outcome)
{
    return nameIn(kOutcomes, outcome);
}
std::optional<OutcomeClass> outcomeFrom(std::string_view text)
{
    return valueIn(kOutcomes, text);
}
std::string_view name(ResultSource source)
{
    return nameIn(kSources, source);
}
std::optional<ResultSource> resultSourceFrom(std::string_view text)
{
    return valueIn(kSources, text);
}
std::string_view name(BusinessKind kind)
{
    return nameIn(kBusiness, kind);
}
std::optional<BusinessKind> businessKindFrom(std::string_view text)
{
    return valueIn(kBusiness, text);
}

bool isFinal(ActionState state)
{
    return state == ActionState::Succeeded || state == ActionState::Failed
        || state == ActionState::Cancelled;
}

} // namespace reprise

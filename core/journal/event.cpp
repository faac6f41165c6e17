#include "core/journal/event.h"

#include "core/base/sha256.h"

#include <array>
#include <type_traits>
#include <utility>

namespace reprise {

namespace {

/// Stored words of the alternatives of EventBody, in their order. Never change one.
constexpr std::array<std::string_view, std::variant_size_v<EventBody>> kKinds {"store_created",
    "contract_bound", "run_planned", "action_planned", "claimed", "outcome_recorded",
    "doubt_raised", "attempt_answered", "settled", "reported_late", "action_cancelled",
    "run_closed", "attempt_imported"};

constexpr std::array<std::string_view, 6> kPermits {
    "first", "forwarding", "repeatable", "not_applied", "not_sent", "operator"};
constexpr std::array<std::string_view, 3> kDecisions {"landed", "retry", "failed"};
constexpr std::array<std::string_view, 2> kStoreKinds {"live", "sandbox"};

template <typename E, std::size_t N>
std::optional<E> valueIn(const std::array<std::string_view, N> &names, std::string_view text)
{
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == text)
            return static_cast<E>(i);
    return std::nullopt;
}

void readName(std::string_view text, std::optional<StoreKind> &out)
{
    out = valueIn<StoreKind>(kStoreKinds, text);
}
void readName(std::string_view text, std::optional<Permit> &out)
{
    out = valueIn<Permit>(kPermits, text);
}
void readName(std::string_view text, std::optional<Decision> &out)
{
    out = decisionFrom(text);
}
void readName(std::string_view text, std::optional<AttemptKind> &out)
{
    out = attemptKindFrom(text);
}
void readName(std::string_view text, std::optional<OutcomeClass> &out)
{
    out = outcomeFrom(text);
}
void readName(std::string_view text, std::optional<ResultSource> &out)
{
    out = resultSourceFrom(text);
}
void readName(std::string_view text, std::optional<BusinessKind> &out)
{
    out = businessKindFrom(text);
}

// Each structure names its fields once; the writer and the reader below both walk that list.
// Absent optionals, empty texts and false flags are left out of the payload.

template <typename A> void fields(A &a, Owner &v)
{
    a("id", v.id);
    a("host", v.host);
    a("boot_id", v.bootId);
    a("pid", v.pid);
    a("start_ticks", v.startTicks);
}
template <typename A> void fields(A &a, ProcessId &v)
{
    a("pid", v.pid);
    a("start_ticks", v.startTicks);
}
template <typename A> void fields(A &a, Money &v)
{
    a("currency", v.currency);
    a("minor", v.minor);
}
template <typename A> void fields(A &a, Business &v)
{
    a("kind", v.kind);
    a("amount", v.amount);
    a("payee", v.payee);
    a("order", v.order);
    a("undoes", v.undoes);
}
template <typename A> void fields(A &a, RecordedResult &v)
{
    a("status", v.status);
    a("content_type", v.contentType);
    a("complete", v.complete);
    a("body", v.body);
    a("body_bytes", v.bodyBytes);
    a("reference", v.reference);
    a("recorded_at", v.recordedAt);
    a("source", v.source);
}
template <typename A> void fields(A &a, StoreCreated &v)
{
    a("store_id", v.storeId);
    a("kind", v.kind);
}
template <typename A> void fields(A &a, ContractBound &v)
{
    a("tool", v.tool);
    a("version", v.version);
    a("digest", v.digest);
    a("text", v.text);
}
template <typename A> void fields(A &a, RunPlanned &v)
{
    a("run_id", v.runId);
    a("revision", v.revision);
    a("content", v.content);
    a("label", v.label);
    a("ordered", v.ordered);
    a("environment", v.environment);
    a("account", v.account);
    a("dry_run", v.dryRun);
    a("imported", v.imported);
    a("source", v.source);
}
template <typename A> void fields(A &a, ActionPlanned &v)
{
    a("run_id", v.runId);
    a("seq", v.seq);
    a("key", v.key);
    a("key_derived_at_import", v.keyDerivedAtImport);
    a("tool", v.tool);
    a("side_effect", v.sideEffect);
    a("contract", v.contract);
    a("fingerprint", v.fingerprint);
    a("args", v.args);
    a("business", v.business);
}
template <typename A> void fields(A &a, Claimed &v)
{
    a("key", v.key);
    a("attempt", v.attempt);
    a("epoch", v.epoch);
    a("owner", v.owner);
    a("tool_process", v.toolProcess);
    a("sent_key", v.sentKey);
    a("permit", v.permit);
}
template <typename A> void fields(A &a, OutcomeRecorded &v)
{
    a("key", v.key);
    a("attempt", v.attempt);
    a("epoch", v.epoch);
    a("outcome", v.outcome);
    a("reason", v.reason);
    a("result", v.result);
    a("tool_log", v.toolLog);
    a("acceptance", v.acceptance);
}
template <typename A> void fields(A &a, DoubtRaised &v)
{
    a("key", v.key);
    a("attempt", v.attempt);
    a("epoch", v.epoch);
    a("reason", v.reason);
}
template <typename A> void fields(A &a, AttemptAnswered &v)
{
    a("key", v.key);
    a("kind", v.kind);
    a("by", v.by);
    a("args", v.args);
    a("note", v.note);
}
template <typename A> void fields(A &a, Settled &v)
{
    a("key", v.key);
    a("decision", v.decision);
    a("by_probe", v.byProbe);
    a("by", v.by);
    a("reason", v.reason);
    a("evidence", v.evidence);
    a("result", v.result);
    a("acceptance", v.acceptance);
}
template <typename A> void fields(A &a, ReportedLate &v)
{
    a("key", v.key);
    a("attempt", v.attempt);
    a("epoch", v.epoch);
    a("outcome", v.outcome);
    a("result", v.result);
    a("contradiction", v.contradiction);
    a("note", v.note);
}
template <typename A> void fields(A &a, ActionCancelled &v)
{
    a("key", v.key);
    a("by", v.by);
}
template <typename A> void fields(A &a, RunClosed &v)
{
    a("run_id", v.runId);
}
template <typename A> void fields(A &a, AttemptImported &v)
{
    a("key", v.key);
    a("kind", v.kind);
    a("outcome", v.outcome);
    a("reason", v.reason);
    a("started_at", v.startedAt);
    a("ended_at", v.endedAt);
    a("result", v.result);
    a("sent_key", v.sentKey);
    a("locator", v.locator);
    a("note", v.note);
}

class Writer
{
public:
    void operator()(const char *field, std::string &value)
    {
        if (!value.empty())
            m_json.set(field, value);
    }
    void operator()(const char *field, std::int64_t &value) { m_json.set(field, value); }
    void operator()(const char *field, bool &value)
    {
        if (value)
            m_json.set(field, true);
    }
    void operator()(const char *field, Digest &value) { m_json.set(field, value.hex()); }
    void operator()(const char *field, Key &value) { m_json.set(field, value.hex()); }
    void operator()(const char *field, Time &value) { m_json.set(field, value.us); }
    template <typename T> void operator()(const char *field, std::optional<T> &value)
    {
        if (value)
            (*this)(field, *value);
    }
    template <typename E>
    std::enable_if_t<std::is_enum_v<E>> operator()(const char *field, E &value)
    {
        m_json.set(field, std::string(name(value)));
    }
    template <typename T>
    auto operator()(const char *field, T &value) -> decltype(fields(*this, value))
    {
        Writer inner;
        fields(inner, value);
        m_json.set(field, std::move(inner.m_json));
    }
    [[nodiscard]] std::string text() const { return m_json.canonical(); }

private:
    Json m_json = Json::object();
};

class Reader
{
public:
    explicit Reader(const Json &json)
        : m_json(json)
    {
    }
    void operator()(const char *field, std::string &value)
    {
        if (const Json *found = m_json.find(field); found != nullptr)
            found->isString() ? void(value = found->text()) : reject(field);
    }
    void operator()(const char *field, std::int64_t &value)
    {
        const auto number = m_json[field].integer();
        number ? void(value = *number) : reject(field);
    }
    void operator()(const char *field, bool &value) { value = m_json[field].boolean(); }
    void operator()(const char *field, Digest &value)
    {
        const auto digest = Digest::fromHex(m_json[field].text());
        digest ? void(value = *digest) : reject(field);
    }
    void operator()(const char *field, Key &value) { (*this)(field, value.digest); }
    void operator()(const char *field, Time &value) { (*this)(field, value.us); }
    template <typename T> void operator()(const char *field, std::optional<T> &value)
    {
        if (m_json.find(field) == nullptr)
            return;
        value.emplace();
        (*this)(field, *value);
    }
    template <typename E>
    std::enable_if_t<std::is_enum_v<E>> operator()(const char *field, E &value)
    {
        std::optional<E> known;
        readName(m_json[field].text(), known);
        known ? void(value = *known) : reject(field);
    }
    template <typename T>
    auto operator()(const char *field, T &value) -> decltype(fields(*this, value))
    {
        Reader inner(m_json[field]);
        fields(inner, value);
        if (!inner.m_rejected.empty())
            reject(std::string(field) + "." + inner.m_rejected);
    }
    /// The first field that was not of its form; empty where all were.
    [[nodiscard]] const std::string &rejected() const { return m_rejected; }

private:
    void reject(const std::string &field)
    {
        if (m_rejected.empty())
            m_rejected = field;
    }
    const Json &m_json;
    std::string m_rejected;
};

template <std::size_t I = 0> EventBody emptyBody(std::size_t index)
{
    if constexpr (I < std::variant_size_v<EventBody>) {
        if (index == I)
            return EventBody(std::in_place_index<I>);
        return emptyBody<I + 1>(index);
    } else {
        return {};
    }
}

template <typename T>
concept HasKey = requires(const T &value)
{
    value.key;
};

} // namespace

std::string_view name(StoreKind kind)
{
    return kStoreKinds[static_cast<std::size_t>(kind)];
}
std::string_view name(Permit permit)
{
    return kPermits[static_cast<std::size_t>(permit)];
}
std::string_view name(Decision decision)
{
    return kDecisions[static_cast<std::size_t>(decision)];
}
std::optional<Decision> decisionFrom(std::string_view text)
{
    return valueIn<Decision>(kDecisions, text);
}
std::optional<Permit> permitFrom(std::string_view text)
{
    return valueIn<Permit>(kPermits, text);
}
std::optional<StoreKind> storeKindFrom(std::string_view text)
{
    return valueIn<StoreKind>(kStoreKinds, text);
}

std::string_view Event::kind() const
{
    return kKinds[body.index()];
}

std::optional<Key> Event::key() const
{
    return std::visit(
        [](const auto &value) -> std::optional<Key> {
            if constexpr (HasKey<std::decay_t<decltype(value)>>)
                return value.key;
            else
                return std::nullopt;
        },
        body);
}

std::string Event::payload() const
{
    Writer writer;
    // The field lists serve both directions and take values they could change; the writer does not.
    std::visit([&](auto &value) { fields(writer, value); }, const_cast<EventBody &>(body));
    return writer.text();
}

Result<Event> Event::decode(std::string_view kind, Time at, std::string_view payload)
{
    std::size_t index = 0;
    while (index < kKinds.size() && kKinds[index] != kind)
        ++index;
    if (index == kKinds.size())
        return fail(ErrorCode::StoreDamaged, "unknown kind of journal entry", printable(kind));
    ASSIGN_OR_RETURN(const Json json, Json::parse(payload, "journal payload"));
    Event event {at, emptyBody(index)};
    Reader reader(json);
    std::visit([&](auto &value) { fields(reader, value); }, event.body);
    if (!reader.rejected().empty())
        return fail(ErrorCode::StoreDamaged,
            "field \"" + reader.rejected() + "\" is not of its form",
            "journal entry of kind " + std::string(kind));
    return event;
}

Digest entryHash(const std::string &storeId, std::int64_t entry, Time at, std::string_view kind,
    std::string_view payload, const Digest &previous)
{
    thread_local Sha256 hash;
    hash.addPrefixed(storeId);
    hash.addNumber(static_cast<std::uint64_t>(entry));
    hash.addNumber(static_cast<std::uint64_t>(at.us));
    hash.addPrefixed(kind);
    hash.addPrefixed(payload);
    hash.add(previous.view());
    return hash.finish();
}

} // namespace reprise

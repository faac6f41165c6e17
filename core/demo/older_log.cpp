#include "core/demo/older_log.h"

#include "core/base/sha256.h"
#include "core/executor/acceptance.h"
#include "core/key/key.h"

#include <set>
#include <utility>

namespace reprise {

namespace {

constexpr const char *kAccount = "acct_nordlicht_shop";

/// Collects the events of one import and the bytes that they refer to.
class OlderImport
{
public:
    OlderImport(Time at, const ToolSet &tools)
        : m_at(at)
        , m_tools(tools)
    {
    }

    Result<void> add(const OlderCall &call, std::size_t line)
    {
        ASSIGN_OR_RETURN(const RunId run, RunId::parse(call.runId));
        ASSIGN_OR_RETURN(const Seq seq, Seq::of(call.seq));
        const ToolContract *contract = m_tools.find(call.tool);
        if (contract == nullptr)
            return fail(ErrorCode::Internal, "no contract for tool " + call.tool, call.runId);
        const Key key = deriveKey(run, seq);
        addRun(run);
        addContract(*contract);
        const bool again = !m_actions.insert(key).second;
        if (!again)
            RETURN_IF_ERROR(addAction(call, seq, key, *contract));
        addAttempt(call, key, *contract, again, line);
        return {};
    }

    Result<void> write(Store &store) const
    {
        RETURN_IF_ERROR(store.append(m_events, m_bodies, m_mustBeUnknown));
        return {};
    }

private:
    Digest keep(const std::string &bytes)
    {
        const Digest digest = Sha256::of(bytes);
        m_bodies.push_back({digest, bytes});
        return digest;
    }

    void addRun(const RunId &run)
    {
        if (!m_runs.insert(run.bytes()).second)
            return;
        RunPlanned planned;
        planned.runId = run.bytes();
        planned.content = Sha256::of("legacy agent log:" + run.bytes());
        planned.label = "Older agent, without keys";
        planned.account = kAccount;
        planned.imported = true;
        planned.source = "legacy agent log";
        m_events.push_back({m_at, std::move(planned)});
    }

    void addContract(const ToolContract &contract)
    {
        if (m_contracts.insert(contract.name).second)
            m_events.push_back({m_at,
                ContractBound {contract.name, contract.version, contract.digest(),
                    contract.toJson().canonical()}});
    }

    Result<void> addAction(
        const OlderCall &call, Seq seq, const Key &key, const ToolContract &contract)
    {
        ASSIGN_OR_RETURN(const Json args, Json::parse(call.args, call.runId));
        m_mustBeUnknown.push_back({key, 0});
        m_events.push_back({m_at,
            ActionPlanned {call.runId, seq.value(), key, true, call.tool, contract.sideEffect,
                contract.digest(),
                fingerprint(
                    {call.tool, contract.version, "live", kAccount, false, contract.ignore}, args),
                keep(call.args), contract.business.read(args)}});
        return {};
    }

    void addAttempt(const OlderCall &call, const Key &key, const ToolContract &contract, bool again,
        std::size_t line)
    {
        AttemptImported attempt;
        attempt.key = key;
        attempt.outcome = call.answer.outcome;
        attempt.kind = again                           ? AttemptKind::ExecutedAgain
            : attempt.outcome == OutcomeClass::Unknown ? AttemptKind::InDoubt
                                                       : AttemptKind::Executed;
        attempt.reason = call.answer.reason;
        attempt.startedAt = call.startedAt;
        attempt.endedAt = call.endedAt;
        attempt.locator = "line " + std::to_string(line);
        if (call.answer.body && attempt.outcome != OutcomeClass::Unknown) {
            RecordedResult result;
            result.status = call.answer.status;
            result.contentType = contract.contentType;
            result.body = keep(*call.answer.body);
            result.bodyBytes = static_cast<std::int64_t>(call.answer.body->size());
            result.reference
                = checkAcceptance(contract, call.answer.body, call.answer.status).reference;
            result.recordedAt = call.endedAt;
            result.source = ResultSource::Import;
            attempt.result = std::move(result);
        }
        m_events.push_back({m_at, std::move(attempt)});
    }

    Time m_at;
    const ToolSet &m_tools;
    std::vector<Event> m_events;
    std::vector<Body> m_bodies;
    std::vector<Precondition> m_mustBeUnknown;
    std::set<std::string> m_runs;
    std::set<std::string> m_contracts;
    std::set<Key> m_actions;
};

} // namespace

Result<void> importOlderCalls(
    Store &store, Time at, const std::vector<OlderCall> &calls, const ToolSet &tools)
{
    OlderImport import(at, tools);
    for (std::size_t i = 0; i < calls.size(); ++i)
        RETURN_IF_ERROR(import.add(calls[i], i + 1));
    return import.write(store);
}

} // namespace reprise

#include "core/base/sha256.h"
#include "core/import/import.h"
#include "core/key/key.h"

#include <algorithm>
#include <map>
#include <set>

namespace reprise {

namespace {

/// Turns one run into events.
class RunWriter
{
public:
    RunWriter(const ImportMapping &mapping, Time now, std::vector<Event> &events,
        std::vector<Body> &bodies, ImportSummary &summary)
        : m_mapping(mapping)
        , m_now(now)
        , m_events(events)
        , m_bodies(bodies)
        , m_summary(summary)
    {
    }

    Result<void> write(const ImportedRun &run, const std::string &source)
    {
        ASSIGN_OR_RETURN(const RunId id, RunId::parse(run.runId));
        m_events.push_back({m_now,
            RunPlanned {id.bytes(), 1, Sha256::of("import:" + source + ":" + id.bytes()), run.label,
                false, "live", {}, false, true, source}});
        ++m_summary.runs;
        std::int64_t largest = 0;
        for (const ImportedAttempt &attempt : run.attempts)
            largest = std::max(largest, attempt.seq.value_or(0));
        for (const ImportedAttempt &attempt : run.attempts) {
            const auto seq = Seq::of(attempt.seq ? *attempt.seq : ++largest);
            if (!seq)
                return tl::unexpected(seq.error());
            RETURN_IF_ERROR(one(id, *seq, attempt));
        }
        return {};
    }

private:
    struct Known
    {
        Key key;
        Digest fingerprint;
        std::int64_t calls = 0;
        std::set<std::string> references; ///< of earlier successes
    };

    Digest keep(const std::string &bytes)
    {
        const Digest digest = Sha256::of(bytes);
        m_bodies.push_back({digest, bytes});
        return digest;
    }

    Result<void> one(const RunId &run, Seq seq, const ImportedAttempt &attempt)
    {
        const ToolContract contract = m_mapping.contractFor(attempt.tool, attempt.readOnlyHint);
        const auto parsed = Json::parse(attempt.args, attempt.locator);
        if (!parsed)
            m_summary.warnings.push_back("run " + run.bytes() + ", " + attempt.locator
                + ": the args are not valid JSON and are kept as text");
        const Json args = parsed ? *parsed : Json(printable(attempt.args, attempt.args.size() * 4));
        const Digest print = fingerprint(
            {attempt.tool, contract.version, "live", {}, false, contract.ignore}, args);
        std::string note = attempt.note;
        auto known = m_known.find(seq.value());
        if (known == m_known.end()) {
            known = m_known.emplace(seq.value(), plan(run, seq, attempt, contract, print, args))
                        .first;
        } else if (known->second.fingerprint != print) {
            note += std::string(note.empty() ? "" : "; ")
                + "its args differ from the first attempt's: sha256 " + keep(attempt.args).hex();
        }
        m_events.push_back({m_now, imported(known->second, attempt, note)});
        ++m_summary.attempts;
        return {};
    }

    Known plan(const RunId &run, Seq seq, const ImportedAttempt &attempt,
        const ToolContract &contract, const Digest &print, const Json &args)
    {
        const Digest digest = contract.digest();
        if (m_bound.insert(digest).second)
            m_events.push_back({m_now,
                ContractBound {
                    attempt.tool, contract.version, digest, contract.toJson().canonical()}});
        const Key key = deriveKey(run, seq);
        m_events.push_back({m_now,
            ActionPlanned {run.bytes(), seq.value(), key, true, attempt.tool, contract.sideEffect,
                digest, print, keep(attempt.args), contract.business.read(args)}});
        ++m_summary.actions;
        return Known {key, print, 0, {}};
    }

    AttemptImported imported(Known &known, const ImportedAttempt &attempt, const std::string &note)
    {
        AttemptImported event {known.key, attempt.kind, attempt.outcome, attempt.errorText,
            attempt.startedAt, attempt.endedAt, {}, attempt.sentKey, attempt.locator, note};
        // The provider gave the reference of an earlier success again: it answered from its own
        // record.
        const bool sameAgain = attempt.kind == AttemptKind::Executed && !attempt.reference.empty()
            && known.references.contains(attempt.reference);
        if (sameAgain)
            event.kind = AttemptKind::Replayed;
        if (attempt.result) {
            RecordedResult result;
            result.contentType = attempt.contentType;
            result.complete = attempt.outcome != OutcomeClass::Unknown;
            result.body = keep(*attempt.result);
            result.bodyBytes = static_cast<std::int64_t>(attempt.result->size());
            result.reference = attempt.reference;
            result.recordedAt = attempt.endedAt.value_or(m_now);
            result.source = ResultSource::Import;
            event.result = std::move(result);
        }
        if (event.kind == AttemptKind::Replayed)
            return event;
        if (event.kind == AttemptKind::Executed && known.calls > 0)
            event.kind = AttemptKind::ExecutedAgain;
        ++known.calls;
        if (attempt.outcome == OutcomeClass::Succeeded && !attempt.reference.empty())
            known.references.insert(attempt.reference);
        return event;
    }

    const ImportMapping &m_mapping;
    Time m_now;
    std::vector<Event> &m_events;
    std::vector<Body> &m_bodies;
    ImportSummary &m_summary;
    std::map<std::int64_t, Known> m_known;
    std::set<Digest> m_bound;
};

} // namespace

Result<ImportSummary> writeImport(Store &store, Clock &clock, const ImportBatch &batch,
    const std::string &fileName, const ImportMapping &mapping)
{
    ImportSummary summary;
    summary.format = batch.format;
    summary.warnings = batch.warnings;
    const std::string source = batch.format + ": " + fileName;
    std::vector<Event> events;
    std::vector<Body> bodies;
    for (const ImportedRun &run : batch.runs) {
        ASSIGN_OR_RETURN(const RunId id, RunId::parse(run.runId));
        ASSIGN_OR_RETURN(const auto known, store.findRun(id));
        if (known)
            return fail(ErrorCode::Conflict,
                "run \"" + printable(run.runId, 80)
                    + "\" is in the store already; nothing was imported",
                fileName, "import it into another store");
        RETURN_IF_ERROR(
            RunWriter(mapping, clock.now(), events, bodies, summary).write(run, source));
    }
    if (events.empty())
        return fail(ErrorCode::InvalidInput, "holds no tool calls", fileName);
    RETURN_IF_ERROR(store.append(events, bodies, {}));
    return summary;
}

} // namespace reprise

#include "core/base/sha256.h"
#include "core/import/import.h"
#include "core/key/key.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace reprise {

namespace {

/// A run of one or more files, with where it came from.
struct MergedRun
{
    ImportedRun run;
    std::string format;
    std::vector<std::string> files {};
    std::vector<std::size_t> counts {}; ///< attempts that each file brought

    [[nodiscard]] std::string source() const
    {
        std::string text = format + ": ";
        for (std::size_t i = 0; i < files.size(); ++i)
            text += (i == 0 ? "" : ", ") + files[i];
        return text;
    }
};

/// Puts the parts of a run together: by time where every record has one, else file by file.
void arrange(MergedRun &merged)
{
    if (merged.files.size() < 2)
        return;
    std::size_t at = 0;
    for (std::size_t file = 0; file < merged.files.size(); ++file)
        for (std::size_t i = 0; i < merged.counts[file]; ++i, ++at)
            merged.run.attempts[at].locator
                = merged.files[file] + ", " + merged.run.attempts[at].locator;
    const auto timed = [](const ImportedAttempt &attempt) { return attempt.startedAt.has_value(); };
    if (std::all_of(merged.run.attempts.begin(), merged.run.attempts.end(), timed))
        std::stable_sort(merged.run.attempts.begin(), merged.run.attempts.end(),
            [](const auto &a, const auto &b) { return *a.startedAt < *b.startedAt; });
}

Result<std::vector<MergedRun>> merge(std::vector<ImportFile> files)
{
    std::vector<MergedRun> runs;
    std::map<std::string, std::size_t> byId;
    for (ImportFile &file : files)
        for (ImportedRun &run : file.batch.runs) {
            const std::size_t count = run.attempts.size();
            const auto [known, added] = byId.emplace(run.runId, runs.size());
            if (added) {
                runs.push_back({std::move(run), file.batch.format, {file.name}, {count}});
                continue;
            }
            MergedRun &earlier = runs[known->second];
            if (!run.named || !earlier.run.named || earlier.format != file.batch.format)
                return fail(ErrorCode::Conflict,
                    "run \"" + printable(run.runId, 80) + "\" stands in " + earlier.files.back()
                        + " too, and nothing says that they are one; nothing was imported",
                    file.name, "import one of the files into another store");
            earlier.files.push_back(file.name);
            earlier.counts.push_back(count);
            std::move(
                run.attempts.begin(), run.attempts.end(), std::back_inserter(earlier.run.attempts));
        }
    for (MergedRun &run : runs)
        arrange(run);
    return runs;
}

/// Contracts by tool, so that each is made and hashed once.
class Contracts
{
public:
    struct Bound
    {
        ToolContract contract;
        Digest digest;
        bool written = false;
    };

    explicit Contracts(const ImportMapping &mapping)
        : m_mapping(mapping)
    {
    }

    Bound &of(const ImportedAttempt &attempt)
    {
        const auto name = std::pair(attempt.tool, attempt.readOnlyHint);
        const auto known = m_bound.find(name);
        if (known != m_bound.end())
            return known->second;
        ToolContract contract = m_mapping.contractFor(attempt.tool, attempt.readOnlyHint);
        const Digest digest = contract.digest();
        return m_bound.emplace(name, Bound {std::move(contract), digest}).first->second;
    }

private:
    const ImportMapping &m_mapping;
    std::map<std::pair<std::string, std::optional<bool>>, Bound> m_bound {};
};

/// Events and bodies of a whole import.
struct Writing
{
    Time now;
    Contracts contracts;
    std::vector<Event> events {};
    std::vector<Body> bodies {};
    ImportSummary summary {};

    Digest keep(const std::string &bytes)
    {
        const Digest digest = Sha256::of(bytes);
        bodies.push_back({digest, bytes});
        return digest;
    }
};

/// Turns one run into events.
class RunWriter
{
public:
    RunWriter(const RunId &id, Writing &out)
        : m_id(id)
        , m_out(out)
    {
    }

    Result<void> write(const MergedRun &merged)
    {
        const std::string source = merged.source();
        m_out.events.push_back({m_out.now,
            RunPlanned {m_id.bytes(), 1, Sha256::of("import:" + source + ":" + m_id.bytes()),
                merged.run.label, false, "live", {}, false, true, source}});
        ++m_out.summary.runs;
        std::int64_t largest = 0;
        for (const ImportedAttempt &attempt : merged.run.attempts)
            largest = std::max(largest, attempt.seq.value_or(0));
        for (const ImportedAttempt &attempt : merged.run.attempts) {
            if (!attempt.seq && largest == std::numeric_limits<std::int64_t>::max())
                return fail(ErrorCode::InvalidInput,
                    "no seq is left for a call without one: the run names the largest there is",
                    source + ", " + attempt.locator);
            ASSIGN_OR_RETURN(const Seq seq, Seq::of(attempt.seq ? *attempt.seq : ++largest));
            one(seq, attempt);
        }
        return {};
    }

private:
    struct Known
    {
        Key key;
        Digest fingerprint;
        std::string tool;
        std::int64_t calls = 0;
        std::set<std::string> references {}; ///< of earlier successes
    };

    void one(Seq seq, const ImportedAttempt &attempt)
    {
        const Contracts::Bound &bound = m_out.contracts.of(attempt);
        const auto parsed = Json::parse(attempt.args, attempt.locator);
        if (!parsed)
            m_out.summary.warnings.push_back("run " + m_id.bytes() + ", " + attempt.locator
                + ": the args are not valid JSON and are kept as text");
        // Args that are no JSON are compared as the text that they are.
        const Json args = parsed ? *parsed : Json(attempt.args);
        const ToolContract &contract = bound.contract;
        const Digest print = fingerprint(
            {attempt.tool, contract.version, "live", {}, false, contract.ignore}, args);
        std::string note = attempt.note;
        const auto add
            = [&](const std::string &more) { note += (note.empty() ? "" : "; ") + more; };
        auto known = m_known.find(seq.value());
        if (known == m_known.end())
            known = m_known.emplace(seq.value(), plan(seq, attempt, print, args)).first;
        else if (known->second.tool != attempt.tool)
            add("it called another tool than the first attempt: " + printable(attempt.tool, 80)
                + ", args sha256 " + m_out.keep(attempt.args).hex());
        else if (known->second.fingerprint != print)
            add("its args differ from the first attempt's: sha256 "
                + m_out.keep(attempt.args).hex());
        m_out.events.push_back({m_out.now, imported(known->second, attempt, note)});
        ++m_out.summary.attempts;
    }

    Known plan(Seq seq, const ImportedAttempt &attempt, const Digest &print, const Json &args)
    {
        Contracts::Bound &bound = m_out.contracts.of(attempt);
        const ToolContract &contract = bound.contract;
        if (!bound.written)
            m_out.events.push_back({m_out.now,
                ContractBound {
                    attempt.tool, contract.version, bound.digest, contract.toJson().canonical()}});
        bound.written = true;
        const Key key = deriveKey(m_id, seq);
        m_out.events.push_back({m_out.now,
            ActionPlanned {m_id.bytes(), seq.value(), key, true, attempt.tool, contract.sideEffect,
                bound.digest, print, m_out.keep(attempt.args), contract.business.read(args)}});
        ++m_out.summary.actions;
        return Known {key, print, attempt.tool};
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
        event.result = resultOf(attempt);
        if (event.kind == AttemptKind::Replayed || attempt.outcome == OutcomeClass::NotSent)
            return event;
        if (event.kind == AttemptKind::Executed && known.calls > 0)
            event.kind = AttemptKind::ExecutedAgain;
        ++known.calls;
        if (attempt.outcome == OutcomeClass::Succeeded && !attempt.reference.empty())
            known.references.insert(attempt.reference);
        return event;
    }

    std::optional<RecordedResult> resultOf(const ImportedAttempt &attempt)
    {
        if (!attempt.result && attempt.reference.empty())
            return std::nullopt;
        RecordedResult result;
        result.contentType = attempt.contentType;
        result.complete = attempt.outcome != OutcomeClass::Unknown && attempt.result.has_value();
        if (attempt.result) {
            result.body = m_out.keep(*attempt.result);
            result.bodyBytes = static_cast<std::int64_t>(attempt.result->size());
        }
        result.reference = attempt.reference;
        result.recordedAt = attempt.endedAt.value_or(m_out.now);
        result.source = ResultSource::Import;
        return result;
    }

    RunId m_id;
    Writing &m_out;
    std::map<std::int64_t, Known> m_known {};
};

} // namespace

Result<ImportSummary> writeImport(
    Store &store, Clock &clock, std::vector<ImportFile> files, const ImportMapping &mapping)
{
    Writing out {clock.now(), Contracts(mapping)};
    for (const ImportFile &file : files) {
        out.summary.format = file.batch.format;
        out.summary.warnings.insert(
            out.summary.warnings.end(), file.batch.warnings.begin(), file.batch.warnings.end());
        if (file.batch.runs.empty())
            out.summary.warnings.push_back(file.name + ": holds no tool calls");
    }
    const std::string first = files.empty() ? std::string() : files.front().name;
    ASSIGN_OR_RETURN(const std::vector<MergedRun> runs, merge(std::move(files)));
    if (runs.empty())
        return fail(ErrorCode::InvalidInput, "holds no tool calls", first);
    for (const MergedRun &merged : runs) {
        ASSIGN_OR_RETURN(const RunId id, RunId::parse(merged.run.runId));
        ASSIGN_OR_RETURN(const auto known, store.findRun(id));
        if (known)
            return fail(ErrorCode::Conflict,
                "run \"" + printable(id.bytes(), 80)
                    + "\" is in the store already; nothing was imported",
                merged.files.front(), "import it into another store");
        RETURN_IF_ERROR(RunWriter(id, out).write(merged));
    }
    RETURN_IF_ERROR(store.append(out.events, out.bodies, {}));
    return out.summary;
}

Result<ImportSummary> writeImport(Store &store, Clock &clock, const ImportBatch &batch,
    const std::string &fileName, const ImportMapping &mapping)
{
    std::vector<ImportFile> files;
    files.push_back({fileName, batch});
    return writeImport(store, clock, std::move(files), mapping);
}

} // namespace reprise

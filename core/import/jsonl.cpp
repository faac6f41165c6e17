// Reprise's own record format: one object a line with run_id, seq, tool, args, attempt, state,
// result, error, started_at, ended_at, key, provider_ref; all but run_id and tool may be absent.
// `null` is absent, except as the args or the result of a call that succeeded.

#include "core/import/formats.h"

#include <algorithm>
#include <map>

namespace reprise {

namespace {

/// A record, and the number that it gives its attempt.
struct Record
{
    ImportedAttempt attempt {};
    std::optional<std::int64_t> number {};
};

class RecordReader
{
public:
    RecordReader(const ImportSource &source, const Json &json, std::string_view text,
        const std::string &locator)
        : m_mapping(source.mapping)
        , m_json(json)
        , m_text(text)
        , m_where(placeOf(source, locator))
    {
        m_record.attempt.locator = locator;
    }

    Result<RunId> runId() const
    {
        if (!m_json["run_id"].isString() || !m_json["tool"].isString()
            || m_json["tool"].text().empty())
            return refuse("needs \"run_id\" and \"tool\", both text");
        auto run = RunId::parse(m_json["run_id"].text());
        if (!run)
            return refuse(run.error().text());
        return run;
    }

    Result<Record> read()
    {
        ImportedAttempt &attempt = m_record.attempt;
        attempt.tool = m_json["tool"].text();
        RETURN_IF_ERROR(readNumbers());
        RETURN_IF_ERROR(readState());
        RETURN_IF_ERROR(readTime("started_at", attempt.startedAt));
        RETURN_IF_ERROR(readTime("ended_at", attempt.endedAt));
        const Json *args = m_json.find("args");
        attempt.args = args == nullptr ? "{}" : std::string(args->sourceIn(m_text));
        attempt.errorText = bytesOf(m_json["error"]);
        readResult();
        RETURN_IF_ERROR(readText("key", attempt.sentKey));
        RETURN_IF_ERROR(readText("provider_ref", attempt.reference));
        return std::move(m_record);
    }

private:
    tl::unexpected<Error> refuse(std::string why) const
    {
        return fail(ErrorCode::InvalidInput, std::move(why), m_where);
    }

    /// Text as it is, other values as they are written; empty for null.
    std::string bytesOf(const Json &value) const
    {
        return value.isString() || value.isNull() ? value.text()
                                                  : std::string(value.sourceIn(m_text));
    }

    Result<void> readText(const char *field, std::string &out) const
    {
        const Json &value = m_json[field];
        if (value.isNull())
            return {};
        if (!value.isString() && !value.isNumber())
            return refuse(std::string("\"") + field + "\" must be text");
        out = value.text();
        return {};
    }

    Result<void> readTime(const char *field, std::optional<Time> &out) const
    {
        const Json &value = m_json[field];
        if (value.isNull())
            return {};
        out = value.isString() ? Time::parse(value.text()) : std::nullopt;
        if (!out)
            return refuse(std::string("\"") + field + "\" is not an RFC 3339 time with a zone");
        return {};
    }

    Result<void> readNumbers()
    {
        const Json &seq = m_json["seq"];
        if (!seq.isNull()) {
            // 64-bit numbers travel as text too.
            const auto value
                = Seq::parse(seq.isNumber() || seq.isString() ? seq.text() : std::string());
            if (!value)
                return refuse(value.error().text());
            m_record.attempt.seq = value->value();
        }
        const Json &number = m_json["attempt"];
        if (!number.isNull()) {
            m_record.number = number.integer();
            if (!m_record.number || *m_record.number < 0)
                return refuse("\"attempt\" must be a whole number from 0");
        }
        return {};
    }

    Result<void> readState()
    {
        ImportedAttempt &attempt = m_record.attempt;
        const Json &value = m_json["state"];
        const std::string state = value.isNull() ? "unknown" : value.text();
        if (state == "ok") {
            attempt.outcome = OutcomeClass::Succeeded;
        } else if (state == "replayed") {
            attempt.kind = AttemptKind::Replayed;
            attempt.outcome = OutcomeClass::Succeeded;
        } else if (state == "error") {
            attempt.outcome = OutcomeClass::Declined;
        } else if (state == "unknown") {
            attempt.kind = AttemptKind::InDoubt;
        } else {
            return refuse("\"state\" must be ok, error, unknown or replayed, not \""
                + printable(state, 40) + "\"");
        }
        return {};
    }

    void readResult()
    {
        ImportedAttempt &attempt = m_record.attempt;
        const Json *result = m_json.find("result");
        const bool succeeded = attempt.outcome == OutcomeClass::Succeeded;
        if (result == nullptr || (result->isNull() && !succeeded))
            return;
        attempt.result = result->isNull() ? "null" : bytesOf(*result);
        // Many systems keep a JSON answer as text.
        const auto inner = result->isString() ? Json::parse(result->text()) : Result<Json>(*result);
        attempt.contentType = inner ? "application/json" : "text/plain";
        if (succeeded && inner)
            attempt.reference = m_mapping.referenceIn(attempt.tool, *inner);
    }

    const ImportMapping &m_mapping;
    const Json &m_json;
    std::string_view m_text;
    std::string m_where;
    Record m_record {};
};

/// The attempts of a run in the order that their numbers say: where all records of a seq have one,
/// they change places among themselves.
std::vector<ImportedAttempt> inOrder(std::vector<Record> records)
{
    std::map<std::int64_t, std::vector<std::size_t>> bySeq;
    for (std::size_t i = 0; i < records.size(); ++i)
        if (records[i].attempt.seq)
            bySeq[*records[i].attempt.seq].push_back(i);
    std::vector<std::size_t> order(records.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    for (const auto &[seq, places] : bySeq) {
        std::vector<std::size_t> sorted = places;
        const auto numbered = [&](std::size_t i) { return records[i].number.has_value(); };
        if (std::all_of(places.begin(), places.end(), numbered))
            std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
                return *records[a].number < *records[b].number;
            });
        for (std::size_t i = 0; i < places.size(); ++i)
            order[places[i]] = sorted[i];
    }
    std::vector<ImportedAttempt> attempts;
    attempts.reserve(records.size());
    for (const std::size_t i : order)
        attempts.push_back(std::move(records[i].attempt));
    return attempts;
}

} // namespace

Result<ImportBatch> readJsonLines(const ImportSource &source)
{
    ImportBatch batch {"jsonl", {}, {}};
    std::map<std::string, std::size_t> runs;
    std::vector<std::vector<Record>> records;
    RETURN_IF_ERROR(forEachRecord(source,
        [&](const Json &json, std::string_view text, const std::string &locator) -> Result<void> {
            RecordReader reader(source, json, text, locator);
            ASSIGN_OR_RETURN(const RunId run, reader.runId());
            ASSIGN_OR_RETURN(Record record, reader.read());
            const auto [found, added] = runs.emplace(run.bytes(), batch.runs.size());
            if (added) {
                batch.runs.push_back({run.bytes(), json["label"].text(), true, {}});
                records.emplace_back();
            }
            records[found->second].push_back(std::move(record));
            return {};
        }));
    for (std::size_t i = 0; i < batch.runs.size(); ++i)
        batch.runs[i].attempts = inOrder(std::move(records[i]));
    return batch;
}

} // namespace reprise

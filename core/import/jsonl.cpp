// Reprise's own record format: one object a line with run_id, seq, tool, args, attempt, state,
// result, error, started_at, ended_at, key, provider_ref; all but run_id and tool may be absent.

#include "core/import/formats.h"

#include <map>

namespace reprise {

namespace {

std::string bytesOf(const Json &value, std::string_view text)
{
    return value.isString() ? value.text() : std::string(value.sourceIn(text));
}

Result<std::optional<Time>> timeOf(const Json &json, const char *field, const std::string &where)
{
    const Json *value = json.find(field);
    if (value == nullptr || value->isNull())
        return std::optional<Time>();
    const auto time = Time::parse(value->text());
    if (!time)
        return fail(ErrorCode::InvalidInput,
            std::string("\"") + field + "\" is not an RFC 3339 time with a zone", where);
    return time;
}

Result<void> readState(const Json &json, const std::string &where, ImportedAttempt &attempt)
{
    const Json *value = json.find("state");
    const std::string state = value == nullptr || value->isNull() ? "unknown" : value->text();
    attempt.errorText = json["error"].isString() ? json["error"].text() : std::string();
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
        return fail(ErrorCode::InvalidInput,
            "\"state\" must be ok, error, unknown or replayed, not \"" + printable(state, 40)
                + "\"",
            where);
    }
    return {};
}

} // namespace

Result<ImportBatch> readJsonLines(const ImportSource &source)
{
    ImportBatch batch {"jsonl", {}, {}};
    std::map<std::string, std::size_t> runs;
    const auto readLine = [&](std::string_view line, std::size_t number) -> Result<void> {
        const std::string where = atLine(source.path, number);
        ASSIGN_OR_RETURN(const Json json, Json::parse(line, where));
        if (!json["run_id"].isString() || !json["tool"].isString())
            return fail(ErrorCode::InvalidInput, "needs \"run_id\" and \"tool\", both text", where);
        const auto run = RunId::parse(json["run_id"].text());
        if (!run)
            return fail(ErrorCode::InvalidInput, run.error().text(), where);
        ImportedAttempt attempt;
        attempt.runId = run->bytes();
        attempt.tool = json["tool"].text();
        if (const Json *seq = json.find("seq"); seq != nullptr && !seq->isNull()) {
            const auto value
                = Seq::parse(seq->isNumber() ? seq->text() : "\"" + seq->text() + "\"");
            if (!value)
                return fail(ErrorCode::InvalidInput, value.error().text(), where);
            attempt.seq = value->value();
        }
        const Json *args = json.find("args");
        attempt.args = args == nullptr ? "{}" : std::string(args->sourceIn(line));
        RETURN_IF_ERROR(readState(json, where, attempt));
        if (const Json *result = json.find("result"); result != nullptr) {
            attempt.result = bytesOf(*result, line);
            attempt.contentType = result->isString() ? "text/plain" : "application/json";
            attempt.reference = source.mapping.referenceIn(attempt.tool, *result);
        }
        if (json["provider_ref"].isString())
            attempt.reference = json["provider_ref"].text();
        ASSIGN_OR_RETURN(attempt.startedAt, timeOf(json, "started_at", where));
        ASSIGN_OR_RETURN(attempt.endedAt, timeOf(json, "ended_at", where));
        attempt.sentKey = json["key"].text();
        attempt.locator = "line " + std::to_string(number);
        const auto [found, added] = runs.emplace(run->bytes(), batch.runs.size());
        if (added)
            batch.runs.push_back({run->bytes(), json["label"].text(), {}});
        batch.runs[found->second].attempts.push_back(std::move(attempt));
        return {};
    };
    RETURN_IF_ERROR(forEachLine(source.bytes, readLine));
    return batch;
}

} // namespace reprise

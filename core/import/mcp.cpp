// MCP traffic: JSON-RPC messages, one a line, bare or wrapped as {ts, dir, msg}. Format notes: the
// protocol's specification, versions 2024-11-05 to 2026-07-28.

#include "core/import/formats.h"

#include <map>

namespace reprise {

namespace {

/// A member of `_meta` whose vendor-prefixed name ends in one of these words ("com.example/runId").
const Json *metaField(const Json &meta, std::initializer_list<std::string_view> words)
{
    for (const auto &[name, value] : meta.members())
        for (const std::string_view word : words)
            if (name == word
                || (name.ends_with(word) && name[name.size() - word.size() - 1] == '/'))
                return &value;
    return nullptr;
}

std::string opposite(const std::string &direction)
{
    if (direction == "client->server")
        return "server->client";
    return direction == "server->client" ? "client->server" : direction;
}

class McpReader
{
public:
    explicit McpReader(const ImportSource &source)
        : m_source(source)
    {
        m_batch.format = "mcp";
    }

    Result<ImportBatch> read()
    {
        const std::size_t start = m_source.bytes.find_first_not_of(" \t\r\n");
        if (start != std::string_view::npos && m_source.bytes[start] == '[') {
            ASSIGN_OR_RETURN(const Json list, Json::parse(m_source.bytes, m_source.path));
            for (std::size_t i = 0; i < list.items().size(); ++i)
                RETURN_IF_ERROR(record(list.items()[i], m_source.bytes, "/" + std::to_string(i)));
        } else {
            RETURN_IF_ERROR(forEachLine(
                m_source.bytes, [&](std::string_view line, std::size_t number) -> Result<void> {
                    ASSIGN_OR_RETURN(
                        const Json json, Json::parse(line, atLine(m_source.path, number)));
                    return record(json, line, "line " + std::to_string(number));
                }));
        }
        finish();
        return std::move(m_batch);
    }

private:
    struct Call
    {
        std::size_t run = 0;
        std::size_t attempt = 0;
        bool cancelled = false;
        bool answered = false;
    };

    Result<void> record(const Json &json, std::string_view text, const std::string &locator)
    {
        if (!json.isObject() && !json.isArray())
            return fail(
                ErrorCode::InvalidInput, "is no JSON-RPC message", m_source.path + ", " + locator);
        const bool wrapped = json["msg"].isObject() || json["msg"].isArray();
        const Json &message = wrapped ? json["msg"] : json;
        const auto at = wrapped ? Time::parse(json["ts"].text()) : std::nullopt;
        const std::string direction = wrapped ? json["dir"].text() : std::string();
        if (!message.isArray()) {
            one(message, text, direction, at, locator);
            return {};
        }
        for (const Json &item : message.items()) // a batch, protocol 2025-03-26
            one(item, text, direction, at, locator);
        return {};
    }

    void one(const Json &message, std::string_view text, const std::string &direction,
        std::optional<Time> at, const std::string &locator)
    {
        const std::string &method = message["method"].text();
        const Json *id = message.find("id");
        if (method == "tools/call" && id != nullptr)
            call(message, text, direction, *id, at, locator);
        else if (method == "notifications/cancelled")
            cancelled(message["params"], direction, at);
        else if (method.empty() && id != nullptr)
            answer(message, text, opposite(direction), *id, at);
    }

    /// Ids are unique only within a connection's direction, and 1 is not "1".
    static std::string callName(const std::string &direction, const Json &id)
    {
        return direction + " " + id.dump();
    }

    ImportedAttempt &attemptOf(const Call &call)
    {
        return m_batch.runs[call.run].attempts[call.attempt];
    }

    std::size_t runNamed(const std::string &id)
    {
        const auto [found, added] = m_runs.emplace(id, m_batch.runs.size());
        if (added)
            m_batch.runs.push_back({id, "MCP session", {}});
        return found->second;
    }

    void call(const Json &message, std::string_view text, const std::string &direction,
        const Json &id, std::optional<Time> at, const std::string &locator)
    {
        const Json &params = message["params"];
        if (params.find("inputResponses") != nullptr && continueCall(params, direction, id))
            return;
        ImportedAttempt attempt;
        attempt.callId = id.text();
        attempt.tool = params["name"].text();
        const Json *args = params.find("arguments");
        attempt.args = args == nullptr ? "{}" : std::string(args->sourceIn(text));
        attempt.startedAt = at;
        attempt.locator = locator;
        attempt.contentType = "application/json";
        std::string runId = m_source.runName;
        if (const Json *run = metaField(params["_meta"], {"runId", "run_id"});
            run != nullptr && (run->isString() || run->isNumber()))
            runId = asRunId(run->text());
        if (const Json *seq = metaField(params["_meta"], {"seq"}); seq != nullptr) {
            const auto value = seq->isNumber() ? seq->integer() : std::nullopt;
            if (value && *value >= 0)
                attempt.seq = *value;
        }
        if (const Json *key = metaField(params["_meta"], {"idempotencyKey", "idempotency_key"}))
            attempt.sentKey = key->text();
        else if (args != nullptr && (*args)["idempotency_key"].isString())
            attempt.sentKey = (*args)["idempotency_key"].text();
        const std::size_t run = runNamed(runId);
        m_batch.runs[run].attempts.push_back(std::move(attempt));
        // A new session may use an id again: the newest call under it is the one that is answered
        // next.
        m_calls[callName(direction, id)] = Call {run, m_batch.runs[run].attempts.size() - 1};
    }

    /// Protocol 2026-07-28: a call that was answered "input_required" is sent again with the inputs
    /// and a new id. It is the same call, not a second one.
    bool continueCall(const Json &params, const std::string &direction, const Json &id)
    {
        for (auto &[name, call] : m_calls) {
            const ImportedAttempt &attempt = attemptOf(call);
            if (call.answered || attempt.tool != params["name"].text()
                || m_inputRequired.find(name) == m_inputRequired.end())
                continue;
            const Call same = call;
            m_inputRequired.erase(name);
            m_calls.erase(name);
            m_calls[callName(direction, id)] = same;
            return true;
        }
        return false;
    }

    void cancelled(const Json &params, const std::string &direction, std::optional<Time> at)
    {
        const auto found = m_calls.find(callName(direction, params["requestId"]));
        if (found == m_calls.end() || found->second.answered)
            return;
        found->second.cancelled = true;
        ImportedAttempt &attempt = attemptOf(found->second);
        attempt.kind = AttemptKind::InDoubt;
        attempt.outcome = OutcomeClass::Unknown;
        attempt.endedAt = at;
        attempt.errorText = params["reason"].text();
        attempt.note = "cancelled by the caller; the server may have carried it out";
    }

    void answer(const Json &message, std::string_view text, const std::string &direction,
        const Json &id, std::optional<Time> at)
    {
        const auto found = m_calls.find(callName(direction, id));
        if (found == m_calls.end())
            return;
        const Json &result = message["result"];
        if (result["resultType"].text() == "input_required") {
            m_inputRequired[found->first] = true;
            return;
        }
        Call &call = found->second;
        ImportedAttempt &attempt = attemptOf(call);
        call.answered = true;
        attempt.kind = AttemptKind::Executed;
        attempt.endedAt = at;
        attempt.note = call.cancelled
            ? "answered after the caller had given up: the caller never saw this answer"
            : std::string();
        if (const Json *error = message.find("error"); error != nullptr) {
            attempt.result = std::string(error->sourceIn(text));
            protocolError(*error, attempt);
            return;
        }
        attempt.result = std::string(result.sourceIn(text));
        const std::string shown = result["content"].items().empty()
            ? std::string()
            : result["content"].items()[0]["text"].text();
        attempt.errorText.clear();
        classifyAnswer(m_source.mapping, result["isError"].boolean() ? shown : std::string(),
            result["isError"].boolean(), attempt);
        if (attempt.outcome == OutcomeClass::Succeeded)
            readSuccess(result, shown, attempt);
    }

    void readSuccess(const Json &result, const std::string &shown, ImportedAttempt &attempt)
    {
        const Json *structured = result.find("structuredContent");
        const auto parsed = Json::parse(shown);
        const Json &answer = structured != nullptr ? *structured : parsed ? *parsed : result;
        attempt.reference = m_source.mapping.referenceIn(attempt.tool, answer);
        const Json *replayed = metaField(result["_meta"], {"replayed"});
        bool isReplay = replayed != nullptr && replayed->boolean();
        for (const std::string &mark : m_source.mapping.replayMarks) {
            const Json *value = result.at(mark);
            isReplay = isReplay || (value != nullptr && value->boolean());
        }
        if (isReplay)
            attempt.kind = AttemptKind::Replayed;
    }

    /// JSON-RPC 2.0, section 5.1: invalid request, method or parameters never reached the tool.
    static void protocolError(const Json &error, ImportedAttempt &attempt)
    {
        attempt.errorText = error["message"].text();
        const auto code = error["code"].integer().value_or(0);
        const bool neverRan = code == -32600 || code == -32601 || code == -32602 || code == -32700;
        attempt.outcome = neverRan ? OutcomeClass::Declined : OutcomeClass::Unknown;
        if (!neverRan)
            attempt.kind = AttemptKind::InDoubt;
    }

    void finish()
    {
        for (const auto &[name, call] : m_calls) {
            if (call.answered || call.cancelled)
                continue;
            ImportedAttempt &attempt = attemptOf(call);
            attempt.kind = AttemptKind::InDoubt;
            attempt.errorText = "the record ends without an answer";
        }
    }

    const ImportSource &m_source;
    ImportBatch m_batch;
    std::map<std::string, std::size_t> m_runs;
    std::map<std::string, Call> m_calls;
    std::map<std::string, bool> m_inputRequired;
};

} // namespace

Result<ImportBatch> readMcp(const ImportSource &source)
{
    return McpReader(source).read();
}

} // namespace reprise

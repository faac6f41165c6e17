// MCP traffic: JSON-RPC messages, bare or wrapped as {ts, dir, msg}. Format notes: the protocol's
// specification, versions 2024-11-05 to 2026-07-28.

#include "core/import/formats.h"
#include "core/import/mcp_message.h"

#include <map>

namespace reprise {

namespace {

constexpr std::size_t kReasonShown = 200; ///< of a reason in a note; the whole one stands beside it

void addNote(ImportedAttempt &attempt, const std::string &note)
{
    attempt.note += (attempt.note.empty() ? "" : "; ") + note;
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
        RETURN_IF_ERROR(forEachRecord(
            m_source, [this](const Json &json, std::string_view text, const std::string &locator) {
                return record(json, text, locator);
            }));
        finish();
        return std::move(m_batch);
    }

private:
    /// A call and what is known of its fate so far.
    struct Call
    {
        std::size_t run = 0;
        std::size_t attempt = 0;
        bool answered = false;
        bool gaveUp = false;
        std::optional<std::string> asked {}; ///< request state of the question it was answered with
    };

    Result<void> record(const Json &json, std::string_view text, const std::string &locator)
    {
        const bool wrapped = json["msg"].isObject() || json["msg"].isArray();
        const Json &message = wrapped ? json["msg"] : json;
        if (!message.isObject() && !message.isArray())
            return fail(
                ErrorCode::InvalidInput, "is no JSON-RPC message", placeOf(m_source, locator));
        std::optional<Time> at;
        if (wrapped && json.find("ts") != nullptr) {
            at = Time::parse(json["ts"].text());
            if (!at)
                ++m_badTimes;
        }
        const std::string &direction = json["dir"].text();
        if (message.isObject())
            one({message, text, wrapped ? direction : std::string(), at, locator});
        for (const Json &item : message.items()) // a batch, protocol 2025-03-26
            one({item, text, wrapped ? direction : std::string(), at, locator});
        return {};
    }

    void one(const McpMessage &message)
    {
        const McpSide sender = m_sides.senderOf(message);
        const std::string &method = message.json["method"].text();
        const Json &params = message.json["params"];
        const Json *id = message.json.find("id");
        if (method == "notifications/cancelled") {
            if (const auto open = m_open.find(callName(sender, params["requestId"]));
                open != m_open.end())
                giveUp(open->second, params["reason"].text(), message.at);
        } else if (id == nullptr) {
            return;
        } else if (method.empty()) {
            answer(message, callName(opposite(sender), *id));
        } else {
            const std::string name = callName(sender, *id);
            // A new session may use an id again: from here on it belongs to the new request.
            m_open.erase(name);
            request(message, method, name);
        }
    }

    void request(const McpMessage &message, const std::string &method, const std::string &name)
    {
        const Json &params = message.json["params"];
        if (method == "tools/call") {
            const auto same = continued(params);
            m_open[name] = same ? *same : newCall(message);
        } else if (const auto task = m_tasks.find(params["taskId"].text()); task != m_tasks.end()) {
            if (method == "tasks/result")
                m_open[name] = task->second;
            else if (method == "tasks/cancel")
                giveUp(task->second, "the task was cancelled", message.at);
        }
    }

    /// Ids are unique only within a connection's direction, and 1 is not "1".
    static std::string callName(McpSide requester, const Json &id)
    {
        return (requester == McpSide::Client ? "client " : "server ") + id.dump();
    }

    ImportedAttempt &attemptOf(const Call &call)
    {
        return m_batch.runs[call.run].attempts[call.attempt];
    }

    std::size_t runNamed(const std::string &id, bool named)
    {
        const auto [found, added] = m_runs.emplace(id, m_batch.runs.size());
        if (added)
            m_batch.runs.push_back({id, "MCP session", named, {}});
        return found->second;
    }

    std::size_t newCall(const McpMessage &message)
    {
        const Json &params = message.json["params"];
        const Json &meta = params["_meta"];
        ImportedAttempt attempt;
        attempt.callId = message.json["id"].text();
        attempt.tool = params["name"].text();
        const Json *args = params.find("arguments");
        attempt.args = args == nullptr ? "{}" : std::string(args->sourceIn(message.text));
        attempt.startedAt = message.at;
        attempt.locator = message.locator;
        attempt.contentType = "application/json";
        // In doubt until an answer says otherwise.
        attempt.kind = AttemptKind::InDoubt;
        attempt.errorText = "the record ends without an answer";
        if (mcpContinues(params))
            addNote(attempt, "continues a call whose beginning is not in the record");
        if (const Json *seq = mcpMeta(meta, {"seq"}); seq != nullptr) {
            attempt.seq = mcpSeq(*seq);
            if (!attempt.seq)
                ++m_badSeqs;
        }
        for (const Json *key : {mcpMeta(meta, {"idempotencyKey", "idempotency_key"}),
                 params["arguments"].find("idempotency_key")})
            if (key != nullptr && key->isString() && attempt.sentKey.empty())
                attempt.sentKey = key->text();
        const Json *name = mcpMeta(meta, {"runId", "run_id"});
        const bool named = name != nullptr && !name->text().empty();
        const std::size_t run = runNamed(named ? asRunId(name->text()) : m_source.runName, named);
        m_batch.runs[run].attempts.push_back(std::move(attempt));
        m_calls.push_back({run, m_batch.runs[run].attempts.size() - 1});
        return m_calls.size() - 1;
    }

    /// Protocol 2026-07-28: a call that was answered with a question is sent again with the inputs
    /// and a new id. It is the same call, not a second one. The newest that fits.
    std::optional<std::size_t> continued(const Json &params)
    {
        if (!mcpContinues(params))
            return std::nullopt;
        const std::string args
            = params.find("arguments") == nullptr ? "{}" : params["arguments"].canonical();
        for (std::size_t i = m_calls.size(); i-- > 0;) {
            Call &call = m_calls[i];
            const ImportedAttempt &attempt = attemptOf(call);
            if (call.answered || call.asked != params["requestState"].text()
                || attempt.tool != params["name"].text())
                continue;
            if (const auto asked = Json::parse(attempt.args); !asked || asked->canonical() != args)
                continue;
            call.asked.reset();
            return i;
        }
        return std::nullopt;
    }

    void giveUp(std::size_t index, const std::string &reason, std::optional<Time> at)
    {
        Call &call = m_calls[index];
        if (call.answered || call.gaveUp)
            return;
        call.gaveUp = true;
        ImportedAttempt &attempt = attemptOf(call);
        attempt.endedAt = at;
        attempt.errorText = reason.empty() ? "cancelled by the caller" : reason;
        addNote(attempt,
            "cancelled by the caller" + (at ? " at " + at->rfc3339() : std::string())
                + (reason.empty() ? "" : " (" + printable(reason, kReasonShown) + ")")
                + "; the server may have carried it out");
    }

    void answer(const McpMessage &message, const std::string &name)
    {
        const Json &result = message.json["result"];
        const Json *error = message.json.find("error");
        if (result["tools"].isArray())
            readHints(result["tools"]);
        const auto open = m_open.find(name);
        if (open == m_open.end()) {
            if (isMcpToolResult(result))
                ++m_unasked;
            return;
        }
        Call &call = m_calls[open->second];
        ImportedAttempt &attempt = attemptOf(call);
        const Json &kept = error != nullptr ? *error : result;
        const std::string bytes(kept.sourceIn(message.text));
        if (call.answered) {
            // A transport may deliver an answer again; another answer is a contradiction.
            if (attempt.result != bytes)
                addNote(attempt, "answered again, differently, at " + message.locator);
            return;
        }
        if (error == nullptr && isPending(open->second, result))
            return;
        attempt.result = bytes;
        attempt.endedAt = message.at;
        if (error == nullptr && !isMcpToolResult(result)) {
            attempt.errorText = "its answer is not the result of a tool";
            return;
        }
        call.answered = true;
        attempt.kind = AttemptKind::Executed;
        attempt.errorText.clear();
        if (call.gaveUp)
            addNote(attempt,
                "answered after the caller had given up: the caller never saw this answer");
        if (error != nullptr)
            protocolError(*error, attempt);
        else
            toolResult(result, attempt);
    }

    /// An answer that is not the call's end: a question, or a promise (a task, 2025-11-25).
    bool isPending(std::size_t index, const Json &result)
    {
        ImportedAttempt &attempt = attemptOf(m_calls[index]);
        if (result["resultType"].text() == "input_required") {
            m_calls[index].asked = result["requestState"].text();
            attempt.errorText = "the tool asked for input that it was never given";
            return true;
        }
        if (result["task"].isObject() && result.find("content") == nullptr) {
            m_tasks[result["task"]["taskId"].text()] = index;
            attempt.errorText = "the result of its task is not in the record";
            return true;
        }
        return false;
    }

    void toolResult(const Json &result, ImportedAttempt &attempt)
    {
        const std::string shown = mcpText(result);
        const bool isError = result["isError"].boolean();
        // What is not flagged is a success, whatever its text begins with.
        classifyAnswer(m_source.mapping, isError ? shown : std::string(), isError, attempt);
        if (attempt.outcome == OutcomeClass::Unknown)
            return;
        const Json *structured = result.find("structuredContent");
        const auto parsed = structured == nullptr ? Json::parse(shown) : Result<Json>(*structured);
        const Json &answer = parsed ? *parsed : result;
        if (attempt.outcome == OutcomeClass::Succeeded)
            attempt.reference = m_source.mapping.referenceIn(attempt.tool, answer);
        const Json *replayed = mcpMeta(result["_meta"], {"replayed"});
        bool isReplay = replayed != nullptr && replayed->boolean();
        for (const std::string &mark : m_source.mapping.replayMarks)
            for (const Json *holder : {&result, &answer})
                if (const Json *value = holder->at(mark); value != nullptr)
                    isReplay = isReplay || value->boolean();
        if (isReplay)
            attempt.kind = AttemptKind::Replayed;
    }

    void protocolError(const Json &error, ImportedAttempt &attempt)
    {
        attempt.errorText = error["message"].text();
        const auto code = error["code"].integer();
        attempt.outcome = code ? m_source.mapping.outcomeOfCode(*code) : OutcomeClass::Unknown;
        if (attempt.outcome == OutcomeClass::Unknown)
            attempt.kind = AttemptKind::InDoubt;
    }

    /// What the server says about its tools. A tool that was ever said to have an effect has one.
    void readHints(const Json &tools)
    {
        for (const Json &tool : tools.items()) {
            const Json *hint = tool["annotations"].find("readOnlyHint");
            if (hint == nullptr || hint->kind() != Json::Kind::Bool)
                continue;
            const auto [found, added] = m_readOnly.emplace(tool["name"].text(), hint->boolean());
            found->second = found->second && hint->boolean();
        }
    }

    void finish()
    {
        for (ImportedRun &run : m_batch.runs)
            for (ImportedAttempt &attempt : run.attempts)
                if (const auto hint = m_readOnly.find(attempt.tool); hint != m_readOnly.end())
                    attempt.readOnlyHint = hint->second;
        warn(m_unasked, "tool results answer no call in the record and were passed over");
        warn(m_badTimes, "messages have a \"ts\" that is no RFC 3339 time with a zone");
        warn(m_badSeqs,
            "calls name a seq that is no whole number from 0; each is an action of its own");
    }

    void warn(int count, const char *what)
    {
        if (count > 0)
            m_batch.warnings.push_back(m_source.path + ": " + std::to_string(count) + " " + what);
    }

    const ImportSource &m_source;
    ImportBatch m_batch {};
    McpSides m_sides {};
    std::map<std::string, std::size_t> m_runs {};
    std::vector<Call> m_calls {}; ///< every call, in order of appearance
    std::map<std::string, std::size_t> m_open {}; ///< whose answer an id stands for now
    std::map<std::string, std::size_t> m_tasks {}; ///< calls that were answered with a task
    std::map<std::string, bool> m_readOnly {};
    int m_unasked = 0;
    int m_badTimes = 0;
    int m_badSeqs = 0;
};

} // namespace

Result<ImportBatch> readMcp(const ImportSource &source)
{
    return McpReader(source).read();
}

} // namespace reprise

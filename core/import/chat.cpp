// Chat trajectories: tau-bench (OpenAI tool calls, arguments as text), tau2-bench (arguments as
// objects), and a plain list of messages.

#include "core/import/formats.h"

namespace reprise {

namespace {

/// What was passed over or assumed in a whole file.
struct Remarks
{
    int usersCalls = 0;
    int unasked = 0;
    int naiveTimes = 0;

    void addTo(ImportBatch &batch, const std::string &path) const
    {
        const auto add = [&](int count, const char *what) {
            if (count > 0)
                batch.warnings.push_back(path + ": " + std::to_string(count) + " " + what);
        };
        add(usersCalls, "calls of the user's own tools were passed over");
        add(unasked, "answers belong to no call and were passed over");
        add(naiveTimes, "times have no zone and are taken as UTC");
    }
};

/// The text of a message: a string, or a list of parts.
std::string textOf(const Json &content, std::string_view source)
{
    if (content.isNull() || content.isString())
        return content.text();
    std::string text;
    for (const Json &part : content.items()) {
        if (!part["text"].isString())
            return std::string(content.sourceIn(source));
        text += part["text"].text();
    }
    return content.isArray() ? text : std::string(content.sourceIn(source));
}

/// The messages of one run, in order, as attempts.
class Conversation
{
public:
    Conversation(
        const ImportMapping &mapping, Remarks &remarks, std::string runId, std::string label)
        : m_mapping(mapping)
        , m_remarks(remarks)
    {
        m_run.runId = std::move(runId);
        m_run.label = std::move(label);
    }

    /// `source` is the text that the message was parsed from.
    void add(const Json &message, std::string_view source, const std::string &locator)
    {
        const auto at = time(message);
        if (message["role"].text() == "tool") {
            answer(message, source, at);
            return;
        }
        const Json &calls = message["tool_calls"];
        for (std::size_t i = 0; i < calls.items().size(); ++i)
            call(calls.items()[i], message, source, at,
                locator + "/tool_calls/" + std::to_string(i));
    }

    /// The run; calls that were never answered are in doubt.
    ImportedRun finish() { return std::move(m_run); }

private:
    /// Times without a zone are taken as UTC; the source does not say which they are.
    std::optional<Time> time(const Json &message)
    {
        const std::string &text = message["timestamp"].text();
        const auto exact = Time::parse(text);
        if (exact)
            return exact;
        const auto naive = Time::parseNaive(text);
        if (naive)
            ++m_remarks.naiveTimes;
        return naive;
    }

    static bool isUsers(const Json &call, const Json &message)
    {
        return call["requestor"].text() == "user" || message["role"].text() == "user";
    }

    void call(const Json &call, const Json &message, std::string_view source,
        std::optional<Time> at, const std::string &locator)
    {
        if (isUsers(call, message)) {
            ++m_remarks.usersCalls;
            return;
        }
        const Json &function = call["function"].isObject() ? call["function"] : call;
        ImportedAttempt attempt;
        attempt.callId = call["id"].text();
        attempt.tool = function["name"].text();
        const Json &args = function["arguments"];
        attempt.args = args.isString() ? args.text()
            : args.isNull()            ? "{}"
                                       : std::string(args.sourceIn(source));
        attempt.startedAt = at;
        attempt.locator = locator;
        // In doubt until an answer says otherwise.
        attempt.kind = AttemptKind::InDoubt;
        attempt.errorText = "the record ends without an answer";
        m_run.attempts.push_back(std::move(attempt));
        m_answered.push_back(false);
    }

    void answer(const Json &message, std::string_view source, std::optional<Time> at)
    {
        if (message["requestor"].text() == "user")
            return;
        const std::string &id = message["tool_call_id"].isNull() ? message["id"].text()
                                                                 : message["tool_call_id"].text();
        // Ids are used again within a run: an answer belongs to the nearest call before it that has
        // none.
        for (std::size_t i = m_run.attempts.size(); i-- > 0;) {
            if (m_answered[i] || m_run.attempts[i].callId != id)
                continue;
            m_answered[i] = true;
            settle(m_run.attempts[i], message, textOf(message["content"], source), at);
            return;
        }
        ++m_remarks.unasked;
    }

    void settle(ImportedAttempt &attempt, const Json &message, const std::string &text,
        std::optional<Time> at)
    {
        attempt.result = text;
        attempt.endedAt = at;
        attempt.kind = AttemptKind::Executed;
        attempt.errorText.clear();
        classifyAnswer(m_mapping, text, message["error"].boolean(), attempt);
        const auto json = Json::parse(text);
        attempt.contentType = json ? "application/json" : "text/plain";
        if (attempt.outcome == OutcomeClass::Succeeded && json)
            attempt.reference = m_mapping.referenceIn(attempt.tool, *json);
    }

    const ImportMapping &m_mapping;
    Remarks &m_remarks;
    ImportedRun m_run {};
    std::vector<bool> m_answered {};
};

/// Reads runs that stand in a file by number; their ids are kept apart where a file repeats one.
class Trajectories
{
public:
    Trajectories(const ImportSource &source, const char *format)
        : m_source(source)
    {
        m_batch.format = format;
    }

    void add(const Json &messages, std::string_view text, const std::string &locator,
        const std::string &name, const std::string &label)
    {
        std::string id = asRunId(name);
        for (int n = 2; !m_ids.insert(id).second; ++n)
            id = asRunId(name + " (" + std::to_string(n) + ")");
        if (id != asRunId(name))
            m_batch.warnings.push_back(placeOf(m_source, locator) + ": the run " + printable(name)
                + " stands here again and is imported as \"" + id + "\"");
        Conversation conversation(m_source.mapping, m_remarks, std::move(id), label);
        for (std::size_t i = 0; i < messages.items().size(); ++i)
            conversation.add(messages.items()[i], text, locator + "/" + std::to_string(i));
        m_batch.runs.push_back(conversation.finish());
    }

    ImportBatch finish()
    {
        m_remarks.addTo(m_batch, m_source.path);
        return std::move(m_batch);
    }

private:
    const ImportSource &m_source;
    ImportBatch m_batch {};
    Remarks m_remarks {};
    std::set<std::string> m_ids {};
};

bool isNumberOrText(const Json &json)
{
    return json.isNumber() || (json.isString() && !json.text().empty());
}

} // namespace

Result<ImportBatch> readTauBench(const ImportSource &source)
{
    Trajectories runs(source, "tau-bench");
    RETURN_IF_ERROR(forEachRecord(source,
        [&](const Json &run, std::string_view text, const std::string &locator) -> Result<void> {
            if (!run["traj"].isArray() || !isNumberOrText(run["task_id"])
                || !isNumberOrText(run["trial"]))
                return fail(ErrorCode::InvalidInput,
                    "a run of tau-bench has \"task_id\", \"trial\" and \"traj\"",
                    placeOf(source, locator));
            const std::string &task = run["task_id"].text();
            const std::string &trial = run["trial"].text();
            std::string id = task;
            id += "/" + trial;
            runs.add(run["traj"], text, locator + "/traj", id,
                "tau-bench task " + task + ", trial " + trial);
            return {};
        }));
    return runs.finish();
}

Result<ImportBatch> readTau2Bench(const ImportSource &source)
{
    constexpr std::size_t kIdShown = 8; // of the simulation's UUID: task and trial repeat by domain
    Trajectories runs(source, "tau2-bench");
    RETURN_IF_ERROR(forEachRecord(source,
        [&](const Json &run, std::string_view text, const std::string &locator) -> Result<void> {
            if (!run["messages"].isArray() || !isNumberOrText(run["task_id"])
                || !isNumberOrText(run["trial"]))
                return fail(ErrorCode::InvalidInput,
                    "a simulation of tau2-bench has \"task_id\", \"trial\" and \"messages\"",
                    placeOf(source, locator));
            const std::string &task = run["task_id"].text();
            const std::string &trial = run["trial"].text();
            std::string id = task;
            id += "/" + trial;
            if (isNumberOrText(run["id"]))
                id += "/" + run["id"].text().substr(0, kIdShown);
            runs.add(run["messages"], text, locator + "/messages", id,
                "tau2-bench task " + task + ", trial " + trial);
            return {};
        }));
    return runs.finish();
}

Result<ImportBatch> readChat(const ImportSource &source)
{
    Remarks remarks;
    Conversation conversation(source.mapping, remarks, source.runName, "chat");
    RETURN_IF_ERROR(forEachRecord(source,
        [&](const Json &message, std::string_view text,
            const std::string &locator) -> Result<void> {
            if (!message.isObject())
                return fail(
                    ErrorCode::InvalidInput, "is no chat message", placeOf(source, locator));
            conversation.add(message, text, locator);
            return {};
        }));
    ImportBatch batch {"chat", {}, {}};
    batch.runs.push_back(conversation.finish());
    remarks.addTo(batch, source.path);
    return batch;
}

} // namespace reprise

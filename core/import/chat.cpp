// Chat trajectories: tau-bench (OpenAI tool calls, arguments as text), tau2-bench (arguments as
// objects), and a plain list of messages.

#include "core/import/formats.h"

namespace reprise {

namespace {

/// The messages of one run, in order, as attempts.
class Conversation
{
public:
    Conversation(
        const ImportSource &source, std::string runId, std::string label, std::string locator)
        : m_source(source)
        , m_locator(std::move(locator))
    {
        m_run.runId = std::move(runId);
        m_run.label = std::move(label);
    }

    void add(const Json &message, std::size_t index)
    {
        const std::string place = m_locator + "/" + std::to_string(index);
        const auto at = time(message);
        if (message["role"].text() == "tool") {
            answer(message, at);
            return;
        }
        const Json &calls = message["tool_calls"];
        for (std::size_t i = 0; i < calls.items().size(); ++i)
            call(calls.items()[i], message, at, place + "/tool_calls/" + std::to_string(i));
    }

    /// The run; calls that were never answered are in doubt.
    ImportedRun finish(std::vector<std::string> &warnings)
    {
        for (std::size_t i = 0; i < m_run.attempts.size(); ++i) {
            if (m_answered[i])
                continue;
            m_run.attempts[i].kind = AttemptKind::InDoubt;
            m_run.attempts[i].errorText = "the record ends without an answer";
        }
        if (m_usersCalls > 0)
            warnings.push_back("run " + m_run.runId + ": " + std::to_string(m_usersCalls)
                + " calls of the user's own tools were passed over");
        return std::move(m_run);
    }

private:
    /// Times without a zone are taken as UTC; the source does not say which they are.
    static std::optional<Time> time(const Json &message)
    {
        const std::string &text = message["timestamp"].text();
        const auto exact = Time::parse(text);
        return exact ? exact : Time::parseNaive(text);
    }

    void call(
        const Json &call, const Json &message, std::optional<Time> at, const std::string &place)
    {
        if (call["requestor"].text() == "user" || message["role"].text() == "user") {
            ++m_usersCalls;
            return;
        }
        const Json &function = call["function"].isObject() ? call["function"] : call;
        ImportedAttempt attempt;
        attempt.callId = call["id"].text();
        attempt.tool = function["name"].text();
        const Json &args = function["arguments"];
        attempt.args = args.isString() ? args.text()
            : args.isNull()            ? "{}"
                                       : std::string(args.sourceIn(m_source.bytes));
        attempt.startedAt = at;
        attempt.locator = place;
        m_run.attempts.push_back(std::move(attempt));
        m_answered.push_back(false);
    }

    void answer(const Json &message, std::optional<Time> at)
    {
        const std::string &id = message["tool_call_id"].isNull() ? message["id"].text()
                                                                 : message["tool_call_id"].text();
        // Ids are used again within a run: an answer belongs to the nearest call before it that has
        // none.
        for (std::size_t i = m_run.attempts.size(); i-- > 0;) {
            if (m_answered[i] || m_run.attempts[i].callId != id)
                continue;
            m_answered[i] = true;
            ImportedAttempt &attempt = m_run.attempts[i];
            const std::string &text = message["content"].text();
            attempt.result = text;
            attempt.endedAt = at;
            attempt.kind = AttemptKind::Executed;
            classifyAnswer(m_source.mapping, text, message["error"].boolean(), attempt);
            const auto json = Json::parse(text);
            attempt.contentType = json ? "application/json" : "text/plain";
            if (attempt.outcome == OutcomeClass::Succeeded && json)
                attempt.reference = m_source.mapping.referenceIn(attempt.tool, *json);
            return;
        }
    }

    const ImportSource &m_source;
    std::string m_locator;
    ImportedRun m_run;
    std::vector<bool> m_answered;
    int m_usersCalls = 0;
};

ImportedRun readMessages(const ImportSource &source, const Json &messages, std::string runId,
    std::string label, std::string locator, std::vector<std::string> &warnings)
{
    Conversation conversation(source, std::move(runId), std::move(label), std::move(locator));
    for (std::size_t i = 0; i < messages.items().size(); ++i)
        conversation.add(messages.items()[i], i);
    return conversation.finish(warnings);
}

Error shapeError(const ImportSource &source, const std::string &what)
{
    return Error {ErrorCode::InvalidInput, what, source.path, {}};
}

} // namespace

Result<ImportBatch> readTauBench(const ImportSource &source, const Json &document)
{
    ImportBatch batch {"tau-bench", {}, {}};
    if (!document.isArray())
        return tl::unexpected(shapeError(source, "a tau-bench file is a list of runs"));
    for (std::size_t i = 0; i < document.items().size(); ++i) {
        const Json &run = document.items()[i];
        const std::string place = "/" + std::to_string(i);
        if (!run["traj"].isArray() || !run["task_id"].isNumber())
            return tl::unexpected(
                shapeError(source, "the run at " + place + " has no \"task_id\" or \"traj\""));
        const std::string id = run["task_id"].text() + "/" + run["trial"].text();
        batch.runs.push_back(readMessages(source, run["traj"], asRunId(id),
            "tau-bench task " + run["task_id"].text() + ", trial " + run["trial"].text(),
            place + "/traj", batch.warnings));
    }
    return batch;
}

Result<ImportBatch> readTau2Bench(const ImportSource &source, const Json &document)
{
    ImportBatch batch {"tau2-bench", {}, {}};
    const Json &runs = document["simulations"];
    if (!runs.isArray())
        return tl::unexpected(
            shapeError(source, "a tau2-bench file holds \"simulations\", a list"));
    for (std::size_t i = 0; i < runs.items().size(); ++i) {
        const Json &run = runs.items()[i];
        const std::string place = "/simulations/" + std::to_string(i);
        if (!run["messages"].isArray())
            return tl::unexpected(
                shapeError(source, "the run at " + place + " has no \"messages\""));
        const std::string id = run["task_id"].text() + "/" + run["trial"].text() + "/"
            + run["id"].text().substr(0, 8);
        batch.runs.push_back(readMessages(source, run["messages"], asRunId(id),
            "tau2-bench task " + run["task_id"].text() + ", trial " + run["trial"].text(),
            place + "/messages", batch.warnings));
    }
    return batch;
}

Result<ImportBatch> readChat(const ImportSource &source, const Json &document)
{
    ImportBatch batch {"chat", {}, {}};
    if (!document.isArray())
        return tl::unexpected(shapeError(source, "a chat is a list of messages"));
    batch.runs.push_back(
        readMessages(source, document, source.runName, "chat", {}, batch.warnings));
    return batch;
}

} // namespace reprise

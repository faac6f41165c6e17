#include "core/import/mcp_message.h"

#include "core/model/ids.h"

namespace reprise {

namespace {

/// Requests that only servers send; `ping` is sent by either and counts as the server's, because
/// taking its empty answer for a tool's would be the worse mistake.
bool isServersMethod(const std::string &method)
{
    return method == "sampling/createMessage" || method == "elicitation/create"
        || method == "roots/list" || method == "ping";
}

} // namespace

McpSide opposite(McpSide side)
{
    return side == McpSide::Client ? McpSide::Server : McpSide::Client;
}

McpSide McpSides::senderOf(const McpMessage &message)
{
    if (message.direction == "client->server")
        return McpSide::Client;
    if (message.direction == "server->client")
        return McpSide::Server;
    return guess(message.json);
}

McpSide McpSides::guess(const Json &message)
{
    const std::string &method = message["method"].text();
    const std::string id = message["id"].dump();
    if (!method.empty()) {
        if (!isServersMethod(method))
            return McpSide::Client;
        m_asked.insert(id);
        return McpSide::Server;
    }
    const Json &result = message["result"];
    const bool isClients = result.find("role") != nullptr // a sampling
        || result.find("action") != nullptr // an elicitation
        || result.find("roots") != nullptr;
    const bool isEithers = message.find("error") != nullptr
        || (result.isObject() && result.members().empty()); // of a ping
    const bool wasAsked = (isClients || isEithers) && m_asked.erase(id) > 0;
    return isClients || wasAsked ? McpSide::Client : McpSide::Server;
}

const Json *mcpMeta(const Json &meta, std::initializer_list<std::string_view> words)
{
    for (const auto &[name, value] : meta.members())
        for (const std::string_view word : words)
            if (name == word
                || (name.ends_with(word) && name[name.size() - word.size() - 1] == '/'))
                return &value;
    return nullptr;
}

std::optional<std::int64_t> mcpSeq(const Json &value)
{
    if (value.isString()) {
        const auto seq = Seq::parse(value.text());
        return seq ? std::optional(seq->value()) : std::nullopt;
    }
    const auto number = value.integer();
    return number && *number >= 0 ? number : std::nullopt;
}

bool mcpContinues(const Json &params)
{
    return params.find("inputResponses") != nullptr || params.find("requestState") != nullptr;
}

bool isMcpToolResult(const Json &result)
{
    return result["content"].isArray() || result.find("structuredContent") != nullptr
        || result.find("isError") != nullptr;
}

std::string mcpText(const Json &result)
{
    std::string text;
    for (const Json &item : result["content"].items())
        if (item["text"].isString())
            text += (text.empty() ? "" : "\n") + item["text"].text();
    return text;
}

} // namespace reprise

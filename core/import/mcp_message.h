#pragma once

#include "core/base/clock.h"
#include "core/base/json.h"

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>

/// Single messages of the Model Context Protocol: who sent one, and what its fields say.
namespace reprise {

enum class McpSide { Client, Server };

[[nodiscard]] McpSide opposite(McpSide side);

/// One JSON-RPC message of a capture.
struct McpMessage
{
    const Json &json;
    std::string_view text; ///< the text that `json` was parsed from
    std::string direction; ///< as the capture has it; empty where it does not say
    std::optional<Time> at;
    const std::string &locator;
};

/// Tells who sent a message. Client and server number their requests independently, so an id alone
/// does not say what it answers. A capture without directions is told by methods and by the shape
/// of results; where an error could answer either side's request it is taken for the client's,
/// which leaves the tool call in doubt.
class McpSides
{
public:
    [[nodiscard]] McpSide senderOf(const McpMessage &message);

private:
    [[nodiscard]] McpSide guess(const Json &message);
    std::set<std::string> m_asked {}; ///< ids of the server's requests that are not answered yet
};

/// The member of `_meta` whose vendor-prefixed name ends in one of these words
/// ("com.example/runId"), or nullptr.
[[nodiscard]] const Json *mcpMeta(const Json &meta, std::initializer_list<std::string_view> words);

/// A seq as a number, or as decimal text (64-bit numbers travel so).
[[nodiscard]] std::optional<std::int64_t> mcpSeq(const Json &value);

/// Does a request with these params go on with a call that was answered with a question?
[[nodiscard]] bool mcpContinues(const Json &params);

/// Has this result the shape of a tool's?
[[nodiscard]] bool isMcpToolResult(const Json &result);

/// The text items of a tool's result, one a line.
[[nodiscard]] std::string mcpText(const Json &result);

} // namespace reprise

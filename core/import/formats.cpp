#include "core/import/formats.h"

#include <filesystem>

namespace reprise {

namespace {

constexpr const char *kKnownFormats = "mcp, tau-bench, tau2-bench, chat or jsonl";

bool isRpcMessage(const Json &json)
{
    if (!json["jsonrpc"].isNull() || json["msg"].isObject())
        return true;
    return json["msg"].isArray();
}

/// The format by what the file holds, never by its name. `document` is the whole file where it is
/// one JSON value, else null.
std::string recognise(std::string_view bytes, const Json *document)
{
    if (document != nullptr) {
        if (document->isObject() && document->find("simulations") != nullptr)
            return "tau2-bench";
        const Json first
            = document->isArray() && !document->items().empty() ? document->items()[0] : *document;
        if (first.find("traj") != nullptr)
            return "tau-bench";
        if (isRpcMessage(first))
            return "mcp";
        if (first.find("run_id") != nullptr && first.find("tool") != nullptr)
            return "jsonl";
        if (document->isArray() && first.find("role") != nullptr)
            return "chat";
        return {};
    }
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos)
        return {};
    const auto line = Json::parse(bytes.substr(start, bytes.find('\n', start) - start));
    if (!line || !line->isObject())
        return {};
    if (isRpcMessage(*line))
        return "mcp";
    return line->find("run_id") != nullptr && line->find("tool") != nullptr ? "jsonl" : "";
}

} // namespace

Result<void> forEachLine(std::string_view bytes,
    const std::function<Result<void>(std::string_view line, std::size_t number)> &use)
{
    std::size_t number = 0;
    while (!bytes.empty()) {
        ++number;
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.find_first_not_of(" \t") != std::string_view::npos)
            RETURN_IF_ERROR(use(line, number));
    }
    return {};
}

std::string atLine(const std::string &path, std::size_t number)
{
    return path + ", line " + std::to_string(number);
}

std::string asRunId(const std::string &text)
{
    std::string id = printable(text, RunId::kBytesMax - 8);
    return id.empty() ? "unnamed" : id;
}

void classifyAnswer(const ImportMapping &mapping, const std::string &text, bool flaggedAsError,
    ImportedAttempt &attempt)
{
    if (!flaggedAsError && !mapping.looksLikeError(text)) {
        attempt.outcome = OutcomeClass::Succeeded;
        return;
    }
    attempt.errorText = text;
    attempt.outcome = mapping.outcomeOfError(text);
    if (attempt.outcome == OutcomeClass::Unknown)
        attempt.kind = AttemptKind::InDoubt;
}

Result<ImportBatch> readRecords(std::string_view bytes, const std::string &path,
    const std::string &format, const ImportMapping &mapping)
{
    if (bytes.starts_with("\xEF\xBB\xBF"))
        bytes.remove_prefix(3);
    const ImportSource source {
        bytes, path, asRunId(std::filesystem::path(path).stem().string()), mapping};
    const auto document = Json::parse(bytes, path);
    const std::string found = recognise(bytes, document ? &*document : nullptr);
    const std::string name = format.empty() ? found : format;
    if (name == "mcp")
        return readMcp(source);
    if (name == "jsonl")
        return readJsonLines(source);
    if (name != "tau-bench" && name != "tau2-bench" && name != "chat") {
        if (!format.empty())
            return fail(ErrorCode::InvalidInput, "unknown format \"" + printable(format) + "\"",
                path, std::string("use ") + kKnownFormats);
        // A file that looks like one JSON value but is broken: say where, not only that it is
        // unknown.
        const std::size_t start = bytes.find_first_not_of(" \t\r\n");
        if (!document && start != std::string_view::npos
            && (bytes[start] == '{' || bytes[start] == '['))
            return tl::unexpected(document.error());
        return fail(ErrorCode::InvalidInput, "holds no records of a known format", path,
            std::string("known formats: ") + kKnownFormats);
    }
    if (!document)
        return tl::unexpected(document.error());
    if (name == "tau-bench")
        return readTauBench(source, *document);
    return name == "chat" ? readChat(source, *document) : readTau2Bench(source, *document);
}

} // namespace reprise

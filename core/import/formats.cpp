#include "core/import/formats.h"

#include "core/base/sha256.h"

#include <algorithm>
#include <filesystem>

namespace reprise {

namespace {

constexpr const char *kKnownFormats = "mcp, tau-bench, tau2-bench, chat or jsonl";
constexpr std::size_t kRecordsLookedAt = 20; ///< by how many the format is recognised

/// What a file holds: its format, and a pointer to the list of records where they stand in one.
struct Shape
{
    std::string format {};
    std::string list {};
};

bool isRpcMessage(const Json &json)
{
    return json.isArray() ? !json.items().empty() && isRpcMessage(json.items()[0])
                          : json["jsonrpc"].text() == "2.0";
}

/// The format that one record is of; empty where it is of none.
std::string formatOf(const Json &record)
{
    if (isRpcMessage(record) || isRpcMessage(record["msg"]))
        return "mcp";
    if (record["traj"].isArray())
        return "tau-bench";
    if (record.find("run_id") != nullptr && record.find("tool") != nullptr)
        return "jsonl";
    const bool speaks = record.find("content") != nullptr || record.find("tool_calls") != nullptr;
    return record["role"].isString() && speaks ? "chat" : "";
}

std::string formatOfList(const Json &list)
{
    const std::size_t count = std::min(list.items().size(), kRecordsLookedAt);
    for (std::size_t i = 0; i < count; ++i)
        if (std::string format = formatOf(list.items()[i]); !format.empty())
            return format;
    return {};
}

/// A member's name in a JSON pointer.
std::string escaped(const std::string &name)
{
    std::string out = "/";
    for (const char c : name) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}

Shape shapeOf(const Json &document)
{
    if (document.isArray())
        return {formatOfList(document)};
    if (document["simulations"].isArray())
        return {"tau2-bench", "/simulations"};
    if (std::string format = formatOf(document); !format.empty())
        return {format};
    for (const auto &[name, value] : document.members())
        if (std::string format = formatOfList(value); !format.empty())
            return {format, escaped(name)};
    return {};
}

/// Takes the next line off `bytes`, without its end.
std::string_view takeLine(std::string_view &bytes)
{
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Lines: the shape by the first that tell one. `isJson`: the first line is a JSON value.
Shape shapeOfLines(std::string_view bytes, bool &isJson)
{
    isJson = false;
    for (std::size_t seen = 0; !bytes.empty() && seen < kRecordsLookedAt;) {
        const std::string_view line = takeLine(bytes);
        if (isBlank(line))
            continue;
        const auto json = Json::parse(line);
        if (!json)
            return {};
        isJson = true;
        ++seen;
        if (std::string format = formatOf(*json); !format.empty())
            return {format};
    }
    return {};
}

Result<void> eachLine(const ImportSource &source, const UseRecord &use)
{
    std::string_view rest = source.bytes;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const std::string_view line = takeLine(rest);
        if (isBlank(line))
            continue;
        const std::string locator = "line " + std::to_string(number);
        auto json = Json::parse(line);
        if (!json) {
            // The parser counts from its own first line.
            Error error = json.error();
            error.where = placeOf(source, locator) + error.where.substr(error.where.find(" col"));
            return tl::unexpected(std::move(error));
        }
        RETURN_IF_ERROR(use(*json, line, locator));
    }
    return {};
}

Result<ImportBatch> readAs(const std::string &format, const ImportSource &source)
{
    if (format == "mcp")
        return readMcp(source);
    if (format == "tau-bench")
        return readTauBench(source);
    if (format == "tau2-bench")
        return readTau2Bench(source);
    if (format == "chat")
        return readChat(source);
    if (format == "jsonl")
        return readJsonLines(source);
    return fail(ErrorCode::InvalidInput, "unknown format \"" + printable(format) + "\"",
        source.path, std::string("use ") + kKnownFormats);
}

} // namespace

Result<void> forEachRecord(const ImportSource &source, const UseRecord &use)
{
    if (source.document == nullptr)
        return eachLine(source, use);
    const Json *list = source.document->at(source.list);
    if (list == nullptr || !list->isArray()) {
        const std::size_t start = source.bytes.find_first_not_of(" \t\r\n");
        const auto line = 1
            + std::count(source.bytes.begin(), source.bytes.begin() + std::ptrdiff_t(start), '\n');
        return use(*source.document, source.bytes, "line " + std::to_string(line));
    }
    for (std::size_t i = 0; i < list->items().size(); ++i)
        RETURN_IF_ERROR(use(list->items()[i], source.bytes, source.list + "/" + std::to_string(i)));
    return {};
}

std::string placeOf(const ImportSource &source, const std::string &locator)
{
    return source.path + ", " + locator;
}

std::string asRunId(const std::string &text)
{
    if (RunId::parse(text))
        return text;
    constexpr std::size_t kHexDigits = 8;
    constexpr std::size_t kTextMax = RunId::kBytesMax - kHexDigits - 8; // "…" and "#" beside it
    return printable(text, kTextMax) + "#" + Sha256::of(text).hex().substr(0, kHexDigits);
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
    const auto document = Json::parse(bytes, path);
    bool isLines = false;
    const Shape shape = document ? shapeOf(*document) : shapeOfLines(bytes, isLines);
    ImportSource source {bytes, path,
        asRunId(path == "-" ? "standard input" : std::filesystem::path(path).stem().string()),
        mapping, document ? &*document : nullptr, shape.list};
    if (!format.empty())
        return readAs(format, source);
    if (!shape.format.empty())
        return readAs(shape.format, source);
    // What looks like one JSON value but is broken: say where, not only that it is unknown.
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    if (!document && !isLines && start != std::string_view::npos
        && (bytes[start] == '{' || bytes[start] == '['))
        return tl::unexpected(document.error());
    return fail(ErrorCode::InvalidInput, "holds no records of a known format", path,
        std::string("known formats: ") + kKnownFormats);
}

} // namespace reprise

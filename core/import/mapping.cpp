#include "core/base/embedded.h"
#include "core/import/import.h"

#include <algorithm>
#include <array>

namespace reprise {

namespace {

/// Members of a mapping file; those of the last line are about statements and read elsewhere.
constexpr std::array<std::string_view, 10> kFields {"version", "read_only_prefixes",
    "error_prefixes", "error_rules", "replay_marks", "tools", //
    "columns", "sign", "unit", "decimal"};

std::string lower(std::string text)
{
    for (char &c : text)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return text;
}

Error invalid(std::string what, const std::string &where)
{
    return Error {ErrorCode::InvalidInput, std::move(what), where, {}};
}

/// Replaces `out` by the list of that name, where there is one.
Result<void> readTexts(
    const Json &json, const char *field, const std::string &where, std::vector<std::string> &out)
{
    const Json *list = json.find(field);
    if (list == nullptr)
        return {};
    out.clear();
    const bool isTexts = list->isArray()
        && std::all_of(list->items().begin(), list->items().end(),
            [](const Json &item) { return item.isString() && !item.text().empty(); });
    if (!isTexts)
        return tl::unexpected(
            invalid(std::string("\"") + field + "\" must be a list of texts", where));
    for (const Json &item : list->items())
        out.push_back(item.text());
    return {};
}

Result<ErrorRule> readRule(const Json &rule, const std::string &where)
{
    const auto outcome = outcomeFrom(rule["outcome"].text());
    const bool byText = rule["contains"].isString() && !rule["contains"].text().empty();
    const auto code = rule["code"].integer();
    if (!outcome || *outcome == OutcomeClass::Succeeded || byText == code.has_value()
        || rule.members().size() != 2)
        return tl::unexpected(invalid("an error rule is {\"contains\":TEXT or \"code\":NUMBER, "
                                      "\"outcome\":\"declined|not_sent|unknown\"}",
            where));
    return ErrorRule {lower(rule["contains"].text()), code, *outcome};
}

Result<void> readRules(const Json &json, const std::string &where, std::vector<ErrorRule> &out)
{
    const Json *list = json.find("error_rules");
    if (list == nullptr)
        return {};
    if (!list->isArray())
        return tl::unexpected(invalid("\"error_rules\" must be a list", where));
    out.clear();
    for (const Json &item : list->items()) {
        ASSIGN_OR_RETURN(ErrorRule rule, readRule(item, where));
        out.push_back(std::move(rule));
    }
    return {};
}

Result<void> readTools(
    const Json &json, const std::string &where, std::map<std::string, ToolContract> &out)
{
    const Json *tools = json.find("tools");
    if (tools == nullptr)
        return {};
    if (!tools->isObject())
        return tl::unexpected(invalid("\"tools\" must be {NAME:{…}}", where));
    for (const auto &[tool, fields] : tools->members()) {
        if (!fields.isObject())
            return tl::unexpected(
                invalid("tool \"" + printable(tool, 60) + "\" must be an object", where));
        Json named = fields;
        named.set("name", tool);
        ASSIGN_OR_RETURN(ToolContract contract, ToolContract::fromJson(named, where));
        out.insert_or_assign(tool, std::move(contract));
    }
    return {};
}

Result<ImportMapping> layOver(
    ImportMapping mapping, std::string_view text, const std::string &where)
{
    ASSIGN_OR_RETURN(const Json json, Json::parse(text, where));
    if (!json.isObject())
        return tl::unexpected(invalid("a mapping is {\"tools\":{NAME:{…}}}", where));
    // A misspelt name would silently lose a rule.
    for (const auto &[name, value] : json.members())
        if (std::find(kFields.begin(), kFields.end(), name) == kFields.end())
            return tl::unexpected(invalid("unknown field \"" + printable(name, 60) + "\"", where));
    if (json.find("version") != nullptr && json["version"].integer() != 1)
        return tl::unexpected(invalid("\"version\" of a mapping must be 1", where));
    RETURN_IF_ERROR(readTexts(json, "read_only_prefixes", where, mapping.readOnlyPrefixes));
    RETURN_IF_ERROR(readTexts(json, "error_prefixes", where, mapping.errorPrefixes));
    RETURN_IF_ERROR(readTexts(json, "replay_marks", where, mapping.replayMarks));
    for (const std::string &mark : mapping.replayMarks)
        if (!Json::isPointer(mark))
            return tl::unexpected(invalid(
                "\"replay_marks\" must hold JSON pointers, not " + printable(mark, 60), where));
    RETURN_IF_ERROR(readRules(json, where, mapping.errorRules));
    RETURN_IF_ERROR(readTools(json, where, mapping.tools));
    return mapping;
}

} // namespace

ImportMapping ImportMapping::builtIn()
{
    // Compiled in and covered by a test: it cannot be wrong at run time.
    return layOver({}, embedded::kImportMappingJson, "the built-in mapping")
        .value_or(ImportMapping {});
}

Result<ImportMapping> ImportMapping::parse(std::string_view text, const std::string &where)
{
    return layOver(builtIn(), text, where);
}

ToolContract ImportMapping::contractFor(
    const std::string &tool, std::optional<bool> readOnlyHint) const
{
    if (const auto named = tools.find(tool); named != tools.end())
        return named->second;
    ToolContract contract = ToolContract::undeclared(tool);
    const bool readOnlyByName = std::any_of(readOnlyPrefixes.begin(), readOnlyPrefixes.end(),
        [&](const std::string &prefix) { return tool.starts_with(prefix); });
    contract.sideEffect = !readOnlyHint.value_or(readOnlyByName);
    return contract;
}

bool ImportMapping::looksLikeError(const std::string &text) const
{
    return std::any_of(errorPrefixes.begin(), errorPrefixes.end(),
        [&](const std::string &prefix) { return text.starts_with(prefix); });
}

OutcomeClass ImportMapping::outcomeOfError(const std::string &text) const
{
    const std::string searched = lower(text);
    for (const ErrorRule &rule : errorRules)
        if (!rule.code && searched.find(rule.contains) != std::string::npos)
            return rule.outcome;
    return OutcomeClass::Declined;
}

OutcomeClass ImportMapping::outcomeOfCode(std::int64_t code) const
{
    for (const ErrorRule &rule : errorRules)
        if (rule.code == code)
            return rule.outcome;
    return OutcomeClass::Unknown;
}

std::string ImportMapping::referenceIn(const std::string &tool, const Json &answer) const
{
    const auto named = tools.find(tool);
    if (named == tools.end() || named->second.reference.empty())
        return {};
    const Json *value = answer.at(named->second.reference);
    return value != nullptr && (value->isString() || value->isNumber()) ? value->text()
                                                                        : std::string();
}

} // namespace reprise

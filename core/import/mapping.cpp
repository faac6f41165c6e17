#include "core/base/embedded.h"
#include "core/import/import.h"

#include <algorithm>

namespace reprise {

namespace {

std::string lower(std::string text)
{
    for (char &c : text)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return text;
}

Result<void> readTexts(
    const Json &json, const char *field, const std::string &where, std::vector<std::string> &out)
{
    for (const Json &item : json[field].items()) {
        if (!item.isString() || item.text().empty())
            return fail(ErrorCode::InvalidInput,
                std::string("\"") + field + "\" must be a list of texts", where);
        out.push_back(item.text());
    }
    return {};
}

} // namespace

ImportMapping ImportMapping::builtIn()
{
    // Compiled in and covered by a test: it cannot be wrong at run time.
    return parse(embedded::importMappingJson, "the built-in mapping").value_or(ImportMapping {});
}

Result<ImportMapping> ImportMapping::parse(std::string_view text, const std::string &where)
{
    ASSIGN_OR_RETURN(const Json json, Json::parse(text, where));
    if (!json.isObject() || !json["tools"].isObject())
        return fail(ErrorCode::InvalidInput, "a mapping is {\"tools\":{NAME:{…}}}", where);
    ImportMapping mapping;
    RETURN_IF_ERROR(readTexts(json, "read_only_prefixes", where, mapping.readOnlyPrefixes));
    RETURN_IF_ERROR(readTexts(json, "error_prefixes", where, mapping.errorPrefixes));
    RETURN_IF_ERROR(readTexts(json, "replay_marks", where, mapping.replayMarks));
    for (const Json &rule : json["error_rules"].items()) {
        const auto outcome = outcomeFrom(rule["outcome"].text());
        if (!outcome || rule["contains"].text().empty())
            return fail(ErrorCode::InvalidInput,
                "an error rule is {\"contains\":TEXT,\"outcome\":\"declined|not_sent|unknown\"}",
                where);
        mapping.errorRules.push_back({lower(rule["contains"].text()), *outcome});
    }
    for (const auto &[tool, fields] : json["tools"].members()) {
        Json named = fields;
        if (named.isNull())
            named = Json::object();
        named.set("name", tool);
        ASSIGN_OR_RETURN(ToolContract contract, ToolContract::fromJson(named, where));
        mapping.tools.emplace(tool, std::move(contract));
    }
    return mapping;
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
        if (searched.find(rule.contains) != std::string::npos)
            return rule.outcome;
    return OutcomeClass::Declined;
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

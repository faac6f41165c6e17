#include "core/suspects/rules_file.h"

#include "core/base/embedded.h"
#include "core/base/json.h"

namespace reprise {

namespace {

constexpr std::int64_t kUsPerDay = 86'400LL * 1'000'000;

Result<std::int64_t> whole(
    const Json &json, std::string_view field, std::int64_t low, std::int64_t high)
{
    const auto value = json[field].integer();
    if (!value || *value < low || *value > high)
        return fail(ErrorCode::InvalidInput,
            "\"" + std::string(field) + "\" must be a whole number from " + std::to_string(low)
                + " to " + std::to_string(high),
            "rules file");
    return *value;
}

Result<std::string> words(const Json &json, std::string_view field)
{
    if (!json[field].isString() || json[field].text().empty())
        return fail(
            ErrorCode::InvalidInput, "\"" + std::string(field) + "\" must be text", "rules file");
    return json[field].text();
}

Result<Lowering> readLowering(const Json &json)
{
    Lowering lowering;
    ASSIGN_OR_RETURN(const std::int64_t factor, whole(json, "factor", 0, 100));
    lowering.factor = static_cast<int>(factor);
    ASSIGN_OR_RETURN(lowering.explanation, words(json, "explanation"));
    return lowering;
}

} // namespace

Result<RulesFile> RulesFile::parse(std::string_view text)
{
    ASSIGN_OR_RETURN(const Json json, Json::parse(text, "rules file"));
    RulesFile file;
    ASSIGN_OR_RETURN(file.version, whole(json, "version", 1, 1'000'000));
    for (const auto &[id, fields] : json["rules"].members()) {
        RuleData rule;
        ASSIGN_OR_RETURN(rule.title, words(fields, "title"));
        ASSIGN_OR_RETURN(rule.explanation, words(fields, "explanation"));
        ASSIGN_OR_RETURN(rule.family, words(fields, "family"));
        ASSIGN_OR_RETURN(const std::int64_t weight, whole(fields, "weight", 1, 99));
        rule.weight = static_cast<int>(weight);
        if (fields.find("window_days") != nullptr) {
            ASSIGN_OR_RETURN(const std::int64_t days, whole(fields, "window_days", 1, 3650));
            rule.windowUs = days * kUsPerDay;
        }
        file.rules.emplace(id, std::move(rule));
    }
    for (const auto &[id, why] : json["not_run"].members())
        file.notRun.emplace(id, why.text());
    ASSIGN_OR_RETURN(file.permitted, readLowering(json["lowering"]["permitted"]));
    ASSIGN_OR_RETURN(file.periodic, readLowering(json["lowering"]["periodic"]));
    const Json &bands = json["severity"];
    ASSIGN_OR_RETURN(const std::int64_t critical, whole(bands, "critical", 1, 99));
    ASSIGN_OR_RETURN(const std::int64_t high, whole(bands, "high", 1, critical));
    ASSIGN_OR_RETURN(const std::int64_t medium, whole(bands, "medium", 1, high));
    ASSIGN_OR_RETURN(const std::int64_t low, whole(bands, "low", 1, medium));
    ASSIGN_OR_RETURN(const std::int64_t membersMax, whole(json, "members_max", 2, 10'000));
    file.critical = static_cast<int>(critical);
    file.high = static_cast<int>(high);
    file.medium = static_cast<int>(medium);
    file.low = static_cast<int>(low);
    file.membersMax = static_cast<std::size_t>(membersMax);
    return file;
}

const RulesFile &RulesFile::builtIn()
{
    // Compiled in and covered by a test: it cannot be wrong at run time.
    static const RulesFile file = parse(embedded::kSuspectRulesJson).value_or(RulesFile {});
    return file;
}

} // namespace reprise

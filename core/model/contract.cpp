#include "core/model/contract.h"

#include "core/base/file.h"
#include "core/base/sha256.h"

#include <charconv>
#include <filesystem>
#include <set>

namespace reprise {

namespace {

constexpr std::int64_t kUsPerSecond = 1'000'000;
constexpr std::int64_t kTimeoutMsMax = 24LL * 3600 * 1000;

Error invalid(const std::string &where, const std::string &what)
{
    return Error {ErrorCode::InvalidInput, what, where, {}};
}

/// Reads the members of one object and remembers which were asked for, so that a misspelt name in a
/// contract is refused instead of silently losing a guard.
class Fields
{
public:
    Fields(const Json &json, std::string where)
        : m_json(json)
        , m_where(std::move(where))
    {
    }

    const Json *take(const char *field)
    {
        m_known.insert(field);
        return m_json.find(field);
    }
    Result<void> text(const char *field, std::string &out)
    {
        const Json *value = take(field);
        if (value == nullptr)
            return {};
        if (!value->isString())
            return tl::unexpected(invalid(m_where, std::string("\"") + field + "\" must be text"));
        out = value->text();
        return {};
    }
    Result<void> pointer(const char *field, std::string &out)
    {
        RETURN_IF_ERROR(text(field, out));
        if (!Json::isPointer(out))
            return tl::unexpected(invalid(m_where,
                std::string("\"") + field + "\" must be a JSON pointer such as /order_id"));
        return {};
    }
    Result<void> flag(const char *field, bool &out)
    {
        const Json *value = take(field);
        if (value == nullptr)
            return {};
        if (value->kind() != Json::Kind::Bool)
            return tl::unexpected(
                invalid(m_where, std::string("\"") + field + "\" must be true or false"));
        out = value->boolean();
        return {};
    }
    Result<void> texts(const char *field, std::vector<std::string> &out)
    {
        const Json *value = take(field);
        if (value == nullptr)
            return {};
        if (!value->isArray())
            return tl::unexpected(
                invalid(m_where, std::string("\"") + field + "\" must be a list of texts"));
        for (const Json &item : value->items()) {
            if (!item.isString())
                return tl::unexpected(
                    invalid(m_where, std::string("\"") + field + "\" must be a list of texts"));
            out.push_back(item.text());
        }
        return {};
    }
    Result<void> pointers(const char *field, std::vector<std::string> &out)
    {
        RETURN_IF_ERROR(texts(field, out));
        for (const std::string &pointer : out)
            if (!Json::isPointer(pointer))
                return tl::unexpected(invalid(m_where,
                    std::string("\"") + field + "\" must hold JSON pointers, not " + pointer));
        return {};
    }
    Result<void> number(const char *field, std::int64_t low, std::int64_t high, std::int64_t &out)
    {
        const Json *value = take(field);
        if (value == nullptr)
            return {};
        const auto parsed = value->integer();
        if (!parsed || *parsed < low || *parsed > high)
            return tl::unexpected(invalid(m_where,
                std::string("\"") + field + "\" must be a whole number from " + std::to_string(low)
                    + " to " + std::to_string(high)));
        out = *parsed;
        return {};
    }
    Result<void> object(const char *field, const Json *&out)
    {
        out = take(field);
        if (out != nullptr && !out->isObject())
            return tl::unexpected(
                invalid(m_where, std::string("\"") + field + "\" must be an object"));
        return {};
    }
    Result<void> nothingElse() const
    {
        for (const auto &[name, value] : m_json.members())
            if (!m_known.contains(name))
                return tl::unexpected(invalid(m_where, "unknown field \"" + name + "\""));
        return {};
    }
    [[nodiscard]] const std::string &where() const { return m_where; }

private:
    const Json &m_json;
    std::string m_where;
    std::set<std::string> m_known;
};

Json textList(const std::vector<std::string> &texts)
{
    Json list = Json::array();
    for (const std::string &text : texts)
        list.push(text);
    return list;
}

Result<void> readBusiness(const Json &json, const std::string &where, BusinessMapping &out)
{
    Fields fields(json, where + ", business");
    std::string kind;
    RETURN_IF_ERROR(fields.text("kind", kind));
    if (!kind.empty()) {
        const auto known = businessKindFrom(kind);
        if (!known)
            return tl::unexpected(
                invalid(fields.where(), "unknown kind \"" + printable(kind) + "\""));
        out.kind = *known;
    }
    std::string unit = "minor";
    RETURN_IF_ERROR(fields.text("unit", unit));
    if (unit != "minor" && unit != "major")
        return tl::unexpected(invalid(fields.where(), "\"unit\" must be minor or major"));
    out.minorUnits = unit == "minor";
    RETURN_IF_ERROR(fields.pointer("amount", out.amount));
    RETURN_IF_ERROR(fields.pointer("currency", out.currency));
    RETURN_IF_ERROR(fields.text("fixed_currency", out.fixedCurrency));
    if (!out.fixedCurrency.empty() && !currencyExponent(out.fixedCurrency))
        return tl::unexpected(
            invalid(fields.where(), "unknown currency \"" + printable(out.fixedCurrency) + "\""));
    RETURN_IF_ERROR(fields.pointer("payee", out.payee));
    RETURN_IF_ERROR(fields.pointer("order", out.order));
    RETURN_IF_ERROR(fields.pointer("undoes", out.undoes));
    return fields.nothingElse();
}

Result<void> readExit(const Json &json, const std::string &where, ToolContract &out)
{
    out.exitStatus.clear();
    for (const auto &[status, outcome] : json.members()) {
        int code = -1;
        std::from_chars(status.data(), status.data() + status.size(), code);
        // One spelling for one status: "00" beside "0" would decide by order which of them counts.
        if (code < 0 || code > 255 || std::to_string(code) != status)
            return tl::unexpected(
                invalid(where, "exit status \"" + printable(status) + "\" is not 0 to 255"));
        const auto known = outcomeFrom(outcome.text());
        if (!known)
            return tl::unexpected(invalid(where,
                "exit status " + status + ": must be succeeded, declined, not_sent or unknown"));
        out.exitStatus[code] = *known;
    }
    return {};
}

Result<void> readSettle(const Json &json, const std::string &where, ToolContract &out)
{
    Fields settle(json, where + ", settle");
    RETURN_IF_ERROR(settle.texts("probe", out.probe));
    RETURN_IF_ERROR(settle.flag("repeatable", out.repeatable));
    const Json *forwarding = nullptr;
    RETURN_IF_ERROR(settle.object("forwarding", forwarding));
    if (forwarding != nullptr) {
        Fields fields(*forwarding, settle.where() + ", forwarding");
        std::string retention;
        RETURN_IF_ERROR(fields.text("retention", retention));
        const auto us = parseDurationUs(retention);
        if (!us)
            return tl::unexpected(
                invalid(fields.where(), "\"retention\" must be a duration such as 24h"));
        ForwardingRule rule;
        rule.retentionUs = *us;
        rule.attemptsMax = 1;
        RETURN_IF_ERROR(fields.number("attempts", 1, 1000, rule.attemptsMax));
        RETURN_IF_ERROR(fields.nothingElse());
        out.forwarding = rule;
    }
    return settle.nothingElse();
}

/// Text as it is, a number in its own spelling; empty for anything else.
std::string textOf(const Json *value)
{
    return value != nullptr && (value->isString() || value->isNumber()) ? value->text()
                                                                        : std::string();
}

/// What a pointer names; empty where the pointer is not declared.
std::string textAt(const Json &json, const std::string &pointer)
{
    return pointer.empty() ? std::string() : textOf(json.at(pointer));
}

/// The amounts that a pointer names; `*` stands for every element of a list. Empty where any is
/// missing.
std::vector<std::string> amountsAt(const Json &json, const std::string &pointer)
{
    const std::size_t star = pointer.find("/*");
    if (star == std::string::npos) {
        const std::string text = textAt(json, pointer);
        return text.empty() ? std::vector<std::string>() : std::vector {text};
    }
    const Json *list = json.at(pointer.substr(0, star));
    std::vector<std::string> amounts;
    for (std::size_t i = 0; list != nullptr && i < list->items().size(); ++i) {
        const std::string text = textOf(list->items()[i].at(pointer.substr(star + 2)));
        if (text.empty())
            return {};
        amounts.push_back(text);
    }
    return amounts;
}

/// The exact sum, or nothing where an amount is not exact or the sum leaves int64.
std::optional<Money> sumOf(
    const std::vector<std::string> &amounts, const std::string &currency, bool minorUnits)
{
    std::optional<Money> sum;
    for (const std::string &amount : amounts) {
        const auto money
            = minorUnits ? Money::fromMinor(amount, currency) : Money::fromMajor(amount, currency);
        if (!money)
            return std::nullopt;
        if (!sum)
            sum = *money;
        else if (__builtin_add_overflow(sum->minor, money->minor, &sum->minor))
            return std::nullopt;
    }
    return sum;
}

} // namespace

std::string_view name(KeyForm form)
{
    switch (form) {
    case KeyForm::Hex64:
        return "hex64";
    case KeyForm::Uuid:
        return "uuid";
    case KeyForm::Hex32:
        return "hex32";
    case KeyForm::Base32:
        return "base32";
    }
    return "?";
}

std::optional<KeyForm> keyFormFrom(std::string_view text)
{
    for (const KeyForm form : {KeyForm::Hex64, KeyForm::Uuid, KeyForm::Hex32, KeyForm::Base32})
        if (name(form) == text)
            return form;
    return std::nullopt;
}

Business BusinessMapping::read(const Json &args) const
{
    Business business;
    business.kind = kind;
    const std::string code = currency.empty() ? fixedCurrency : textAt(args, currency);
    business.amount = sumOf(amountsAt(args, amount), code, minorUnits);
    business.payee = textAt(args, payee);
    business.order = textAt(args, order);
    business.undoes = textAt(args, undoes);
    return business;
}

Json ToolContract::toJson() const
{
    Json json;
    json.set("name", name).set("version", version).set("command", textList(command));
    json.set("side_effect", sideEffect);
    json.set("key", Json().set("form", std::string(reprise::name(keyForm))).set("env", keyEnv));
    json.set("timeout_ms", timeoutMs);
    Json exits = Json::object();
    for (const auto &[status, outcome] : exitStatus)
        exits.set(std::to_string(status), std::string(reprise::name(outcome)));
    json.set("exit", std::move(exits));
    json.set("result",
        Json()
            .set("content_type", contentType)
            .set("required", textList(required))
            .set("reference", reference));
    Json settle = Json::object();
    if (forwarding)
        settle.set("forwarding",
            Json()
                .set("retention", durationText(forwarding->retentionUs))
                .set("attempts", forwarding->attemptsMax));
    settle.set("probe", textList(probe)).set("repeatable", repeatable);
    json.set("settle", std::move(settle));
    json.set("ignore", textList(ignore));
    json.set("business",
        Json()
            .set("kind", std::string(reprise::name(business.kind)))
            .set("amount", business.amount)
            .set("unit", business.minorUnits ? "minor" : "major")
            .set("currency", business.currency)
            .set("fixed_currency", business.fixedCurrency)
            .set("payee", business.payee)
            .set("order", business.order)
            .set("undoes", business.undoes));
    return json;
}

Result<ToolContract> ToolContract::fromJson(const Json &json, const std::string &where)
{
    if (!json.isObject())
        return tl::unexpected(invalid(where, "a tool must be an object"));
    ToolContract out;
    Fields fields(json, where);
    RETURN_IF_ERROR(fields.text("name", out.name));
    if (out.name.empty())
        return tl::unexpected(invalid(where, "a tool needs a \"name\""));
    Fields named(json, where + ", tool \"" + printable(out.name, 60) + "\"");
    named.take("name");
    RETURN_IF_ERROR(named.text("version", out.version));
    RETURN_IF_ERROR(named.texts("command", out.command));
    RETURN_IF_ERROR(named.flag("side_effect", out.sideEffect));
    RETURN_IF_ERROR(named.number("timeout_ms", 1, kTimeoutMsMax, out.timeoutMs));
    RETURN_IF_ERROR(named.pointers("ignore", out.ignore));

    const Json *part = nullptr;
    RETURN_IF_ERROR(named.object("key", part));
    if (part != nullptr) {
        Fields key(*part, named.where() + ", key");
        std::string form(reprise::name(out.keyForm));
        RETURN_IF_ERROR(key.text("form", form));
        const auto known = keyFormFrom(form);
        if (!known)
            return tl::unexpected(
                invalid(key.where(), "\"form\" must be hex64, uuid, hex32 or base32"));
        out.keyForm = *known;
        RETURN_IF_ERROR(key.text("env", out.keyEnv));
        RETURN_IF_ERROR(key.nothingElse());
    }
    RETURN_IF_ERROR(named.object("exit", part));
    if (part != nullptr)
        RETURN_IF_ERROR(readExit(*part, named.where() + ", exit", out));
    RETURN_IF_ERROR(named.object("result", part));
    if (part != nullptr) {
        Fields result(*part, named.where() + ", result");
        RETURN_IF_ERROR(result.text("content_type", out.contentType));
        RETURN_IF_ERROR(result.pointers("required", out.required));
        RETURN_IF_ERROR(result.pointer("reference", out.reference));
        RETURN_IF_ERROR(result.nothingElse());
    }
    RETURN_IF_ERROR(named.object("settle", part));
    if (part != nullptr)
        RETURN_IF_ERROR(readSettle(*part, named.where(), out));
    RETURN_IF_ERROR(named.object("business", part));
    if (part != nullptr)
        RETURN_IF_ERROR(readBusiness(*part, named.where(), out.business));
    RETURN_IF_ERROR(named.nothingElse());
    return out;
}

Digest ToolContract::digest() const
{
    return Sha256::of(toJson().canonical());
}

ToolContract ToolContract::undeclared(const std::string &tool)
{
    ToolContract contract;
    contract.name = tool;
    return contract;
}

Result<ToolSet> ToolSet::readFile(const std::string &path)
{
    ASSIGN_OR_RETURN(const std::string text, reprise::readFile(path));
    const auto folder = std::filesystem::absolute(path).parent_path();
    return parse(text, path, folder.string());
}

Result<ToolSet> ToolSet::parse(
    std::string_view text, const std::string &where, const std::string &folder)
{
    ASSIGN_OR_RETURN(const Json json, Json::parse(text, where));
    const Json *list = json.find("tools");
    if (!json.isObject() || list == nullptr || !list->isArray())
        return tl::unexpected(invalid(where, "a tools file is {\"tools\":[…]}"));
    ToolSet set;
    const auto place = [&](std::vector<std::string> &command) {
        // A bare word is looked for beside the tools file too: what runs must not depend on PATH.
        if (!command.empty() && !command[0].starts_with('/'))
            command[0] = (std::filesystem::path(folder) / command[0]).lexically_normal().string();
    };
    for (const Json &item : list->items()) {
        ASSIGN_OR_RETURN(ToolContract contract, ToolContract::fromJson(item, where));
        place(contract.command);
        place(contract.probe);
        const std::string tool = contract.name;
        if (!set.tools.emplace(tool, std::move(contract)).second)
            return tl::unexpected(invalid(where, "tool \"" + printable(tool) + "\" stands twice"));
    }
    return set;
}

const ToolContract *ToolSet::find(const std::string &tool) const
{
    const auto found = tools.find(tool);
    return found == tools.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> parseDurationUs(std::string_view text)
{
    if (text.size() < 2)
        return std::nullopt;
    std::int64_t factor = 0;
    switch (text.back()) {
    case 's':
        factor = 1;
        break;
    case 'm':
        factor = 60;
        break;
    case 'h':
        factor = 3600;
        break;
    case 'd':
        factor = 86'400;
        break;
    default:
        return std::nullopt;
    }
    std::int64_t count = -1;
    const std::string_view digits = text.substr(0, text.size() - 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size() || count < 0
        || count > 1'000'000)
        return std::nullopt;
    return count * factor * kUsPerSecond;
}

std::string durationText(std::int64_t us)
{
    const std::int64_t seconds = us / kUsPerSecond;
    const auto form = [](std::int64_t count, char unit) { return std::to_string(count) + unit; };
    if (seconds > 0 && seconds % 86'400 == 0)
        return form(seconds / 86'400, 'd');
    if (seconds > 0 && seconds % 3600 == 0)
        return form(seconds / 3600, 'h');
    if (seconds > 0 && seconds % 60 == 0)
        return form(seconds / 60, 'm');
    return form(seconds, 's');
}

} // namespace reprise

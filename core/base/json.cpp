#include "core/base/json.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <set>
#include <unordered_set>

namespace reprise {

namespace {

const Json kNull;
constexpr std::size_t kWholeDigitsMax = 40;
constexpr std::int64_t kLeadingZerosMax = 7;
constexpr std::size_t kExponentDigitsMax = 18;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

void appendUtf8(std::string &out, std::uint32_t code)
{
    const auto push = [&](std::uint32_t value) { out += static_cast<char>(value); };
    if (code < 0x80) {
        push(code);
    } else if (code < 0x800) {
        push(0xC0 | code >> 6);
        push(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        push(0xE0 | code >> 12);
        push(0x80 | (code >> 6 & 0x3F));
        push(0x80 | (code & 0x3F));
    } else {
        push(0xF0 | code >> 18);
        push(0x80 | (code >> 12 & 0x3F));
        push(0x80 | (code >> 6 & 0x3F));
        push(0x80 | (code & 0x3F));
    }
}

void appendQuoted(std::string &out, std::string_view text)
{
    out += '"';
    for (const char c : text) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\b':
            out += "\\b";
            break;
        case '\f':
            out += "\\f";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20) {
                char escaped[8];
                std::snprintf(escaped, sizeof escaped, "\\u%04x",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
                out += escaped;
            } else {
                out += c;
            }
        }
    }
    out += '"';
}

/// A decimal value as sign, digits without leading or trailing zeros, and the power of ten of the
/// first digit ("4900" is digits 49, power 3). Zero has no digits.
struct Decimal
{
    bool negative = false;
    std::string digits;
    std::int64_t power = 0;
};

Decimal readDecimal(std::string_view text)
{
    Decimal value;
    std::size_t i = 0;
    if (i < text.size() && text[i] == '-') {
        value.negative = true;
        ++i;
    }
    std::int64_t integerDigits = 0;
    bool seenPoint = false;
    for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
        if (text[i] == '.') {
            seenPoint = true;
            continue;
        }
        value.digits += text[i];
        if (!seenPoint)
            ++integerDigits;
    }
    std::int64_t exponent = 0;
    if (i < text.size()) {
        ++i;
        if (i < text.size() && text[i] == '+')
            ++i;
        std::from_chars(text.data() + i, text.data() + text.size(), exponent);
    }
    const std::size_t first = value.digits.find_first_not_of('0');
    if (first == std::string::npos)
        return Decimal {};
    value.power = integerDigits - 1 - static_cast<std::int64_t>(first) + exponent;
    const std::size_t last = value.digits.find_last_not_of('0');
    value.digits = value.digits.substr(first, last - first + 1);
    return value;
}

std::string pointerStep(std::string_view step)
{
    std::string name;
    for (std::size_t i = 0; i < step.size(); ++i) {
        if (step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1')) {
            name += step[i + 1] == '0' ? '~' : '/';
            ++i;
        } else {
            name += step[i];
        }
    }
    return name;
}

/// The other direction of pointerStep.
std::string escapedStep(std::string_view name)
{
    std::string step;
    for (const char c : name) {
        if (c == '~')
            step += "~0";
        else if (c == '/')
            step += "~1";
        else
            step += c;
    }
    return step;
}

/// `place` is the pointer of `value`. Every name and index has one spelling in a pointer, therefore
/// comparing texts is enough.
Json copyWithout( // NOLINT(misc-no-recursion): as deep as the value
    const Json &value, const std::set<std::string> &pointers, const std::string &place)
{
    if (value.isObject()) {
        Json kept = Json::object();
        for (const auto &[name, item] : value.members()) {
            const std::string at = place + "/" + escapedStep(name);
            if (!pointers.contains(at))
                kept.members().emplace_back(name, copyWithout(item, pointers, at));
        }
        return kept;
    }
    if (value.isArray()) {
        Json kept = Json::array();
        for (std::size_t i = 0; i < value.items().size(); ++i) {
            const std::string at = place + "/" + std::to_string(i);
            if (!pointers.contains(at))
                kept.push(copyWithout(value.items()[i], pointers, at));
        }
        return kept;
    }
    return value;
}

std::optional<std::size_t> arrayIndex(const std::string &step)
{
    if (step.empty() || step.size() > 9 || (step.size() > 1 && step[0] == '0')
        || !std::all_of(step.begin(), step.end(), isDigit))
        return std::nullopt;
    return static_cast<std::size_t>(std::stoul(step));
}

void write(std::string &out, const Json &value, int indent, int level)
{
    const auto newLine = [&](int depth) {
        if (indent > 0) {
            out += '\n';
            out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
        }
    };
    switch (value.kind()) {
    case Json::Kind::Null:
        out += "null";
        return;
    case Json::Kind::Bool:
        out += value.boolean() ? "true" : "false";
        return;
    case Json::Kind::Number:
        out += value.text();
        return;
    case Json::Kind::String:
        out += jsonQuote(value.text());
        return;
    case Json::Kind::Array: {
        out += '[';
        bool first = true;
        for (const Json &item : value.items()) {
            if (!first)
                out += ',';
            first = false;
            newLine(level + 1);
            write(out, item, indent, level + 1);
        }
        if (!first)
            newLine(level);
        out += ']';
        return;
    }
    case Json::Kind::Object: {
        out += '{';
        bool first = true;
        for (const auto &[name, item] : value.members()) {
            if (!first)
                out += ',';
            first = false;
            newLine(level + 1);
            appendQuoted(out, name);
            out += indent > 0 ? ": " : ":";
            write(out, item, indent, level + 1);
        }
        if (!first)
            newLine(level);
        out += '}';
        return;
    }
    }
}

void writeCanonical(std::string &out, const Json &value)
{
    switch (value.kind()) {
    case Json::Kind::Number:
        out += canonicalDecimal(value.text());
        return;
    case Json::Kind::Array: {
        out += '[';
        bool first = true;
        for (const Json &item : value.items()) {
            if (!first)
                out += ',';
            first = false;
            writeCanonical(out, item);
        }
        out += ']';
        return;
    }
    case Json::Kind::Object: {
        std::vector<const Json::Member *> sorted;
        sorted.reserve(value.members().size());
        for (const Json::Member &member : value.members())
            sorted.push_back(&member);
        // std::string compares bytes as unsigned char: the order does not depend on a locale.
        std::sort(sorted.begin(), sorted.end(),
            [](const auto *a, const auto *b) { return a->first < b->first; });
        out += '{';
        bool first = true;
        for (const Json::Member *member : sorted) {
            if (!first)
                out += ',';
            first = false;
            appendQuoted(out, member->first);
            out += ':';
            writeCanonical(out, member->second);
        }
        out += '}';
        return;
    }
    case Json::Kind::Null:
    case Json::Kind::Bool:
    case Json::Kind::String:
        write(out, value, 0, 0);
        return;
    }
}

} // namespace

/// Recursive descent with a depth limit; the text outlives the parser.
class JsonParser
{
public:
    JsonParser(std::string_view text, std::string where)
        : m_text(text)
        , m_where(std::move(where))
    {
    }

    Result<Json> document()
    {
        Json value;
        if (m_text.starts_with("\xEF\xBB\xBF"))
            m_at = 3;
        skipSpace();
        if (!parseValue(value, 0))
            return tl::unexpected(error());
        skipSpace();
        if (m_at != m_text.size()) {
            refuse("something follows the JSON value");
            return tl::unexpected(error());
        }
        return value;
    }

private:
    bool refuse(std::string why)
    {
        if (m_why.empty()) {
            m_why = std::move(why);
            m_errorAt = m_at;
        }
        return false;
    }

    [[nodiscard]] Error error() const
    {
        std::size_t line = 1;
        std::size_t column = 1;
        for (std::size_t i = 0; i < m_errorAt && i < m_text.size(); ++i) {
            ++column;
            if (m_text[i] == '\n') {
                ++line;
                column = 1;
            }
        }
        std::string place = "line " + std::to_string(line) + " column " + std::to_string(column);
        return Error {ErrorCode::InvalidInput, "not valid JSON: " + m_why,
            m_where.empty() ? place : m_where + ", " + place, {}};
    }

    void skipSpace()
    {
        while (m_at < m_text.size()
            && (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\r'
                || m_text[m_at] == '\t'))
            ++m_at;
    }

    bool literal(std::string_view word)
    {
        if (m_text.substr(m_at, word.size()) != word)
            return refuse("unknown word");
        m_at += word.size();
        return true;
    }

    bool parseValue(Json &out, int depth) // NOLINT(misc-no-recursion): bounded by kDepthMax
    {
        const std::size_t begin = m_at;
        if (!parseContent(out, depth))
            return false;
        out.m_begin = begin;
        out.m_end = m_at;
        return true;
    }

    bool parseContent(Json &out, int depth) // NOLINT(misc-no-recursion)
    {
        if (m_at >= m_text.size())
            return refuse("the text ends where a value has to stand");
        const bool opensLevel = m_text[m_at] == '{' || m_text[m_at] == '[';
        if (opensLevel && depth >= Json::kDepthMax)
            return refuse("more than " + std::to_string(Json::kDepthMax) + " levels deep");
        switch (m_text[m_at]) {
        case '{':
            return parseObject(out, depth);
        case '[':
            return parseArray(out, depth);
        case '"':
            out.m_kind = Json::Kind::String;
            return parseString(out.m_text);
        case 't':
            out = Json(true);
            return literal("true");
        case 'f':
            out = Json(false);
            return literal("false");
        case 'n':
            out = Json();
            return literal("null");
        default:
            return parseNumber(out);
        }
    }

    bool parseObject(Json &out, int depth) // NOLINT(misc-no-recursion)
    {
        out.m_kind = Json::Kind::Object;
        ++m_at;
        skipSpace();
        if (take('}'))
            return true;
        std::unordered_set<std::string> names;
        for (;;) {
            skipSpace();
            if (m_at >= m_text.size() || m_text[m_at] != '"')
                return refuse("an object key in quotes has to stand here");
            const std::size_t keyAt = m_at;
            std::string name;
            if (!parseString(name))
                return false;
            if (!names.insert(name).second) {
                m_at = keyAt;
                return refuse("the object key \"" + printable(name, 60) + "\" stands twice");
            }
            skipSpace();
            if (!take(':'))
                return refuse("a colon has to stand here");
            skipSpace();
            out.m_members.emplace_back(std::move(name), Json());
            if (!parseValue(out.m_members.back().second, depth + 1))
                return false;
            skipSpace();
            if (take('}'))
                return true;
            if (!take(','))
                return refuse("a comma or a closing brace has to stand here");
        }
    }

    bool parseArray(Json &out, int depth) // NOLINT(misc-no-recursion)
    {
        out.m_kind = Json::Kind::Array;
        ++m_at;
        skipSpace();
        if (take(']'))
            return true;
        for (;;) {
            skipSpace();
            out.m_items.emplace_back();
            if (!parseValue(out.m_items.back(), depth + 1))
                return false;
            skipSpace();
            if (take(']'))
                return true;
            if (!take(','))
                return refuse("a comma or a closing bracket has to stand here");
        }
    }

    bool take(char c)
    {
        if (m_at < m_text.size() && m_text[m_at] == c) {
            ++m_at;
            return true;
        }
        return false;
    }

    bool parseHex4(std::uint32_t &code)
    {
        code = 0;
        if (m_text.size() - m_at < 4)
            return refuse("\\u needs four hex digits");
        for (int i = 0; i < 4; ++i) {
            const char c = m_text[m_at];
            std::uint32_t digit = 0;
            if (isDigit(c))
                digit = static_cast<std::uint32_t>(c - '0');
            else if (c >= 'a' && c <= 'f')
                digit = static_cast<std::uint32_t>(c - 'a' + 10);
            else if (c >= 'A' && c <= 'F')
                digit = static_cast<std::uint32_t>(c - 'A' + 10);
            else
                return refuse("\\u needs four hex digits");
            code = code * 16 + digit;
            ++m_at;
        }
        return true;
    }

    bool parseEscape(std::string &out)
    {
        if (m_at >= m_text.size())
            return refuse("the text ends inside a string");
        const char c = m_text[m_at++];
        switch (c) {
        case '"':
        case '\\':
        case '/':
            out += c;
            return true;
        case 'b':
            out += '\b';
            return true;
        case 'f':
            out += '\f';
            return true;
        case 'n':
            out += '\n';
            return true;
        case 'r':
            out += '\r';
            return true;
        case 't':
            out += '\t';
            return true;
        case 'u': {
            std::uint32_t code = 0;
            if (!parseHex4(code))
                return false;
            if (code >= 0xDC00 && code <= 0xDFFF)
                return refuse("a lone low surrogate");
            if (code >= 0xD800 && code <= 0xDBFF) {
                std::uint32_t low = 0;
                if (m_text.substr(m_at, 2) != "\\u")
                    return refuse("a lone high surrogate");
                m_at += 2;
                if (!parseHex4(low))
                    return false;
                if (low < 0xDC00 || low > 0xDFFF)
                    return refuse("a lone high surrogate");
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            }
            appendUtf8(out, code);
            return true;
        }
        default:
            --m_at;
            return refuse("an unknown escape");
        }
    }

    bool parseString(std::string &out)
    {
        ++m_at;
        const std::size_t start = m_at;
        std::size_t plain = m_at;
        for (;;) {
            if (m_at >= m_text.size())
                return refuse("the text ends inside a string");
            const char c = m_text[m_at];
            if (c == '"' || c == '\\') {
                const std::string_view piece = m_text.substr(plain, m_at - plain);
                if (!isValidUtf8(piece)) {
                    m_at = start;
                    return refuse("a string that is not UTF-8");
                }
                out += piece;
                ++m_at;
                if (c == '"')
                    return true;
                if (!parseEscape(out))
                    return false;
                plain = m_at;
                continue;
            }
            if (static_cast<unsigned char>(c) < 0x20)
                return refuse("a control character inside a string has to be escaped");
            ++m_at;
        }
    }

    bool parseNumber(Json &out)
    {
        const std::size_t start = m_at;
        take('-');
        if (m_at >= m_text.size() || !isDigit(m_text[m_at])) {
            m_at = start;
            return refuse("a value has to stand here");
        }
        if (!take('0')) {
            while (m_at < m_text.size() && isDigit(m_text[m_at]))
                ++m_at;
        } else if (m_at < m_text.size() && isDigit(m_text[m_at])) {
            return refuse("a number with a leading zero");
        }
        if (take('.')) {
            if (m_at >= m_text.size() || !isDigit(m_text[m_at]))
                return refuse("a digit has to follow the decimal point");
            while (m_at < m_text.size() && isDigit(m_text[m_at]))
                ++m_at;
        }
        if (m_at < m_text.size() && (m_text[m_at] == 'e' || m_text[m_at] == 'E')) {
            ++m_at;
            if (!take('+'))
                take('-');
            const std::size_t digits = m_at;
            while (m_at < m_text.size() && isDigit(m_text[m_at]))
                ++m_at;
            if (m_at == digits)
                return refuse("a digit has to follow the exponent sign");
            if (m_at - digits > kExponentDigitsMax)
                return refuse("an exponent of more than 18 digits");
        }
        out.m_kind = Json::Kind::Number;
        out.m_text = std::string(m_text.substr(start, m_at - start));
        return true;
    }

    std::string_view m_text;
    std::string m_where;
    std::size_t m_at = 0;
    std::string m_why;
    std::size_t m_errorAt = 0;
};

Json::Json(bool value)
    : m_kind(Kind::Bool)
    , m_bool(value)
{
}

Json::Json(std::int64_t value)
    : m_kind(Kind::Number)
    , m_text(std::to_string(value))
{
}

Json::Json(std::string value)
    : m_kind(Kind::String)
    , m_text(std::move(value))
{
}

Json Json::array(Array values)
{
    Json json;
    json.m_kind = Kind::Array;
    json.m_items = std::move(values);
    return json;
}

Json Json::object(Object members)
{
    Json json;
    json.m_kind = Kind::Object;
    json.m_members = std::move(members);
    return json;
}

Json Json::number(std::string decimal)
{
    Json json;
    json.m_kind = Kind::Number;
    json.m_text = std::move(decimal);
    return json;
}

Result<Json> Json::parse(std::string_view text, const std::string &where)
{
    return JsonParser(text, where).document();
}

std::optional<std::int64_t> Json::integer() const
{
    if (m_kind != Kind::Number)
        return std::nullopt;
    const std::string text = canonicalDecimal(m_text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

const Json *Json::find(std::string_view name) const
{
    for (const Member &member : m_members)
        if (member.first == name)
            return &member.second;
    return nullptr;
}

const Json &Json::operator[](std::string_view name) const
{
    const Json *value = find(name);
    return value == nullptr ? kNull : *value;
}

bool Json::isPointer(std::string_view pointer)
{
    if (pointer.empty())
        return true;
    if (pointer[0] != '/')
        return false;
    for (std::size_t i = 0; i < pointer.size(); ++i)
        if (pointer[i] == '~'
            && (i + 1 >= pointer.size() || (pointer[i + 1] != '0' && pointer[i + 1] != '1')))
            return false;
    return true;
}

const Json *Json::at(std::string_view pointer) const
{
    const Json *value = this;
    while (!pointer.empty()) {
        if (pointer[0] != '/')
            return nullptr;
        pointer.remove_prefix(1);
        const std::size_t end = std::min(pointer.find('/'), pointer.size());
        const std::string step = pointerStep(pointer.substr(0, end));
        pointer.remove_prefix(end);
        if (value->isObject()) {
            value = value->find(step);
        } else if (value->isArray()) {
            const auto index = arrayIndex(step);
            value = index && *index < value->m_items.size() ? &value->m_items[*index] : nullptr;
        } else {
            return nullptr;
        }
        if (value == nullptr)
            return nullptr;
    }
    return value;
}

Json &Json::set(std::string name, Json value)
{
    if (isNull())
        m_kind = Kind::Object;
    for (Member &member : m_members) {
        if (member.first == name) {
            member.second = std::move(value);
            return *this;
        }
    }
    m_members.emplace_back(std::move(name), std::move(value));
    return *this;
}

void Json::push(Json value)
{
    if (isNull())
        m_kind = Kind::Array;
    m_items.push_back(std::move(value));
}

Json Json::without(const std::vector<std::string> &pointers) const
{
    return copyWithout(*this, std::set<std::string>(pointers.begin(), pointers.end()), {});
}

std::string Json::dump() const
{
    std::string out;
    write(out, *this, 0, 0);
    return out;
}

std::string Json::pretty() const
{
    std::string out;
    write(out, *this, 2, 0);
    return out;
}

std::string Json::canonical() const
{
    std::string out;
    writeCanonical(out, *this);
    return out;
}

std::string canonicalDecimal(std::string_view decimal)
{
    const Decimal value = readDecimal(decimal);
    if (value.digits.empty())
        return "0";
    std::string out = value.negative ? "-" : "";
    const auto count = static_cast<std::int64_t>(value.digits.size());
    if (value.power >= count - 1 && value.power < static_cast<std::int64_t>(kWholeDigitsMax)) {
        out += value.digits;
        out.append(static_cast<std::size_t>(value.power - (count - 1)), '0');
        return out;
    }
    if (value.power >= 0 && value.power < count - 1) {
        const auto whole = static_cast<std::size_t>(value.power) + 1;
        return out + value.digits.substr(0, whole) + "." + value.digits.substr(whole);
    }
    if (value.power < 0 && value.power >= -kLeadingZerosMax)
        return out + "0." + std::string(static_cast<std::size_t>(-value.power - 1), '0')
            + value.digits;
    out += value.digits[0];
    if (count > 1) {
        out += '.';
        out.append(value.digits, 1);
    }
    if (value.power != 0)
        out += "e" + std::to_string(value.power);
    return out;
}

std::string jsonQuote(std::string_view text)
{
    std::string out;
    if (isValidUtf8(text)) {
        appendQuoted(out, text);
        return out;
    }
    std::string repaired;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::size_t length = std::min<std::size_t>(4, text.size() - i);
        while (length > 0 && !isValidUtf8(text.substr(i, length)))
            --length;
        if (length == 0) {
            repaired += "\xEF\xBF\xBD";
        } else {
            repaired += text.substr(i, length);
            i += length - 1;
        }
    }
    appendQuoted(out, repaired);
    return out;
}

} // namespace reprise

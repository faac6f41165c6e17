#include "core/base/bytes.h"
#include "core/base/json.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace reprise {

namespace {

constexpr std::size_t kWholeDigitsMax = 40;
constexpr std::int64_t kLeadingZerosMax = 7;

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

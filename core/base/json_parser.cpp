#include "core/base/bytes.h"
#include "core/base/json.h"

#include <unordered_set>

namespace reprise {

namespace {

constexpr std::size_t kExponentDigitsMax = 18;

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
Result<Json> Json::parse(std::string_view text, const std::string &where)
{
    return JsonParser(text, where).document();
}

} // namespace reprise

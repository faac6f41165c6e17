#include "core/inspect/run_filter.h"

#include "core/base/bytes.h"
#include "core/base/clock.h"
#include "core/model/money.h"

#include <algorithm>

namespace reprise {

namespace {

struct Token
{
    std::string text;
    std::size_t position = 1; ///< of its first character, from 1
};

std::vector<Token> tokens(const std::string &filter)
{
    std::vector<Token> list;
    std::size_t i = 0;
    while (i < filter.size()) {
        if (filter[i] == ' ' || filter[i] == '\t') {
            ++i;
            continue;
        }
        // Between double quotes a blank belongs to the token; the quotes themselves do not.
        Token token {{}, i + 1};
        bool quoted = false;
        for (; i < filter.size() && (quoted || (filter[i] != ' ' && filter[i] != '\t')); ++i) {
            if (filter[i] == '"')
                quoted = !quoted;
            else
                token.text += filter[i];
        }
        list.push_back(std::move(token));
    }
    return list;
}

/// `LIKE '%text%'` with the wildcards of the text taken as letters.
std::string containing(const std::string &text)
{
    std::string pattern = "%";
    for (const char c : text) {
        if (c == '%' || c == '_' || c == '\\')
            pattern += '\\';
        pattern += c;
    }
    return pattern + "%";
}

/// `2026-11-01` or a whole RFC 3339 time, as microseconds.
std::optional<std::int64_t> moment(const std::string &text)
{
    const auto time = text.size() == 10 ? Time::parse(text + "T00:00:00Z") : Time::parse(text);
    return time ? std::optional(time->us) : std::nullopt;
}

const std::string kAction = "EXISTS (SELECT 1 FROM action WHERE action.run = run.id AND ";

class Translation
{
public:
    Result<RunCondition> all(const std::string &filter)
    {
        for (const Token &token : tokens(filter))
            RETURN_IF_ERROR(one(token));
        return std::move(m_condition);
    }

private:
    using Value = std::variant<std::int64_t, std::string>;

    void add(const std::string &sql, std::vector<Value> values = {})
    {
        m_condition.sql += " AND " + sql;
        for (Value &value : values)
            m_condition.values.push_back(std::move(value));
    }

    static tl::unexpected<Error> bad(const Token &token, const std::string &why)
    {
        return fail(ErrorCode::InvalidInput, why,
            "filter, position " + std::to_string(token.position) + ", \""
                + printable(token.text, 60) + "\"");
    }

    Result<void> state(const Token &token, const std::string &value)
    {
        if (value == "in_doubt" || value == "in-doubt")
            add("run.id IN (SELECT run FROM action WHERE state IN ('in_doubt', 'in_flight'))");
        else if (value == "again")
            add("run.executed_again > 0");
        else if (value == "conflict")
            add("run.conflicts > 0");
        else if (value == "failed")
            add("run.failed > 0");
        else if (value == "replayed")
            add("run.replayed > 0");
        else if (value == "imported")
            add("run.imported = 1");
        else
            return bad(token,
                "unknown state; use in_doubt, again, conflict, failed, replayed or imported");
        return {};
    }

    Result<void> one(const Token &token)
    {
        const std::size_t colon = token.text.find(':');
        if (colon == std::string::npos || colon == 0) {
            const std::string pattern = containing(token.text);
            add("(run.run_id LIKE ? ESCAPE '\\' OR run.label LIKE ? ESCAPE '\\')",
                {pattern, pattern});
            return {};
        }
        const std::string name = token.text.substr(0, colon);
        const std::string value = token.text.substr(colon + 1);
        if (value.empty())
            return bad(token, "a value has to follow the colon");
        if (name == "state")
            return state(token, value);
        if (name == "run")
            add("run.run_id LIKE ? ESCAPE '\\'", {containing(value)});
        else if (name == "tool")
            add(kAction + "action.tool = ?)", {value});
        else if (name == "payee")
            add(kAction + "action.payee = ?)", {value});
        else if (name == "order")
            add(kAction + "action.order_ref = ?)", {value});
        else if (name == "cur")
            return currency(token, value);
        else if (name == "key")
            return key(token, value);
        else if (name == "after" || name == "before")
            return time(token, name, value);
        else
            return bad(token,
                "unknown filter; use state, run, tool, payee, order, cur, key, after or before");
        return {};
    }

    Result<void> currency(const Token &token, std::string value)
    {
        std::transform(value.begin(), value.end(), value.begin(),
            [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
        if (!currencyExponent(value))
            return bad(token, "unknown currency; use an ISO 4217 code such as EUR");
        add(kAction + "action.currency = ?)", {value});
        return {};
    }

    Result<void> key(const Token &token, const std::string &value)
    {
        // A prefix of hex digits is a range of keys.
        std::string low = value;
        std::string high = value;
        if (value.size() > 64)
            return bad(token, "a key has at most 64 hex digits");
        low.resize(64, '0');
        high.resize(64, 'f');
        const auto first = fromHex(low);
        const auto last = fromHex(high);
        if (!first || !last)
            return bad(token, "a key is made of hex digits");
        add(kAction + "action.key BETWEEN CAST(? AS BLOB) AND CAST(? AS BLOB))", {*first, *last});
        return {};
    }

    Result<void> time(const Token &token, const std::string &name, const std::string &value)
    {
        const auto us = moment(value);
        if (!us)
            return bad(token, "a time looks like 2026-11-30 or 2026-11-30T14:03:22Z");
        add(name == "after" ? "run.first_at >= ?" : "run.first_at < ?", {*us});
        return {};
    }

    RunCondition m_condition;
};

} // namespace

Result<RunCondition> parseRunFilter(const std::string &filter)
{
    return Translation().all(filter);
}

} // namespace reprise

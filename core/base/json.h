#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reprise {

/// A JSON document that loses nothing: numbers stay decimal text of any size and never pass through
/// a double, object members keep their order, strings keep every character (NUL included).
/// The common libraries turn numbers above 2^64 or with a fraction into doubles or refuse them,
/// which would make two different payments equal; that is why Reprise reads JSON itself.
/// A value type: copies are deep, no shared state.
class Json
{
public:
    enum class Kind { Null, Bool, Number, String, Array, Object };
    using Array = std::vector<Json>;
    using Member = std::pair<std::string, Json>;
    using Object = std::vector<Member>;

    Json() = default; ///< null
    Json(bool value); // NOLINT(google-explicit-constructor): literals read better
    Json(std::int64_t value); // NOLINT(google-explicit-constructor)
    Json(int value) // NOLINT(google-explicit-constructor)
        : Json(static_cast<std::int64_t>(value))
    {
    }
    Json(std::string value); // NOLINT(google-explicit-constructor)
    Json(std::string_view value) // NOLINT(google-explicit-constructor)
        : Json(std::string(value))
    {
    }
    Json(const char *value) // NOLINT(google-explicit-constructor)
        : Json(std::string(value))
    {
    }
    template <typename T>
    Json(const std::optional<T> &value) // NOLINT(google-explicit-constructor)
        : Json(value ? Json(*value) : Json())
    {
    }
    [[nodiscard]] static Json array(Array values = {});
    [[nodiscard]] static Json object(Object members = {});
    /// `decimal` must be a JSON number; it is kept as it is.
    [[nodiscard]] static Json number(std::string decimal);

    /// Strict RFC 8259 over UTF-8. Refuses duplicate object keys, lone surrogates, NaN and
    /// infinities, invalid UTF-8, more than `kDepthMax` levels, and anything after the value. The
    /// error names line and column, counted from 1.
    [[nodiscard]] static Result<Json> parse(std::string_view text, const std::string &where = {});
    static constexpr int kDepthMax = 512;

    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] bool isNull() const { return m_kind == Kind::Null; }
    [[nodiscard]] bool isString() const { return m_kind == Kind::String; }
    [[nodiscard]] bool isNumber() const { return m_kind == Kind::Number; }
    [[nodiscard]] bool isArray() const { return m_kind == Kind::Array; }
    [[nodiscard]] bool isObject() const { return m_kind == Kind::Object; }

    /// The value of a Bool; false for other kinds.
    [[nodiscard]] bool boolean() const { return m_kind == Kind::Bool && m_bool; }
    /// Text of a String or the decimal text of a Number; empty for other kinds.
    [[nodiscard]] const std::string &text() const { return m_text; }
    /// The value of a Number that is a whole number within int64, however it is written (`1e2`).
    [[nodiscard]] std::optional<std::int64_t> integer() const;
    /// Elements of an Array; empty for other kinds.
    [[nodiscard]] const Array &items() const { return m_items; }
    [[nodiscard]] Array &items() { return m_items; }
    /// Members of an Object in their order; empty for other kinds.
    [[nodiscard]] const Object &members() const { return m_members; }
    [[nodiscard]] Object &members() { return m_members; }

    /// The member of that name, or nullptr. The pointer lives as long as this value is unchanged.
    [[nodiscard]] const Json *find(std::string_view name) const;
    /// The member of that name, or null.
    [[nodiscard]] const Json &operator[](std::string_view name) const;
    /// RFC 6901 pointer (`/a/0/b~1c`; empty is the whole document), or nullptr where nothing is.
    [[nodiscard]] const Json *at(std::string_view pointer) const;
    /// True for a well-formed RFC 6901 pointer.
    [[nodiscard]] static bool isPointer(std::string_view pointer);

    /// The bytes of this value as they stood in `document`, the text that `parse` was given; empty
    /// for a value that was not parsed.
    [[nodiscard]] std::string_view sourceIn(std::string_view document) const
    {
        return document.substr(m_begin, m_end - m_begin);
    }

    /// Adds or replaces a member of an Object (null becomes an object first); returns *this to
    /// chain.
    Json &set(std::string name, Json value);
    /// Adds an element to an Array (null becomes an array first).
    void push(Json value);
    /// A copy without what the pointers name, where it is there. All pointers count from this
    /// value, so that `/a/0` and `/a/1` leave out the first two elements. The empty pointer names
    /// nothing that could be left out.
    [[nodiscard]] Json without(const std::vector<std::string> &pointers) const;

    /// Compact text; members in their order, numbers as they were written.
    [[nodiscard]] std::string dump() const;
    /// Text for people: two spaces a level.
    [[nodiscard]] std::string pretty() const;
    /// The canonical form of design section 3: members sorted by the bytes of their names, numbers
    /// by exact value (canonicalDecimal), the shortest escapes, no white space.
    [[nodiscard]] std::string canonical() const;
    /// Equal by value: member order and the spelling of numbers do not matter.
    [[nodiscard]] bool sameValue(const Json &other) const
    {
        return canonical() == other.canonical();
    }

private:
    friend class JsonParser;
    Kind m_kind = Kind::Null;
    bool m_bool = false;
    std::string m_text;
    Array m_items;
    Object m_members;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
};

/// One spelling for one decimal value: `-0`, `0.00` and `0e9` give `0`; `1`, `1.0` and `1e0` give
/// `1`; values are written out (`4900`, `12.5`, `0.001`) up to 40 digits before and 7 zeros after
/// the point, others as `d.ddde±n`; never with a zero that means nothing. `decimal` must be a JSON
/// number whose exponent fits 18 digits (Json::parse refuses others).
[[nodiscard]] std::string canonicalDecimal(std::string_view decimal);

/// The JSON string literal of UTF-8 text, quotes included. Bytes that are not UTF-8 become U+FFFD:
/// callers that must not lose bytes send base64.
[[nodiscard]] std::string jsonQuote(std::string_view text);

} // namespace reprise

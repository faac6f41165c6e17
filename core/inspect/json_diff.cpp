#include "core/inspect/json_diff.h"

#include <algorithm>
#include <unordered_map>

namespace reprise {

namespace {

/// Members are found by a table above this count: a search through all of them for each would take
/// minutes on an object of a hundred thousand members.
constexpr std::size_t kLinearSearchMax = 16;

/// Members of one object by name.
class MemberIndex
{
public:
    explicit MemberIndex(const Json &object)
        : m_object(object)
    {
        if (object.members().size() <= kLinearSearchMax)
            return;
        m_table.reserve(object.members().size());
        for (const auto &[name, value] : object.members())
            m_table.emplace(name, &value);
    }
    [[nodiscard]] const Json *find(std::string_view name) const
    {
        if (m_object.members().size() <= kLinearSearchMax)
            return m_object.find(name);
        const auto found = m_table.find(name);
        return found == m_table.end() ? nullptr : found->second;
    }

private:
    const Json &m_object;
    std::unordered_map<std::string_view, const Json *> m_table;
};

bool sameScalar(const Json &left, const Json &right)
{
    if (left.kind() != right.kind())
        return false;
    switch (left.kind()) {
    case Json::Kind::Null:
        return true;
    case Json::Kind::Bool:
        return left.boolean() == right.boolean();
    case Json::Kind::Number:
        return left.text() == right.text()
            || canonicalDecimal(left.text()) == canonicalDecimal(right.text());
    case Json::Kind::String:
        return left.text() == right.text();
    case Json::Kind::Array:
    case Json::Kind::Object:
        return left.items().empty() && right.items().empty() && left.members().empty()
            && right.members().empty();
    }
    return false;
}

/// One comparison. The pointer is one text that grows and shrinks, so that deep documents do not
/// cost a copy of their path at every level.
class Comparison
{
public:
    Comparison(const JsonDiffOptions &options, JsonDiff &out)
        : m_options(options)
        , m_out(out)
    {
    }

    [[nodiscard]] bool stopped() const { return m_stopped; }

    // NOLINTNEXTLINE(misc-no-recursion): bounded by Json::kDepthMax
    void compare(const Json &left, const Json &right)
    {
        m_stopped = m_stopped || (m_options.stop != nullptr && *m_options.stop);
        if (m_stopped)
            return;
        const bool objects = left.isObject() && right.isObject();
        const bool arrays = left.isArray() && right.isArray();
        if (objects && !(left.members().empty() && right.members().empty()))
            compareMembers(left, right);
        else if (arrays && !(left.items().empty() && right.items().empty()))
            compareItems(left, right);
        else
            add(sameScalar(left, right) ? JsonChange::Same : JsonChange::Changed, &left, &right);
    }

private:
    void compareMembers(const Json &left, const Json &right) // NOLINT(misc-no-recursion)
    {
        const MemberIndex ofRight(right);
        for (const auto &[name, value] : left.members()) {
            const Json *other = ofRight.find(name);
            const std::size_t length = enter(name);
            if (other != nullptr)
                compare(value, *other);
            else
                add(JsonChange::Removed, &value, nullptr);
            m_pointer.resize(length);
        }
        const MemberIndex ofLeft(left);
        for (const auto &[name, value] : right.members()) {
            if (ofLeft.find(name) != nullptr)
                continue;
            const std::size_t length = enter(name);
            add(JsonChange::Added, nullptr, &value);
            m_pointer.resize(length);
        }
    }

    void compareItems(const Json &left, const Json &right) // NOLINT(misc-no-recursion)
    {
        const std::size_t count = std::max(left.items().size(), right.items().size());
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t length = enter(std::to_string(i));
            if (i >= right.items().size())
                add(JsonChange::Removed, &left.items()[i], nullptr);
            else if (i >= left.items().size())
                add(JsonChange::Added, nullptr, &right.items()[i]);
            else
                compare(left.items()[i], right.items()[i]);
            m_pointer.resize(length);
        }
    }

    /// Appends one step to the pointer; answers the length to go back to.
    std::size_t enter(std::string_view step)
    {
        const std::size_t length = m_pointer.size();
        m_pointer += '/';
        for (const char c : step) {
            if (c == '~')
                m_pointer += "~0";
            else if (c == '/')
                m_pointer += "~1";
            else
                m_pointer += c;
        }
        return length;
    }

    [[nodiscard]] bool isVolatileHere() const
    {
        return std::any_of(m_options.volatilePointers.begin(), m_options.volatilePointers.end(),
            [&](const std::string &path) {
                return m_pointer.starts_with(path)
                    && (m_pointer.size() == path.size() || m_pointer[path.size()] == '/');
            });
    }

    void add(JsonChange change, const Json *left, const Json *right)
    {
        const bool volatileHere = isVolatileHere();
        if (change != JsonChange::Same) {
            ++m_out.differences;
            m_out.volatileDifferences += volatileHere ? 1 : 0;
        } else if (!m_options.withSame) {
            return;
        }
        if (m_out.rows.size() >= m_options.rowsMax) {
            m_out.cut = true;
            return;
        }
        m_out.rows.push_back({m_pointer, change, left != nullptr ? left->dump() : std::string(),
            right != nullptr ? right->dump() : std::string(), volatileHere});
    }

    const JsonDiffOptions &m_options;
    JsonDiff &m_out;
    std::string m_pointer;
    bool m_stopped = false;
};

std::string headerFor(const JsonDiff &diff)
{
    if (diff.differences == 0)
        return "same JSON";
    std::string header = std::to_string(diff.differences)
        + (diff.differences == 1 ? " difference" : " differences");
    if (diff.volatileDifferences > 0)
        header += " (" + std::to_string(diff.volatileDifferences) + " volatile)";
    return header;
}

std::string bytesHeader(
    std::string_view left, std::string_view right, bool leftIsJson, bool rightIsJson)
{
    const auto parting = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
    const auto offset = static_cast<std::size_t>(parting.first - left.begin());
    std::string side = "neither side is JSON";
    if (leftIsJson || rightIsJson)
        side = leftIsJson ? "right is not JSON" : "left is not JSON";
    return "different bytes from offset " + std::to_string(offset) + " on ("
        + std::to_string(left.size()) + " and " + std::to_string(right.size()) + " bytes); " + side;
}

} // namespace

std::string_view name(JsonChange change)
{
    switch (change) {
    case JsonChange::Same:
        return "same";
    case JsonChange::Changed:
        return "changed";
    case JsonChange::Added:
        return "added";
    case JsonChange::Removed:
        return "removed";
    }
    return "?";
}

Result<JsonDiff> diffJson(const Json &left, const Json &right, const JsonDiffOptions &options)
{
    JsonDiff diff;
    Comparison comparison(options, diff);
    comparison.compare(left, right);
    if (comparison.stopped())
        return fail(ErrorCode::Cancelled, "the comparison was stopped");
    diff.header = headerFor(diff);
    return diff;
}

Result<JsonDiff> diffPayloads(
    std::string_view left, std::string_view right, const JsonDiffOptions &options)
{
    const auto leftJson = Json::parse(left);
    const auto rightJson = Json::parse(right);
    JsonDiff diff;
    if (leftJson && rightJson) {
        ASSIGN_OR_RETURN(diff, diffJson(*leftJson, *rightJson, options));
    } else {
        diff.basis = DiffBasis::Bytes;
        diff.differences = left == right ? 0 : 1;
        diff.header = bytesHeader(left, right, leftJson.has_value(), rightJson.has_value());
    }
    if (left == right) {
        diff.basis = DiffBasis::IdenticalBytes;
        diff.header = "identical bytes";
    }
    return diff;
}

} // namespace reprise

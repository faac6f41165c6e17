#include "core/base/json.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace reprise {

namespace {

const Json kNull;

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

} // namespace

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

} // namespace reprise

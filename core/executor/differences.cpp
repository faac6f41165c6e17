#include "core/executor/executor.h"

#include <algorithm>

namespace reprise {

namespace {

constexpr const char *kAbsent = "absent";

std::string step(const std::string &name)
{
    std::string out = "/";
    for (const char c : name) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}

void compare(const Json &recorded, const Json &given, const std::string &pointer,
    std::vector<FieldDifference> &out) // NOLINT(misc-no-recursion): bounded by Json::kDepthMax
{
    if (recorded.isObject() && given.isObject()) {
        for (const auto &[name, value] : recorded.members()) {
            if (const Json *other = given.find(name); other != nullptr)
                compare(value, *other, pointer + step(name), out);
            else
                out.push_back({pointer + step(name), value.dump(), kAbsent});
        }
        for (const auto &[name, value] : given.members())
            if (recorded.find(name) == nullptr)
                out.push_back({pointer + step(name), kAbsent, value.dump()});
        return;
    }
    if (recorded.isArray() && given.isArray()) {
        const std::size_t count = std::max(recorded.items().size(), given.items().size());
        for (std::size_t i = 0; i < count; ++i) {
            const std::string here = pointer + "/" + std::to_string(i);
            if (i >= given.items().size())
                out.push_back({here, recorded.items()[i].dump(), kAbsent});
            else if (i >= recorded.items().size())
                out.push_back({here, kAbsent, given.items()[i].dump()});
            else
                compare(recorded.items()[i], given.items()[i], here, out);
        }
        return;
    }
    if (!recorded.sameValue(given))
        out.push_back({pointer, recorded.dump(), given.dump()});
}

} // namespace

std::vector<FieldDifference> jsonDifferences(const Json &recorded, const Json &given)
{
    std::vector<FieldDifference> differences;
    compare(recorded, given, {}, differences);
    return differences;
}

} // namespace reprise

#pragma once

#include <algorithm>
#include <string>

namespace reprise::test {

/// JSON in tests, with single quotes for double ones: moc of Qt 6.4 loses a class whose inline
/// functions hold raw string literals with brackets.
inline std::string quoted(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

} // namespace reprise::test

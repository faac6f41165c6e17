#pragma once

#include <string_view>

/// Files of resources/ that are compiled into the library (resources/embed.cmake).
namespace reprise::embedded {

extern const std::string_view schema001Sql;
extern const std::string_view importMappingJson;
extern const std::string_view suspectRulesJson;

} // namespace reprise::embedded

#pragma once

#include <string_view>

/// Files of resources/ that are compiled into the library (resources/embed.cmake).
namespace reprise::embedded {

extern const std::string_view kSchema001Sql;
extern const std::string_view kImportMappingJson;
extern const std::string_view kSuspectRulesJson;

} // namespace reprise::embedded

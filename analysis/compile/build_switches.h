// BuildSwitches: macros that a project's build files give every file, however the build is configured, and
// headers of export macros that CMake makes.
//
// Read from the text alone: what stands in a condition is left out, and variables are put in where the same
// text sets them to a plain value.
//
// Threading: pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle {

/// A header that `generate_export_header` makes.
struct ExportHeader {
  std::string fileName;             // without folders
  std::vector<std::string> macros;  // that a static library defines as nothing
};

struct BuildSwitches {
  std::map<std::string, std::string> macros;  // the value by name; "": without a value
  std::vector<ExportHeader> exports;
};

/// Of the text of a makefile (also Automake's) or a CMakeLists.txt. NDEBUG is left out, as assertions are
/// looked at, and so are names that belong to the compiler or speak of threads (isThreadSwitch).
BuildSwitches buildSwitchesOf(const std::string& text);

/// The names of headers in AC_CONFIG_HEADERS, with their folders.
std::vector<std::string> configuredHeaders(const std::string& configure);

/// A header that defines the macros as nothing.
std::string textOf(const ExportHeader& header);

}  // namespace heddle

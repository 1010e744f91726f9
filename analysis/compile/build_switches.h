// BuildSwitches: macros that a project's build files give every file, however the build is configured, and
// headers of export macros that CMake makes.
//
// Read from the text alone: what stands in a condition is left out, and variables are put in where the same
// text sets them to a plain value.
//
// Threading: pure functions.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compile/build_target.h"

namespace heddle {

/// A header that `generate_export_header` makes.
struct ExportHeader {
  std::string fileName;             // without folders
  std::vector<std::string> macros;  // that a static library defines as nothing
};

/// Stands for the project's root in front of a folder.
inline constexpr std::string_view kTopFolder = "@top_srcdir@";

struct BuildSwitches {
  Macros macros;  // of every file
  std::vector<ExportHeader> exports;
  std::vector<std::string> forced;  // headers that every file begins with: "-include config.h"
  /// Behind any -I, whatever it holds for: relative to the build file, or behind kTopFolder.
  std::vector<std::string> folders;
};

/// Adds the headers behind "-include", without folders that are variables.
void addForced(const std::string& line, std::vector<std::string>& headers);

/// Of the text of a makefile (also Automake's), a CMakeLists.txt or a meson.build. What belongs to one target
/// is not among it (makefile_targets.h, meson_targets.h). NDEBUG is left out, as assertions are looked at,
/// and so are names that belong to the compiler or speak of threads (isThreadSwitch).
BuildSwitches buildSwitchesOf(const std::string& text);

/// The -D of a line, with the values of variables put in.
void addMacros(const std::string& line, const Macros& variables, Macros& macros);

/// The names behind the -D of a text that turn threads on (isThreadSwitch), but for _GNU_SOURCE.
std::set<std::string> threadSwitchesIn(const std::string& text);

/// A line ends where no backslash stands before its end.
std::vector<std::string> logicalLines(const std::string& text);

/// The names and values of lines "NAME = value" whose values name no other variable; the first counts.
Macros plainVariables(const std::vector<std::string>& lines);

/// How a line of a makefile or a CMakeLists.txt changes the number of conditions that it lies within.
int conditionChange(const std::string& line);

/// What stands between any of the characters.
std::vector<std::string> wordsOf(const std::string& text, std::string_view between);

/// Macros that no file is given: NDEBUG, as assertions are looked at, and those of the compiler.
bool isLeftOut(const std::string& name);

/// The names of headers in AC_CONFIG_HEADERS, with their folders.
std::vector<std::string> configuredHeaders(const std::string& configure);

/// Where below the root configure.ac has the header made, so that it is included by `name`: the folder that
/// `file`, relative to the root, lies in, else the first one. Nothing: nowhere.
std::optional<std::string> configuredFolder(const std::string& configure, const std::string& name,
                                            const std::string& file);

/// A header that defines the macros as nothing.
std::string textOf(const ExportHeader& header);

}  // namespace heddle

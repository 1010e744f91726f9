// CMakeProject: what a project's CMakeLists.txt configure on this system when nobody asks for anything
// special: the macros of each file, and the values that headers are made with.
//
// The commands are followed from the root's CMakeLists.txt on, with three values: what lies behind a
// condition that is not known (a package that may be installed) is left out, and what it sets is not known.
// No command is run, and only files below the root are read.
//
// Threading: pure functions, for one thread at a time per BuildChecks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/compile/build_checks.h"
#include "analysis/compile/build_target.h"

namespace heddle {

struct CMakeProject {
  std::vector<BuildTarget> targets;       // in the order of the text
  std::map<std::string, Macros> folders;  // of each folder whose CMakeLists.txt was read
  /// Values by the path of a template and the name of the variable.
  std::map<std::string, std::map<std::string, std::string>> templates;
};

CMakeProject configureByCMake(const std::string& root, BuildChecks& checks);

/// `-DNAME=VALUE` or `NAME=VALUE` in a definition of CMake.
void addDefinition(const std::string& definition, Macros& macros);

}  // namespace heddle

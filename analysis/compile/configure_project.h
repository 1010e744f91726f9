// ConfigureProject: what a project's configure.ac comes to on this system when nobody asks for anything
// special: what AC_DEFINE defines, and the values of its variables.
//
// A script that is written by hand (auto/configure) is followed in the same way, with the files that it
// sources; it defines what its here documents define.
//
// Its macros and commands are followed with three values, as CMake's are (cmake_project.h). No command is
// run; macros that the project defines itself (m4/) are followed as well. Only files below the root are read.
//
// Threading: pure functions, for one thread at a time per BuildChecks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/compile/build_checks.h"
#include "analysis/compile/cmake_project.h"

namespace heddle {

struct ConfigureProject {
  Macros defined;                                // by AC_DEFINE
  std::map<std::string, std::string> variables;  // those that are known
  Macros macros;                                 // -D in CPPFLAGS and CFLAGS
  std::vector<std::string> forced;               // headers behind -include there
};

ConfigureProject configureByAutoconf(const std::string& root, BuildChecks& checks);

}  // namespace heddle

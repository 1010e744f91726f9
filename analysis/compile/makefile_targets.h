// MakefileTargets: which files of a makefile (also Automake's) are compiled with macros of their own:
// "foo_CFLAGS = -DX", "foo: CFLAGS += -DX", and rules whose commands compile.
//
// Read from the text alone; what stands in a condition is left out.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/compile/build_target.h"

namespace heddle {

/// In the order of the text; sources as they are written, with variables replaced as far as they are known.
std::vector<BuildTarget> makefileTargets(const std::string& text);

/// The same of a meson.build: what `executable()`, `library()` and the like compile with `c_args`.
std::vector<BuildTarget> mesonTargets(const std::string& text);

/// What add_project_arguments() and add_global_arguments() give every file.
Macros mesonMacros(const std::string& text);

}  // namespace heddle

// ProgramCommands: makes the files of one program agree on what a build decides for all of them, where their
// commands are inferred (inferred_flags.h).
//
// Threading: pure function.
#pragma once

#include <vector>

#include "analysis/compile/compile_command.h"

namespace heddle {

/// A file that several targets compile is read as in the target of the first one, where that is among them. A
/// switch that all of one file lies within is set for each. What is changed is named in `source`.
void readAsOneProgram(CompileCommand& first, const std::vector<CompileCommand*>& others);

}  // namespace heddle

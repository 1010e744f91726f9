// NativeBuild: makes an executable of a NativeProgram with the Clang of the system, and nothing else. The
// only place from which a compiler is started, and only for `heddle reproduce`, `heddle build` and the
// editor's commands of these names, on request; what it makes is never run here.
//
// Threading: any thread.
#pragma once

#include <string>
#include <vector>

#include "analysis/enforce/native_program.h"

namespace heddle {

/// Why no executable may be written there (what lies there is not one), or empty.
std::string problemWithOutput(const std::string& output);

/// Writes the executable to `output`; empty, or what went wrong. `options`: for Clang, after ours.
std::string buildNative(const NativeProgram& program, const std::string& output,
                        const std::vector<std::string>& options);

}  // namespace heddle

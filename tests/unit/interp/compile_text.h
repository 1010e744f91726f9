// C text to a program, kept apart so that only one file of the tests includes LLVM.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/program/program.h"

namespace heddle::test {

/// Compiles; fails the test and returns null when `text` does not compile.
std::unique_ptr<Program> compileProgram(const std::string& text, const std::vector<std::string>& flags = {},
                                        const Environment& environment = {});

}  // namespace heddle::test

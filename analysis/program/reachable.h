// Reachable: which functions of a program an execution can come to, as far as calls and addresses tell. They
// are too many rather than too few. The code of the other functions does not matter to any result.
//
// Threading: pure function.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/program/program.h"

namespace heddle {

/// Functions with a body that executions beginning in `entry` may enter, in order of their numbers. Every
/// function whose address a reachable function or a global variable holds counts as entered.
std::vector<FunctionId> reachableFunctions(const Program& program, FunctionId entry);

/// Whether one of the functions calls the library's function of that name, or holds its address, as global
/// variables may.
bool mayCallLibrary(const Program& program, const std::vector<FunctionId>& functions, std::string_view name);

/// Whether the function of a library, by its name, starts a thread.
bool isThreadCreator(std::string_view name);

}  // namespace heddle

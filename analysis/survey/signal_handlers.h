// SignalHandlers: functions that a file hands to `signal` or puts into a `struct sigaction`.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <set>
#include <string>

#include "clang/AST/Stmt.h"

namespace heddle {

/// Adds the names of those that the statement, or the initial value, hands over.
void addSignalHandlers(const clang::Stmt& text, std::set<std::string>& handlers);

}  // namespace heddle

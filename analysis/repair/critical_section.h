// CriticalSection: writes a lock before a region and an unlock at every way out of it.
//
// Ways out: the end, return (its value is computed while the mutex is held), break, continue and goto to
// outside, pthread_exit. Calls that lock or unlock the same mutex inside the region are taken away: the
// region was merged with them before.
//
// Threading: as the syntax tree.
#pragma once

#include <string>

#include "analysis/repair/function_shape.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/text_edits.h"

namespace heddle {

/// `mutex`: an expression for its address, "&m". Returns an empty text, or why the region cannot be one (then
/// `edits` is of no use).
std::string writeCriticalSection(const FunctionShape& shape, const Region& region, const std::string& mutex,
                                 TextEdits& edits, const LockFunctions& functions = {});

/// For a loop whose condition alone needs the mutex: it is held while the loop's head is evaluated and free
/// while its body runs. `loop` is a while, do or for statement that neither contains a lock nor an unlock of
/// `mutex`.
std::string writeLoopHead(const FunctionShape& shape, const clang::Stmt* loop, const std::string& mutex,
                          TextEdits& edits);

/// For an `if` or `switch`-less condition: the mutex is held while the condition is evaluated and released
/// first thing in either branch.
std::string writeIfHead(const FunctionShape& shape, const clang::IfStmt* branch, const std::string& mutex,
                        TextEdits& edits);

/// Control can reach what stands behind the statement, as far as its own form tells.
bool completes(const clang::Stmt* statement);

}  // namespace heddle

// CriticalSection: writes a lock before a region and an unlock at every way out of it.
//
// Ways out are: the end, return (its value is computed while the mutex is held), break, continue and goto
// to a place outside, pthread_exit. Calls that lock or unlock the same mutex inside the region are removed,
// because the region was merged with their sections before.
//
// Threading: as the syntax tree.
#pragma once

#include <string>

#include "analysis/repair/function_shape.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/text_edits.h"

namespace heddle {

/// `mutex`: an expression for its address, "&m". Returns an empty text, or why the region cannot be a
/// critical section; then `edits` must be discarded.
std::string writeCriticalSection(const FunctionShape& shape, const Region& region, const std::string& mutex,
                                 TextEdits& edits, const LockFunctions& functions = {});

/// For a loop of which only the condition needs the mutex: the mutex is held while the loop's head is
/// evaluated and free while its body runs. `loop` must be a while, do or for statement without a lock or an
/// unlock of `mutex`.
std::string writeLoopHead(const FunctionShape& shape, const clang::Stmt* loop, const std::string& mutex,
                          TextEdits& edits);

/// For an `if` of which only the condition needs the mutex: the mutex is held while the condition is
/// evaluated, and each branch begins with its release.
std::string writeIfHead(const FunctionShape& shape, const clang::IfStmt* branch, const std::string& mutex,
                        TextEdits& edits);

/// True if control can reach what comes after the statement, as far as the statement's own form tells.
bool completes(const clang::Stmt* statement);

}  // namespace heddle

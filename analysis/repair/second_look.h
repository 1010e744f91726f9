// SecondLook: the inner test of a double check (`if (!ready) { lock; if (!ready) …`), which becomes
// redundant when one critical section contains both tests.
//
// Threading: as the syntax tree.
#pragma once

#include "analysis/repair/function_shape.h"
#include "analysis/repair/statement_writer.h"

namespace heddle {

/// `lock`: a call that is removed, because the section that is being written begins before it. If an `if`
/// right after it tests a condition that is already decided there, the body of that `if` replaces it. The
/// condition is decided by an `if` around both, or by an `if` right before them that leaves if it does not
/// hold.
void dropSecondLook(const FunctionShape& shape, const clang::Stmt* lock, StatementWriter& writer);

}  // namespace heddle

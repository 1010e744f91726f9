// SecondLook: the inner test of a double check (`if (!ready) { lock; if (!ready) …`), which has nothing left
// to decide when one critical section holds both.
//
// Threading: as the syntax tree.
#pragma once

#include "analysis/repair/function_shape.h"
#include "analysis/repair/statement_writer.h"

namespace heddle {

/// `lock`: a call that goes, for the section that is being written begins before it. Where an `if` right
/// behind it tests what is decided there already (by the `if` around both, or by one right before it that
/// leaves when it does not hold), its body takes its place.
void dropSecondLook(const FunctionShape& shape, const clang::Stmt* lock, StatementWriter& writer);

}  // namespace heddle

// MemberName: how a function names a member (a mutex, a condition variable) of the object that it works on.
//
// Threading: as the syntax tree.
#pragma once

#include <string>
#include <vector>

#include "analysis/repair/function_shape.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// "q->lock", for the object of the member's record whose members the statements access; where they access
/// none, for the one variable of that type that is declared before them. It means the same object all over
/// the statements. Empty: nothing there names one.
std::string memberNamedIn(const clang::FieldDecl& field, const FunctionShape& shape,
                          const std::vector<const clang::Stmt*>& statements);

/// The member whose address the expression is: `lock` of "&q->lock"; null: it is none.
const clang::FieldDecl* memberOf(const clang::Expr* address);

}  // namespace heddle

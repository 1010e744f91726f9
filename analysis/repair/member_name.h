// MemberName: how a function names a member (a mutex, a condition variable) of the object that it works on.
//
// Threading: as the syntax tree.
#pragma once

#include <string>
#include <vector>

#include "analysis/repair/function_shape.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// "q->lock", for the object of the member's record whose members the statements access. If they access
/// none, it is for the only variable of that type that is declared before them. The name means the same
/// object in all the statements. Empty: nothing there names such an object.
std::string memberNamedIn(const clang::FieldDecl& field, const FunctionShape& shape,
                          const std::vector<const clang::Stmt*>& statements);

/// The member whose address the expression takes: `lock` for "&q->lock"; null: it is no address of a
/// member.
const clang::FieldDecl* memberOf(const clang::Expr* address);

}  // namespace heddle

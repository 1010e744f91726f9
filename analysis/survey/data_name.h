// DataName: how surveys name data and locks, so that two functions mean the same by one name.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <string>

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {

/// "struct.member", whatever the object; empty: the member is no field.
std::string memberName(const clang::MemberExpr& member);

}  // namespace heddle

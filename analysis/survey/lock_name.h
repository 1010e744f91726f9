// LockName: what surveys call the lock of a call, so that two functions mean the same lock by one name.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <string>

#include "clang/AST/Expr.h"

namespace heddle {

/// What an expression points to where it is an address, else the expression itself.
const clang::Expr* withoutAddress(const clang::Expr* expression);

/// The lock that `call` takes or releases, named like data; "?": its text does not tell. A function without
/// arguments means the lock that its own text names, else one that is called like the function that takes it:
/// "lock_jobs()". Of a function that is given an object and a constant, the constant tells which lock it is.
std::string lockNameOf(const clang::CallExpr& call);

}  // namespace heddle

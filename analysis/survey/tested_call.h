// TestedCall: a call whose result decides where a block of a function goes on.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "clang/AST/Expr.h"
#include "clang/Analysis/CFG.h"

namespace heddle {

/// A call whose result decides where the block goes on.
struct TestedCall {
  const clang::CallExpr* call = nullptr;
  bool isZeroOnFirst = false;  // the first successor is taken when it returned zero
};

/// Its `call` is null where the block ends otherwise.
TestedCall testedCall(const clang::CFGBlock& block);

/// Without what only the compiler is told (`__builtin_expect`), casts and parentheses.
const clang::Expr* withoutHint(const clang::Expr* condition);

/// What decides which of two ways the block goes on by; null: it ends otherwise, or it is a switch.
const clang::Expr* branchCondition(const clang::CFGBlock& block);

}  // namespace heddle

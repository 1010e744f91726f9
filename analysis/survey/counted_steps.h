// Counted steps: what one statement does to a count, of an object's references or of the process, and which
// variable its object is in. Functions are known by their names.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <utility>

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringRef.h"

namespace heddle {

enum class CountChange : uint8_t { None, Raised, Lowered };

/// The name of the function that is called; empty: a pointer leads to it.
llvm::StringRef countedCallName(const clang::CallExpr& call);

/// The variable that a place, or an address, begins with: `cache` of "&cache->nodes[i].next"; null: none.
const clang::VarDecl* countedRoot(const clang::Expr* place);

/// The local pointer that an expression is; null: it is something else.
const clang::VarDecl* countedPointer(const clang::Expr& expression);

/// A member, an element or what a pointer leads to, and no variable itself.
bool isObjectPart(const clang::Expr& expression);

/// What is changed by some number, and how: by an operator, an atomic operation or a function with such a
/// name.
std::pair<const clang::Expr*, CountChange> countChangeOf(const clang::Stmt& statement);

/// The object whose count of references the statement raises; null: none.
const clang::VarDecl* countRaisedBy(const clang::Stmt& statement);

/// The function, which has a body, or one that it calls, raises such a count.
bool raisesSomeCount(const clang::FunctionDecl& function);

/// `pthread_once_t`, by whatever name.
bool isOnceType(clang::QualType type);

/// The variable of the process that an expression, or what it takes the address of, is (in); null: none.
const clang::VarDecl* processData(const clang::Expr& expression);

}  // namespace heddle

// AtomicOperation: what an expression does to an atomic object, whether it is written with <stdatomic.h>,
// with the compiler's own functions, or as a plain read of an _Atomic object.
//
// Threading: as the syntax tree.
#pragma once

#include <string>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace heddle {

struct AtomicOperation {
  enum class Kind : uint8_t { Load, Store, Add, Subtract, Other };
  Kind kind = Kind::Other;
  const clang::Expr* expression = nullptr;
  std::string object;                             // as it is printed: "meter->highest"
  const clang::Expr* value = nullptr;             // that is stored, added or subtracted
  bool isCompilers = false;                       // __atomic_load_n, not atomic_load
  bool givesNew = false;                          // __atomic_sub_fetch: its value is that after the change
  const clang::ValueDecl* declaration = nullptr;  // the variable or member, if the call names one
  bool isInitialization = false;
};

/// The operations below `root`, in the order of the tree.
std::vector<AtomicOperation> atomicOperations(const clang::Stmt* root, const clang::ASTContext& context);

/// Those of one object.
std::vector<AtomicOperation> operationsOn(const std::string& object, const clang::Stmt* root,
                                          const clang::ASTContext& context);

/// A function that changes by an operation of its own (as atomic_fetch_and) what some code outside of
/// `inside` does not exclude, and that `inside` loads and then stores; empty: there is none. A lock around
/// load and store is none against it.
std::string changesBetween(const std::vector<const clang::Stmt*>& inside, const clang::ASTContext& context);

/// Doing it again, or not at all, makes no difference but to local variables: no call of what may change
/// anything, no assignment to anything else, and no jump but returns.
bool isRepeatable(const clang::Stmt* statement);

}  // namespace heddle

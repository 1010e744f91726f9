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
  std::string object;                             // as Clang prints it: "meter->highest"
  const clang::Expr* value = nullptr;             // the value that is stored, added or subtracted
  bool isCompilers = false;                       // __atomic_load_n, not atomic_load
  bool givesNew = false;                          // __atomic_sub_fetch: it returns the value after the change
  const clang::ValueDecl* declaration = nullptr;  // the variable or member, if the call names one
  bool isInitialization = false;
};

/// The operations below `root`, in the order of the tree.
std::vector<AtomicOperation> atomicOperations(const clang::Stmt* root, const clang::ASTContext& context);

/// The operations on one object.
std::vector<AtomicOperation> operationsOn(const std::string& object, const clang::Stmt* root,
                                          const clang::ASTContext& context);

/// The name of a function that can change an object between the load and the store of it in `inside`,
/// because code outside of `inside` changes the object by an operation of its own (such as
/// atomic_fetch_and); empty: there is none. A lock around the load and the store does not exclude such an
/// operation.
std::string changesBetween(const std::vector<const clang::Stmt*>& inside, const clang::ASTContext& context);

/// True if executing the statement again, or not at all, only affects local variables: it has no call that
/// may change anything, no assignment to anything but local variables, and no jumps except returns.
bool isRepeatable(const clang::Stmt* statement);

}  // namespace heddle

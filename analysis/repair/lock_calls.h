// LockCalls: the calls that acquire and release one mutex, as they stand in a function.
//
// A mutex is known by the expression that names it ("&m", "&q->lock"), as Clang prints it.
// Threading: as the syntax tree.
#pragma once

#include <set>
#include <string>

#include "analysis/repair/function_shape.h"
#include "clang/AST/Expr.h"

namespace heddle {

/// The expression as Clang prints it, without white space differences of the source.
std::string printed(const clang::Expr& expression, const clang::ASTContext& context);

/// The call that a statement consists of, without casts to void; null if it is not a call.
const clang::CallExpr* callOf(const clang::Stmt* statement);

/// The name of the function that is called; empty for calls through pointers.
std::string calleeName(const clang::CallExpr& call);

/// The functions that acquire and release some kind of lock.
struct LockFunctions {
  std::string lock = "pthread_mutex_lock";
  std::string unlock = "pthread_mutex_unlock";
};

class LockCalls {
 public:
  LockCalls(const FunctionShape& shape, std::string mutex, LockFunctions functions = {})
      : shape_(shape), mutex_(std::move(mutex)), functions_(std::move(functions)) {}

  bool isLock(const clang::Stmt* statement) const { return isCall(statement, functions_.lock); }
  bool isUnlock(const clang::Stmt* statement) const { return isCall(statement, functions_.unlock); }

  /// The lock call under which control reaches `statement`, as far as straight-line code tells; null: the
  /// mutex is not held.
  const clang::Stmt* holderAt(const clang::Stmt* statement) const;

  struct Merge {
    Region region;
    bool alreadyHeld = false;
    std::string problem;  // not empty: the region cannot be a critical section of this mutex
  };
  /// The region extended over every critical section of the mutex that it overlaps or touches, or from
  /// which only statements that use nothing but local variables separate it.
  Merge merged(Region region) const;

  /// A function called inside the region that acquires the mutex itself; empty if none is seen. The calls
  /// in `unmade` will be removed and do not count.
  std::string calleeThatLocks(const Region& region,
                              const std::set<const clang::CallExpr*>& unmade = {}) const;
  const FunctionShape& shape() const { return shape_; }
  const std::string& mutex() const { return mutex_; }
  const LockFunctions& functions() const { return functions_; }

 private:
  bool isCall(const clang::Stmt* statement, const std::string& function) const;
  const clang::Stmt* unlockAfter(const clang::CompoundStmt* block, size_t index) const;

  const FunctionShape& shape_;
  std::string mutex_;
  LockFunctions functions_;
};

}  // namespace heddle

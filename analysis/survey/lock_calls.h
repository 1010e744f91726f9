// Lock calls: which calls lock, release, destroy or wait, by the names of the functions. Projects wrap the
// thread library, and call their wrappers like what they wrap.
//
// Threading: pure functions.
#pragma once

#include "analysis/support/name_words.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringRef.h"

namespace heddle {

enum class LockCall : uint8_t { None, Lock, Unlock };

LockCall lockCallOf(llvm::StringRef name);

enum class LifeCall : uint8_t { None, Begin, End };

/// Whether the call initializes or destroys its lock or condition.
LifeCall lifeCallOf(const clang::CallExpr& call);
/// It starts a thread.
bool isThreadStart(llvm::StringRef name);
/// It may fail because another thread holds the lock.
bool isTry(llvm::StringRef name);
/// It waits for a condition, a semaphore, a barrier or the end of a thread.
bool isWait(llvm::StringRef name);
/// It waits for a condition, with a lock that it gives up meanwhile.
bool isConditionWait(llvm::StringRef name);

/// It asserts that its caller holds a lock.
bool isAssertionOfLock(llvm::StringRef name);

/// It wakes who waits for a condition, or its name says that it wakes somebody.
bool isSignal(llvm::StringRef name);

/// A function of the C library whose result lies in memory that all threads share (POSIX 2.9.1,
/// Thread-Safety).
bool hasSharedResult(llvm::StringRef name);

/// The argument that is the lock: the one whose type is called so, else the first; null: the call has none.
const clang::Expr* lockArgument(const clang::CallExpr& call);
/// Some argument points to a type of a lock, by the type's name.
bool hasLockArgument(const clang::CallExpr& call);

}  // namespace heddle

// LockBalance: what a patch changes in the number of locks that a function holds, on every way through it,
// also on ways that no exploration took.
//
// Threading: any thread; several at once.
#pragma once

#include <string>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct LockChange {
  /// Why a function is no longer balanced, one sentence without a period; empty: all functions are.
  std::string unbalanced;
  /// A call through a pointer that is made with a lock held and was not before ("timer->fire"); empty:
  /// there is none. The function that it calls may acquire the same lock.
  std::string heldCallback;
};

/// Counts calls that acquire a lock and calls that release one (sync_names.h), whichever lock it is.
/// Semaphores are left out because another thread may post them. A function is balanced if each of its
/// places is reached with only one count. The result names a function that was balanced and no longer is,
/// or that returns with more or fewer locks than before. It is empty if Clang has no tree.
LockChange lockChange(const Snapshot& before, const Snapshot& after);

}  // namespace heddle

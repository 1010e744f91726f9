// LockBalance: what a patch changes in the number of locks that a function holds, on every way through it,
// also on those that no exploration took.
//
// Threading: any thread; several at once.
#pragma once

#include <string>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct LockChange {
  /// Why a function is not balanced any more, one sentence without a period; empty: none is.
  std::string unbalanced;
  /// A call through a pointer that is made with a lock held, and was not before ("timer->fire"); empty: there
  /// is none. Whatever it calls may want the same lock.
  std::string heldCallback;
};

/// Locks are counted, whichever they are: calls that acquire one, and calls that give one back (sync_names.h,
/// without semaphores, which others may post). A function in which each place is reached with one count is
/// balanced; if it was before, and is not any more, or returns with a lock more or less where it did not,
/// that is told. Nothing is where Clang has no tree.
LockChange lockChange(const Snapshot& before, const Snapshot& after);

}  // namespace heddle

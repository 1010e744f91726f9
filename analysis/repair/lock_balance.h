// LockBalance: whether a patch leaves the number of locks that a function holds as it was, on every way
// through it, also on those that no exploration took.
//
// Threading: any thread; several at once.
#pragma once

#include <string>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

/// Locks are counted, whichever they are: calls that acquire one, and calls that give one back (sync_names.h,
/// without semaphores, which others may post). A function in which each place is reached with one count is
/// balanced; if it was before, and is not any more, or returns with a lock more or less where it did not, one
/// sentence without a period says so. Empty: there is none, or Clang has no tree.
std::string unbalancedFunction(const Snapshot& before, const Snapshot& after);

}  // namespace heddle

// LockedGetter: a function that acquires a lock for one read and returns what it read (`queue_size(q)`). If
// its caller is to hold that lock itself, the read replaces the call.
//
// Threading: as the syntax tree.
#pragma once

#include <set>

#include "analysis/repair/lock_calls.h"
#include "analysis/repair/plan_scene.h"
#include "clang/AST/Expr.h"

namespace heddle {

/// Replaces calls in the region by reads, and returns these calls. Their functions only lock the mutex of
/// `calls`, read one value and unlock the mutex, and their arguments have no side effects.
std::set<const clang::CallExpr*> readInPlace(PlanScene& scene, const LockCalls& calls, const Region& region);

/// Removes static functions that are named only in these calls.
void dropUnused(PlanScene& scene, const std::set<const clang::CallExpr*>& calls);

}  // namespace heddle

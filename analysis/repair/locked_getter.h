// LockedGetter: a function that takes a lock for one read and returns what it read (`queue_size(q)`). Where
// its caller is to hold that lock itself, the call becomes the read.
//
// Threading: as the syntax tree.
#pragma once

#include <set>

#include "analysis/repair/lock_calls.h"
#include "analysis/repair/plan_scene.h"
#include "clang/AST/Expr.h"

namespace heddle {

/// Calls of the region whose functions only lock the mutex of `calls`, read one value and unlock it, and
/// whose arguments have no side effects, become reads. Returns these calls.
std::set<const clang::CallExpr*> readInPlace(PlanScene& scene, const LockCalls& calls, const Region& region);

/// A static function that is named nowhere but in these calls goes with them.
void dropUnused(PlanScene& scene, const std::set<const clang::CallExpr*>& calls);

}  // namespace heddle

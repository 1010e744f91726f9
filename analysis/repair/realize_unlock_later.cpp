// An unlock that comes too early: what stands behind it in the same block still needs the lock. The unlock
// moves behind that, whichever object the lock belongs to: locks that are taken hand over hand are given back
// one statement later.
#include <algorithm>

#include "analysis/repair/lock_calls.h"
#include "analysis/repair/statement_move.h"
#include "analysis/repair/sync_names.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

/// What the lock would be held for is more than an access: nobody knows how long a call takes, or what it
/// locks.
bool calls(const clang::Stmt* statement) {
  const std::vector<const clang::Stmt*> all = FunctionShape::below(statement);
  return std::any_of(all.begin(), all.end(),
                     [](const clang::Stmt* s) { return llvm::isa<clang::CallExpr>(s); });
}

}  // namespace

void realizeUnlockLater(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().empty())
    return scene.fail("the plan names no access");
  const PlacedStatement use = placedStatement(scene, scene.plan.regions.front().front());
  if (use.statement == nullptr) return;
  if (calls(use.statement)) return scene.fail("the access is made by a call");
  for (const clang::Stmt* s : use.earlier) {
    const clang::CallExpr* call = s == withoutLabels(s) ? callOf(s) : nullptr;
    if (call == nullptr || call->getNumArgs() != 1) continue;
    if (isAcquisition(calleeName(*call))) break;
    if (!isRelease(calleeName(*call))) continue;
    moveBehind(scene, *use.shape, s, use.statement);
    const std::string lock = printed(*call->getArg(0), scene.context);
    scene.title = "unlock '" + (lock.starts_with("&") ? lock.substr(1) : lock) + "' only behind line " +
                  std::to_string(scene.plan.regions.front().front().place.line) + ", in '" +
                  use.shape->function().getName().str() + "'";
    return;
  }
  scene.fail("no lock is given back before the access in its block");
}

}  // namespace heddle

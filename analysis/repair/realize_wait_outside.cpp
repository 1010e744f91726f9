// A thread that waits for another one (at a semaphore, a barrier, a join) and holds a lock that this one
// needs first: it waits before it takes the lock, or behind the unlock.
#include <algorithm>

#include "analysis/repair/lock_calls.h"
#include "analysis/repair/statement_move.h"
#include "analysis/repair/sync_names.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

/// The call gives back what `acquisition` takes.
bool givesBack(const Stmt* statement, const clang::CallExpr& acquisition, const clang::ASTContext& context) {
  const clang::CallExpr* call = callOf(statement);
  const auto release = releases().find(calleeName(acquisition));
  return call != nullptr && release != releases().end() && call->getNumArgs() == 1 &&
         acquisition.getNumArgs() == 1 && calleeName(*call) == release->second &&
         printed(*call->getArg(0), context) == printed(*acquisition.getArg(0), context);
}

}  // namespace

void realizeWaitOutside(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().size() < 2)
    return scene.fail("the plan names no lock and no wait");
  const PlacedStatement lock = placedStatement(scene, scene.plan.regions.front().front());
  const PlacedStatement wait = placedStatement(scene, scene.plan.regions.front().back());
  if (lock.statement == nullptr || wait.statement == nullptr) return;
  const clang::CallExpr *taken = callOf(lock.statement), *waits = callOf(wait.statement);
  if (std::find(lock.later.begin(), lock.later.end(), wait.statement) == lock.later.end() ||
      taken == nullptr || waits == nullptr)
    return scene.fail("the lock and the wait are no two statements of one block");
  const std::string mutex = printed(*taken->getArg(0), scene.context);
  const std::string where = (scene.plan.count == 0 ? " before '" : " after '") +
                            (mutex.starts_with("&") ? mutex.substr(1) : mutex) +
                            (scene.plan.count == 0 ? "' is locked, in '" : "' is unlocked, in '") +
                            wait.shape->function().getName().str() + "'";
  scene.title = "call '" + calleeName(*waits) + "'" + where;
  if (scene.plan.count == 0) return moveBefore(scene, *wait.shape, wait.statement, lock.statement);
  const auto unlock = std::find_if(wait.later.begin(), wait.later.end(),
                                   [&](const Stmt* s) { return givesBack(s, *taken, scene.context); });
  if (unlock == wait.later.end()) return scene.fail("the lock is not given back in the block of the wait");
  moveBehind(scene, *wait.shape, wait.statement, *unlock);
}

}  // namespace heddle

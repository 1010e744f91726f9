// Lock order: a mutex that must come first is acquired where the one that came before it was, and held until
// where it was released.
#include <algorithm>

#include "analysis/repair/critical_section.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/plan_scene.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

/// The argument of the lock call in a statement; empty if there is none.
std::string mutexOf(const Stmt* statement, const clang::ASTContext& context) {
  for (const Stmt* s : FunctionShape::below(statement)) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
    if (call != nullptr && call->getNumArgs() == 1 && calleeName(*call) == "pthread_mutex_lock")
      return printed(*call->getArg(0), context);
  }
  return {};
}

}  // namespace

void realizeLockOrder(PlanScene& scene) {
  const std::vector<std::string>& order = scene.plan.lockOrder;
  const auto rank = [&](const SourceAccess& access) {
    return std::find(order.begin(), order.end(), access.object) - order.begin();
  };
  bool changed = false;
  for (const std::vector<SourceAccess>& region : scene.plan.regions)
    for (size_t late = 1; late < region.size(); ++late) {
      // The first acquisition that this one has to come before.
      size_t early = 0;
      while (early < late && rank(region[early]) <= rank(region[late])) ++early;
      if (early == late) continue;
      const FunctionShape* shape = nullptr;
      const Stmt* inner = scene.statementAt(region[late], shape);
      if (inner == nullptr) return;
      const std::string mutex = mutexOf(inner, scene.context);
      if (mutex.empty())
        return scene.fail("the acquisition of '" + region[late].object +
                          "' is no call of pthread_mutex_lock");
      const PlacedRegion placed = scene.place({region[early], region[late]});
      if (!scene.problem.empty()) return;
      const std::optional<Region> around = placed.shape->around(placed.statements);
      if (!around) return scene.fail("no block holds both acquisitions");
      const LockCalls calls(*placed.shape, mutex);
      const LockCalls::Merge merge = calls.merged(*around);
      if (!merge.problem.empty()) return scene.fail(merge.problem);
      if (merge.alreadyHeld) return scene.fail("'" + region[late].object + "' is held there already");
      const std::string callee = calls.calleeThatLocks(merge.region);
      if (!callee.empty())
        return scene.fail("'" + callee + "' acquires '" + region[late].object + "' itself");
      const std::string problem = writeCriticalSection(*placed.shape, merge.region, mutex, scene.edits);
      if (!problem.empty()) return scene.fail(problem);
      changed = true;
    }
  if (!changed) return scene.fail("all threads acquire the mutexes in this order already");
  scene.title = "acquire " + quotedList(order) + " in this order everywhere";
}

}  // namespace heddle

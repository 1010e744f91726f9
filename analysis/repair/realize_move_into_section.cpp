// A statement that stands just before a critical section moves into it: what it reads is guarded by what the
// next acquisition takes, of whatever kind that lock is.
#include <algorithm>

#include "analysis/repair/expression_text.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/statement_move.h"
#include "analysis/repair/sync_names.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

bool declares(const Stmt* statement, const clang::VarDecl& variable) {
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
  return declaration != nullptr &&
         std::find(declaration->decl_begin(), declaration->decl_end(), &variable) != declaration->decl_end();
}

/// `later` names nothing that `moved` declares or changes.
bool canComeBefore(const Stmt* later, const Stmt* moved) {
  const std::vector<const Stmt*> names = FunctionShape::below(later), code = FunctionShape::below(moved);
  return std::none_of(names.begin(), names.end(), [&](const Stmt* s) {
    const auto* expression = llvm::dyn_cast<clang::Expr>(s);
    const clang::VarDecl* variable = expression == nullptr ? nullptr : variableIn(expression);
    return variable != nullptr && (declares(moved, *variable) || changesIn(code, *variable));
  });
}

/// The acquisition, a statement, that follows in the block with only local work between; null: none.
const Stmt* acquisitionAfter(const PlacedStatement& moved) {
  for (const Stmt* s : moved.later) {
    if (s != withoutLabels(s) || !canComeBefore(s, moved.statement)) return nullptr;
    const clang::CallExpr* call = callOf(s);
    if (call != nullptr && isAcquisition(calleeName(*call))) return s;
    if (!usesOnlyLocals(s)) return nullptr;
  }
  return nullptr;
}

}  // namespace

void realizeMoveIntoSection(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().empty())
    return scene.fail("the plan names no access");
  const PlacedStatement moved = placedStatement(scene, scene.plan.regions.front().front());
  if (moved.statement == nullptr) return;
  const Stmt* acquisition = acquisitionAfter(moved);
  if (acquisition == nullptr) return scene.fail("no lock is acquired right behind the access");
  moveBehind(scene, *moved.shape, moved.statement, acquisition);
  const std::string mutex = printed(*callOf(acquisition)->getArg(0), scene.context);
  scene.title = "use " + quotedList(scene.plan.objects) + " with '" +
                (mutex.starts_with("&") ? mutex.substr(1) : mutex) + "' held, in '" +
                moved.shape->function().getName().str() + "'";
}

}  // namespace heddle

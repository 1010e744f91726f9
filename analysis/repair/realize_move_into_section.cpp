// A statement that stands just before a critical section moves into it: what it reads is guarded by what the
// next acquisition takes, of whatever kind that lock is.
#include <algorithm>

#include "analysis/repair/expression_text.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/plan_scene.h"
#include "analysis/repair/statement_writer.h"
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

/// The acquisition, a statement, that follows `statement` in its block with only local work between; null:
/// none.
const Stmt* acquisitionAfter(const FunctionShape& shape, const Stmt* statement) {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(shape.parent(statement));
  if (block == nullptr) return nullptr;
  bool behind = false;
  for (const Stmt* s : block->body()) {
    if (behind) {
      if (s != withoutLabels(s) || !canComeBefore(s, statement)) return nullptr;
      const clang::CallExpr* call = callOf(s);
      if (call != nullptr && isAcquisition(calleeName(*call))) return s;
      if (!usesOnlyLocals(s)) return nullptr;
    }
    behind = behind || s == statement;
  }
  return nullptr;
}

}  // namespace

void realizeMoveIntoSection(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().empty())
    return scene.fail("the plan names no access");
  const FunctionShape* shape = nullptr;
  const Stmt* moved = scene.statementAt(scene.plan.regions.front().front(), shape);
  if (moved == nullptr) return;
  if (!llvm::isa<clang::Expr, clang::DeclStmt>(moved))
    return scene.fail("the access stands in a branch or a loop");
  const Stmt* acquisition = acquisitionAfter(*shape, moved);
  if (acquisition == nullptr) return scene.fail("no lock is acquired right behind the access");
  StatementWriter writer(*shape, scene.edits);
  const auto from = writer.span(moved);
  if (!from) return scene.fail(writer.problem());
  writer.after(acquisition, std::string(writer.text(*from).substr(from->begin, from->end - from->begin)));
  writer.remove(moved);
  scene.fail(writer.problem());
  const std::string mutex = printed(*callOf(acquisition)->getArg(0), scene.context);
  scene.title = "use " + quotedList(scene.plan.objects) + " with '" +
                (mutex.starts_with("&") ? mutex.substr(1) : mutex) + "' held, in '" +
                shape->function().getName().str() + "'";
}

}  // namespace heddle

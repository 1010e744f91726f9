// A use that comes too late: the call right before it gives the object away, to a pool or another thread, and
// the statement still uses it. The call moves behind the statement.
#include <algorithm>

#include "analysis/repair/expression_text.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/plan_scene.h"
#include "analysis/repair/statement_writer.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

/// The statement reaches something through the variable.
bool goesThrough(const Stmt* statement, const clang::VarDecl& variable) {
  const std::vector<const Stmt*> all = FunctionShape::below(statement);
  return std::any_of(all.begin(), all.end(), [&](const Stmt* s) {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s))
      return member->isArrow() && variableIn(member->getBase()) == &variable;
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(s))
      return variableIn(element->getBase()) == &variable;
    const auto* target = llvm::dyn_cast<clang::UnaryOperator>(s);
    return target != nullptr && target->getOpcode() == clang::UO_Deref &&
           variableIn(target->getSubExpr()) == &variable;
  });
}

/// The local pointer that the call gets and the statement goes through; null: there is none.
const clang::VarDecl* givenAway(const clang::CallExpr& call, const Stmt* statement) {
  for (const clang::Expr* argument : call.arguments()) {
    const clang::VarDecl* variable = variableIn(argument);
    if (variable != nullptr && variable->hasLocalStorage() && goesThrough(statement, *variable))
      return variable;
  }
  return nullptr;
}

}  // namespace

void realizeUseBeforeCall(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().empty())
    return scene.fail("the plan names no access");
  const FunctionShape* shape = nullptr;
  const Stmt* use = scene.statementAt(scene.plan.regions.front().front(), shape);
  if (use == nullptr) return;
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(shape->parent(use));
  if (block == nullptr || !llvm::isa<clang::Expr, clang::DeclStmt>(use))
    return scene.fail("the access stands in a branch or a loop");
  const Stmt* before = nullptr;
  for (const Stmt* s : block->body()) {
    if (s == use) break;
    before = s;
  }
  const clang::CallExpr* call = before == withoutLabels(before) ? callOf(before) : nullptr;
  const clang::VarDecl* object = call == nullptr ? nullptr : givenAway(*call, use);
  // What the statement changes, the call would find changed.
  if (object == nullptr || changesIn(FunctionShape::below(use), *object))
    return scene.fail("no call right before the access gives its object away");
  StatementWriter writer(*shape, scene.edits);
  const auto from = writer.span(before);
  if (!from) return scene.fail(writer.problem());
  writer.after(use, std::string(writer.text(*from).substr(from->begin, from->end - from->begin)));
  writer.remove(before);
  scene.fail(writer.problem());
  scene.title = "use '" + object->getName().str() + "' before '" + calleeName(*call) +
                "' gives it away, in '" + shape->function().getName().str() + "'";
}

}  // namespace heddle

// A use that comes too late: the call right before it gives the object away, to a pool or another thread, and
// the statement still uses it, or counts it only then. The call moves behind the statement, or behind the
// section that counts.
#include <algorithm>

#include "analysis/repair/expression_text.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/statement_move.h"
#include "analysis/repair/sync_names.h"
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

/// The section that holds the use, in its block: the first lock before it and what gives that back behind it.
struct SectionAround {
  const Stmt *before = nullptr, *last = nullptr;  // the statement before the lock, the unlock
};

SectionAround sectionAround(const PlacedStatement& use) {
  SectionAround found;
  std::string release;
  for (size_t i = 0; i < use.earlier.size() && release.empty(); ++i) {
    const clang::CallExpr* call = callOf(use.earlier[i]);
    const auto pair = call == nullptr ? releases().end() : releases().find(calleeName(*call));
    if (pair == releases().end()) continue;
    release = pair->second;
    found.before = i + 1 < use.earlier.size() ? use.earlier[i + 1] : nullptr;
  }
  for (const Stmt* s : use.later)
    if (const clang::CallExpr* call = callOf(s);
        found.last == nullptr && call != nullptr && !release.empty() && calleeName(*call) == release)
      found.last = s;
  return found;
}

/// A call of a function of the program, a statement, that gets an object through a pointer.
const clang::CallExpr* handsOver(const Stmt* statement) {
  const clang::CallExpr* call =
      statement != nullptr && statement == withoutLabels(statement) ? callOf(statement) : nullptr;
  const clang::FunctionDecl* callee = call == nullptr ? nullptr : call->getDirectCallee();
  if (callee == nullptr || !callee->isDefined()) return nullptr;
  const bool getsObject = std::any_of(call->arg_begin(), call->arg_end(), [](const clang::Expr* argument) {
    return variableIn(argument) != nullptr && argument->getType()->isPointerType();
  });
  return getsObject ? call : nullptr;
}

bool changesSomething(const Stmt* statement) {
  const auto* step = llvm::dyn_cast<clang::UnaryOperator>(statement);
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
  return (step != nullptr && step->isIncrementDecrementOp()) ||
         (assignment != nullptr && assignment->isAssignmentOp());
}

/// What is counted in a section behind the call is counted before it.
void moveBehindSection(PlanScene& scene, const PlacedStatement& use) {
  const SectionAround section = sectionAround(use);
  const clang::CallExpr* call = section.last == nullptr ? nullptr : handsOver(section.before);
  if (call == nullptr) return scene.fail("no call right before the access gives its object away");
  moveBehind(scene, *use.shape, section.before, section.last);
  scene.title = "change " + quotedList(scene.plan.objects) + " before '" + calleeName(*call) +
                "' is called, in '" + use.shape->function().getName().str() + "'";
}

}  // namespace

void realizeUseBeforeCall(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().empty())
    return scene.fail("the plan names no access");
  const PlacedStatement placed = placedStatement(scene, scene.plan.regions.front().front());
  const Stmt* use = placed.statement;
  if (use == nullptr) return;
  const Stmt* before = placed.earlier.empty() ? nullptr : placed.earlier.front();
  const clang::CallExpr* call =
      before != nullptr && before == withoutLabels(before) ? callOf(before) : nullptr;
  const clang::VarDecl* object = call == nullptr ? nullptr : givenAway(*call, use);
  // What the statement changes, the call would find changed.
  if (object == nullptr || changesIn(FunctionShape::below(use), *object)) {
    if (changesSomething(use)) return moveBehindSection(scene, placed);
    return scene.fail("no call right before the access gives its object away");
  }
  moveBehind(scene, *placed.shape, before, use);
  scene.title = "use '" + object->getName().str() + "' before '" + calleeName(*call) +
                "' gives it away, in '" + placed.shape->function().getName().str() + "'";
}

}  // namespace heddle

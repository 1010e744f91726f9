// A wait whose condition tests too little: who signals counts what is under way in the same object, up and
// down, and the loop around the wait never asks for it.
#include <algorithm>
#include <set>

#include "analysis/repair/expression_text.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/member_name.h"
#include "analysis/repair/plan_scene.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;
using llvm::dyn_cast;

/// What a pthread_cond_ call is about: a member of some object, or a variable; null: neither.
const clang::Decl* objectOf(const clang::Expr& argument) {
  const clang::Expr* bare = argument.IgnoreParenImpCasts();
  if (const clang::FieldDecl* field = memberOf(bare)) return field->getCanonicalDecl();
  const auto* address = dyn_cast<clang::UnaryOperator>(bare);
  const clang::VarDecl* variable = address == nullptr ? nullptr : variableIn(address->getSubExpr());
  return variable == nullptr ? nullptr : variable->getCanonicalDecl();
}

/// The wait that is all that the loop does; null: it does something else.
const clang::CallExpr* waitOf(const clang::WhileStmt& loop) {
  const Stmt* body = loop.getBody();
  if (const auto* block = dyn_cast<clang::CompoundStmt>(body))
    body = block->size() == 1 ? block->body_front() : nullptr;
  const clang::CallExpr* call = callOf(body);
  return call != nullptr && calleeName(*call) == "pthread_cond_wait" && call->getNumArgs() == 2 ? call
                                                                                                : nullptr;
}

/// Adds the members of the record of `mutex` that the function counts up, and those that it counts down.
void addCounted(const clang::FunctionDecl& function, const clang::FieldDecl& mutex,
                std::set<const clang::FieldDecl*>& up, std::set<const clang::FieldDecl*>& down) {
  for (const Stmt* s : FunctionShape::below(function.getBody())) {
    const auto* step = dyn_cast<clang::UnaryOperator>(s);
    if (step == nullptr || !step->isIncrementDecrementOp()) continue;
    const auto* member = dyn_cast<clang::MemberExpr>(step->getSubExpr()->IgnoreParenImpCasts());
    const auto* field = member == nullptr ? nullptr : dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field == nullptr || field->getParent() != mutex.getParent()) continue;
    (step->isIncrementOp() ? up : down).insert(field->getCanonicalDecl());
  }
}

bool names(const Stmt* code, const clang::FieldDecl& field) {
  const std::vector<const Stmt*> all = FunctionShape::below(code);
  return std::any_of(all.begin(), all.end(), [&](const Stmt* s) {
    const auto* member = dyn_cast<clang::MemberExpr>(s);
    return member != nullptr && member->getMemberDecl()->getCanonicalDecl() == &field;
  });
}

bool signals(const clang::FunctionDecl& function, const clang::Decl* condition) {
  const std::vector<const Stmt*> all = FunctionShape::below(function.getBody());
  return std::any_of(all.begin(), all.end(), [&](const Stmt* s) {
    const auto* call = dyn_cast<clang::CallExpr>(s);
    if (call == nullptr || call->getNumArgs() != 1) return false;
    const std::string name = calleeName(*call);
    return (name == "pthread_cond_signal" || name == "pthread_cond_broadcast") &&
           objectOf(*call->getArg(0)) == condition;
  });
}

}  // namespace

void realizeWaitForMore(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().empty())
    return scene.fail("the plan names no access");
  const FunctionShape* shape = nullptr;
  const Stmt* statement = scene.statementAt(scene.plan.regions.front().front(), shape);
  if (statement == nullptr) return;
  const auto* loop = dyn_cast<clang::WhileStmt>(statement);
  const clang::CallExpr* wait = loop == nullptr ? nullptr : waitOf(*loop);
  if (wait == nullptr) return scene.fail("the access stands in no condition of a wait");
  const clang::Decl* condition = objectOf(*wait->getArg(0));
  const clang::FieldDecl* mutex = memberOf(wait->getArg(1)->IgnoreParenImpCasts());
  if (condition == nullptr || mutex == nullptr)
    return scene.fail("the wait's mutex is no member of an object");

  std::set<const clang::FieldDecl*> up, down;
  for (const clang::FunctionDecl* function : definedFunctions(scene.context))
    if (signals(*function, condition)) addCounted(*function, *mutex, up, down);
  std::vector<const clang::FieldDecl*> open;
  for (const clang::FieldDecl* field : mutex->getParent()->fields())
    if (up.contains(field->getCanonicalDecl()) && down.contains(field->getCanonicalDecl()) &&
        !names(loop->getCond(), *field->getCanonicalDecl()))
      open.push_back(field);
  if (scene.plan.count >= open.size())
    return scene.fail("who signals counts nothing up and down that the wait does not ask for");
  const clang::FieldDecl* field = open[scene.plan.count];
  const std::string member = memberNamedIn(*field, *shape, {statement});
  const auto where = exactSpan(*loop->getCond(), scene.context);
  const std::string tested = textOf(*loop->getCond(), nullptr, "", scene.context);
  if (member.empty() || !where || tested.empty())
    return scene.fail("'" + field->getName().str() + "' cannot be named in the condition");
  const auto* both = dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
  const bool isSimple = both == nullptr || both->isComparisonOp() || both->getOpcode() == clang::BO_LOr;
  scene.edits.replace(pathOf(where->file, scene.context), where->begin, where->end,
                      (isSimple ? tested : "(" + tested + ")") + " || " + member);
  scene.title = "wait in '" + shape->function().getName().str() + "' also while '" + member + "' is not 0";
}

}  // namespace heddle

// A flag, an index or a pointer that tells others that data is ready is written before the data is: the
// statement that writes it moves behind the one that writes the data. No lock is needed, so what is lock-free
// stays so.
#include <algorithm>

#include "analysis/repair/expression_text.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/statement_move.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;
using llvm::dyn_cast;

/// What the statement writes, where that is all it does: the target of an assignment, an increment or an
/// atomic operation; null: it does something else.
const clang::Expr* targetOf(const Stmt* statement) {
  const auto* expression = dyn_cast<clang::Expr>(statement);
  if (expression == nullptr) return nullptr;
  const clang::Expr* bare = expression->IgnoreParenCasts();
  if (const auto* both = dyn_cast<clang::BinaryOperator>(bare))
    return both->isAssignmentOp() ? both->getLHS()->IgnoreParenImpCasts() : nullptr;
  if (const auto* step = dyn_cast<clang::UnaryOperator>(bare))
    return step->isIncrementDecrementOp() ? step->getSubExpr()->IgnoreParenImpCasts() : nullptr;
  const auto* atomic = dyn_cast<clang::AtomicExpr>(bare);
  if (atomic == nullptr) return nullptr;
  const clang::Expr* pointer = atomic->getPtr()->IgnoreParenCasts();
  const auto* address = dyn_cast<clang::UnaryOperator>(pointer);
  return address != nullptr && address->getOpcode() == clang::UO_AddrOf
             ? address->getSubExpr()->IgnoreParenImpCasts()
             : nullptr;
}

/// Some part of `code` names what `target` is.
bool mentions(const Stmt* code, const clang::Expr& target, const clang::ASTContext& context) {
  const std::string wanted = printed(target, context);
  const std::vector<const Stmt*> all = FunctionShape::below(code);
  return std::any_of(all.begin(), all.end(), [&](const Stmt* s) {
    const auto* part = dyn_cast<clang::Expr>(s);
    return part != nullptr &&
           llvm::isa<clang::MemberExpr, clang::DeclRefExpr, clang::ArraySubscriptExpr>(part) &&
           printed(*part, context) == wanted;
  });
}

}  // namespace

void realizePublishLast(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().size() < 2)
    return scene.fail("the plan names no two writes");
  const PlacedStatement publication = placedStatement(scene, scene.plan.regions.front().front());
  const PlacedStatement data = placedStatement(scene, scene.plan.regions.front().back());
  if (publication.statement == nullptr || data.statement == nullptr) return;
  const auto end = std::find(publication.later.begin(), publication.later.end(), data.statement);
  const clang::Expr* target = targetOf(publication.statement);
  if (end == publication.later.end() || target == nullptr ||
      publication.statement != withoutLabels(publication.statement))
    return scene.fail("the two writes are no statements of one block");
  if (std::any_of(publication.later.begin(), std::next(end),
                  [&](const Stmt* s) { return mentions(s, *target, scene.context); }))
    return scene.fail("what is written first is used before the other write");
  moveBehind(scene, *data.shape, publication.statement, data.statement);
  scene.title = "write '" + printed(*target, scene.context) + "' only when " +
                quotedList(scene.plan.objects) + " is written, in '" +
                data.shape->function().getName().str() + "'";
}

}  // namespace heddle

#include "analysis/repair/second_look.h"

#include <algorithm>

#include "analysis/repair/critical_section.h"
#include "analysis/repair/lock_calls.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;
using llvm::dyn_cast;

/// The condition without `!`, with `==` for `!=`; `isNegated` is turned round for each of these.
std::string positive(const clang::Expr& condition, bool& isNegated, const clang::ASTContext& context) {
  const clang::Expr* bare = condition.IgnoreParenImpCasts();
  if (const auto* negation = dyn_cast<clang::UnaryOperator>(bare);
      negation != nullptr && negation->getOpcode() == clang::UO_LNot) {
    isNegated = !isNegated;
    return positive(*negation->getSubExpr(), isNegated, context);
  }
  const auto* both = dyn_cast<clang::BinaryOperator>(bare);
  if (both == nullptr || !both->isEqualityOp()) return printed(*bare, context);
  if (both->getOpcode() == clang::BO_NE) isNegated = !isNegated;
  return printed(*both->getLHS(), context) + " == " + printed(*both->getRHS(), context);
}

/// Where `known` holds (or, `isNegated`, where it does not), `asked` does.
bool follows(const clang::Expr& asked, const clang::Expr& known, bool isNegated,
             const clang::ASTContext& context) {
  if (asked.HasSideEffects(context) || known.HasSideEffects(context)) return false;
  bool wanted = false;
  const std::string what = positive(asked, wanted, context);
  return what == positive(known, isNegated, context) && wanted == isNegated;
}

}  // namespace

void dropSecondLook(const FunctionShape& shape, const Stmt* lock, StatementWriter& writer) {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(shape.parent(lock));
  if (block == nullptr) return;
  const auto at = std::find(block->body_begin(), block->body_end(), lock);
  if (at == block->body_end() || at + 1 == block->body_end()) return;
  const auto* look = dyn_cast<clang::IfStmt>(*(at + 1));
  if (look == nullptr || look->getElse() != nullptr || look->getConditionVariable() != nullptr) return;
  bool isDecided = false;
  const auto* around = llvm::dyn_cast_or_null<clang::IfStmt>(shape.parent(block));
  if (around != nullptr && around->getThen() == block && at == block->body_begin())
    isDecided = follows(*look->getCond(), *around->getCond(), false, shape.context());
  if (at != block->body_begin())
    if (const auto* before = dyn_cast<clang::IfStmt>(*(at - 1));
        before != nullptr && before->getElse() == nullptr && !completes(before->getThen()))
      isDecided = follows(*look->getCond(), *before->getCond(), true, shape.context());
  if (isDecided) writer.unwrap(look, look->getThen());
}

}  // namespace heddle

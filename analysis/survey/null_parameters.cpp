#include "analysis/survey/null_parameters.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "analysis/survey/tested_call.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

std::optional<int> parameterOf(const clang::Expr& expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
  const auto* parameter = reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
  if (!parameter || !parameter->getType()->isPointerType()) return std::nullopt;
  return static_cast<int>(parameter->getFunctionScopeIndex());
}

/// The parameter that the block's end compares with null, and whether the first way is that of null.
std::optional<std::pair<int, bool>> testOf(const clang::CFGBlock& block, clang::ASTContext& context) {
  const clang::Expr* condition = branchCondition(block);
  bool isNullOnFirst = false;
  while (condition) {
    condition = condition->IgnoreParenCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(condition)) {
      if (unary->getOpcode() != clang::UO_LNot) return std::nullopt;
      isNullOnFirst = !isNullOnFirst;
      condition = unary->getSubExpr();
    } else if (const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
      const bool isOfNull =
          comparison->isEqualityOp() &&
          comparison->getRHS()->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNotNull) !=
              clang::Expr::NPCK_NotNull;
      if (!isOfNull) return std::nullopt;
      if (comparison->getOpcode() == clang::BO_EQ) isNullOnFirst = !isNullOnFirst;
      condition = comparison->getLHS();
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(condition)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      const bool isExpected =
          callee && callee->getIdentifier() && callee->getName().starts_with("__builtin_expect");
      if (!isExpected) return std::nullopt;
      condition = call->getArg(0);
    } else {
      const auto parameter = parameterOf(*condition);
      return parameter ? std::optional(std::pair(*parameter, isNullOnFirst)) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

NullParameters::NullParameters(clang::ASTContext& context, const clang::CFG& graph) {
  for (const clang::CFGBlock* block : graph)
    for (const clang::CFGElement& element : *block) {
      const auto statement = element.getAs<clang::CFGStmt>();
      const auto* assignment =
          statement ? llvm::dyn_cast<clang::BinaryOperator>(statement->getStmt()) : nullptr;
      if (!assignment || !assignment->isAssignmentOp()) continue;
      if (const auto parameter = parameterOf(*assignment->getLHS())) assigned_.insert(*parameter);
    }
  std::set<const clang::CFGBlock*> open = {&graph.getEntry()};
  at_[&graph.getEntry()];
  while (!open.empty()) {
    const clang::CFGBlock* block = *open.begin();
    open.erase(open.begin());
    const auto test = testOf(*block, context);
    bool isFirst = true;
    for (const clang::CFGBlock* successor : block->succs()) {
      std::set<int> nulls = at_.at(block);
      if (test && test->second == isFirst && !assigned_.contains(test->first)) nulls.insert(test->first);
      isFirst = false;
      if (successor) note(*successor, std::move(nulls), open);
    }
  }
}

void NullParameters::note(const clang::CFGBlock& block, std::set<int> nulls,
                          std::set<const clang::CFGBlock*>& open) {
  const auto [known, isNew] = at_.try_emplace(&block, nulls);
  if (!isNew) {
    std::set<int> both;
    std::set_intersection(known->second.begin(), known->second.end(), nulls.begin(), nulls.end(),
                          std::inserter(both, both.end()));
    if (both == known->second) return;
    known->second = std::move(both);
  }
  open.insert(&block);
}

const std::set<int>& NullParameters::at(const clang::CFGBlock& block) const {
  static const std::set<int> kNoParameters;
  const auto known = at_.find(&block);
  return known == at_.end() ? kNoParameters : known->second;
}

}  // namespace heddle

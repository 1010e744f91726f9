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
  at_ = followBlocks(
      graph, std::set<int>(), [](const auto&, std::set<int>&) {},
      [&](const auto& block, bool isFirst, std::set<int>& nulls) {
        const auto test = testOf(block, context);
        if (test && test->second == isFirst && !assigned_.contains(test->first)) nulls.insert(test->first);
        return true;
      },
      [](std::set<int>& into, const std::set<int>& from) {
        return std::erase_if(into, [&](int parameter) { return !from.contains(parameter); }) != 0;
      },
      FollowOptions::withoutLimits());
}

const std::set<int>& NullParameters::at(const clang::CFGBlock& block) const {
  static const std::set<int> kNoParameters;
  const auto known = at_.find(&block);
  return known == at_.end() ? kNoParameters : known->second;
}

}  // namespace heddle

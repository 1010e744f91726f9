#include "analysis/survey/tested_call.h"

namespace heddle {

TestedCall testedCall(const clang::CFGBlock& block) {
  const clang::Expr* condition = block.getLastCondition();
  bool isZeroOnFirst = false;
  while (condition) {
    condition = condition->IgnoreParenCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(condition);
        unary && unary->getOpcode() == clang::UO_LNot) {
      isZeroOnFirst = !isZeroOnFirst;
      condition = unary->getSubExpr();
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
      if (binary->getOpcode() == clang::BO_Assign) {  // `(error = lock(q)) < 0`
        condition = binary->getRHS();
        continue;
      }
      if (!binary->isComparisonOp()) return {};
      if (binary->getOpcode() == clang::BO_EQ) isZeroOnFirst = !isZeroOnFirst;
      condition = binary->getLHS();
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(condition)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (!callee || !callee->getIdentifier()) return {};
      if (!callee->getName().starts_with("__builtin_expect")) return {call, isZeroOnFirst};
      condition = call->getArg(0);
    } else {
      return {};
    }
  }
  return {};
}

const clang::Expr* withoutHint(const clang::Expr* condition) {
  condition = condition->IgnoreParenCasts();
  const auto* call = llvm::dyn_cast<clang::CallExpr>(condition);
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier() || !callee->getName().starts_with("__builtin_expect"))
    return condition;
  return call->getArg(0)->IgnoreParenCasts();
}

const clang::Expr* branchCondition(const clang::CFGBlock& block) {
  const clang::Stmt* end = block.getTerminatorStmt();
  if (block.succ_size() != 2 || !end) return nullptr;
  // In front of other ends, an `asm goto` among them, stands no condition.
  const bool isDecided =
      llvm::isa<clang::IfStmt, clang::WhileStmt, clang::ForStmt, clang::DoStmt, clang::BinaryOperator,
                clang::AbstractConditionalOperator, clang::ChooseExpr>(end);
  return isDecided ? block.getLastCondition() : nullptr;
}

}  // namespace heddle

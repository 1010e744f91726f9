#include "analysis/survey/compared_numbers.h"

#include <optional>

#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"

namespace heddle {
namespace {

constexpr size_t kMostCompared = 24;  // values of one parameter

class ComparisonVisitor : public clang::RecursiveASTVisitor<ComparisonVisitor> {
 public:
  ComparisonVisitor(clang::ASTContext& context, SurveyFunction& out) : context_(context), out_(out) {}

  bool VisitBinaryOperator(const clang::BinaryOperator* operation) {
    note(operation->getOpcode(), *operation->getLHS(), *operation->getRHS());
    note(operation->getOpcode(), *operation->getRHS(), *operation->getLHS());
    return true;
  }

  bool VisitSwitchStmt(const clang::SwitchStmt* choice) {
    ComparedNumbers* of = numbersOf(*choice->getCond());
    if (!of) return true;
    for (const clang::SwitchCase* one = choice->getSwitchCaseList(); one; one = one->getNextSwitchCase())
      if (const auto* label = llvm::dyn_cast<clang::CaseStmt>(one))
        if (const auto value = constantOf(*label->getLHS())) add(*of, *value);
    return true;
  }

 private:
  void note(clang::BinaryOperatorKind kind, const clang::Expr& side, const clang::Expr& other) {
    const bool isMask = kind == clang::BO_And;
    if (!isMask && !clang::BinaryOperator::isComparisonOp(kind)) return;
    ComparedNumbers* of = numbersOf(side);
    const auto value = of ? constantOf(other) : std::nullopt;
    if (!value) return;
    if (isMask) {
      if (*value > 0) of->mask |= static_cast<uint64_t>(*value);
      return;
    }
    add(*of, *value);
    if (clang::BinaryOperator::isEqualityOp(kind)) return;
    // A bound has two sides.
    if (*value != INT64_MAX) add(*of, *value + 1);
    if (*value != INT64_MIN) add(*of, *value - 1);
  }

  static void add(ComparedNumbers& of, int64_t value) {
    if (of.values.size() < kMostCompared) of.values.insert(value);
  }

  /// Of the parameter that the expression is; null: it is none, or no integer.
  ComparedNumbers* numbersOf(const clang::Expr& expression) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
    const auto* parameter = reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
    if (!parameter || !parameter->getType()->isIntegralOrEnumerationType()) return nullptr;
    const unsigned index = parameter->getFunctionScopeIndex();
    return index < out_.parameters.size() ? &out_.parameters[index].second.compared : nullptr;
  }

  std::optional<int64_t> constantOf(const clang::Expr& expression) const {
    clang::Expr::EvalResult result;
    if (expression.isValueDependent() || !expression.EvaluateAsInt(result, context_)) return std::nullopt;
    const llvm::APSInt& value = result.Val.getInt();
    return value.getBitWidth() <= 64 ? std::optional(value.getExtValue()) : std::nullopt;
  }

  clang::ASTContext& context_;
  SurveyFunction& out_;
};

}  // namespace

void addComparedNumbers(clang::ASTContext& context, const clang::FunctionDecl& function,
                        SurveyFunction& out) {
  ComparisonVisitor(context, out).TraverseStmt(function.getBody());
}

}  // namespace heddle

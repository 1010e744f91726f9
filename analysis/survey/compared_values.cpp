#include "analysis/survey/compared_values.h"

#include <algorithm>
#include <optional>
#include <string>

#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"

namespace heddle {
namespace {

constexpr size_t kMostCompared = 24;  // values of one parameter
constexpr size_t kMostTexts = 8, kLongestText = 24;

class ComparisonVisitor : public clang::RecursiveASTVisitor<ComparisonVisitor> {
 public:
  ComparisonVisitor(clang::ASTContext& context, SurveyFunction& out) : context_(context), out_(out) {}

  bool VisitBinaryOperator(const clang::BinaryOperator* operation) {
    note(operation->getOpcode(), *operation->getLHS(), *operation->getRHS());
    note(operation->getOpcode(), *operation->getRHS(), *operation->getLHS());
    return true;
  }

  /// `strcmp(name, "stop")`, and the project's own functions that are named so.
  bool VisitCallExpr(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || call->getNumArgs() < 2) return true;
    const std::string name = callee->getNameAsString();
    if (name.find("cmp") == std::string::npos) return true;
    const clang::Expr &a = *call->getArg(0), &b = *call->getArg(1);
    const auto* text = llvm::dyn_cast<clang::StringLiteral>(a.IgnoreParenCasts());
    const bool isFirst = text != nullptr;
    if (!text) text = llvm::dyn_cast<clang::StringLiteral>(b.IgnoreParenCasts());
    if (!text || text->getCharByteWidth() != 1) return true;
    const std::string words = text->getString().str();
    if (words.empty() || words.size() > kLongestText || !isPlain(words)) return true;
    ComparedValues* of = textsOf(isFirst ? b : a);
    if (of && of->texts.size() < kMostTexts)
      of->texts.insert(call->getNumArgs() > 2 ? words + kAndMore : words);
    return true;
  }

  bool VisitSwitchStmt(const clang::SwitchStmt* choice) {
    ComparedValues* of = numbersOf(*choice->getCond());
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
    ComparedValues* of = numbersOf(side);
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

  /// It can be written in C as it is.
  static bool isPlain(const std::string& text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != kAndMore; });
  }

  /// Of the parameter that the text is, or a part of it. Of a local variable, of the only one that is a text,
  /// for it most often goes along that. Null: it is none.
  ComparedValues* textsOf(const clang::Expr& expression) {
    const clang::Expr* part = expression.IgnoreParenCasts();
    while (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(part)) {
      if (!sum->isAdditiveOp()) return nullptr;
      part = sum->getLHS()->IgnoreParenCasts();
    }
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part);
    if (!reference) return nullptr;
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl())) {
      const unsigned index = parameter->getFunctionScopeIndex();
      if (index >= out_.parameters.size()) return nullptr;
      SurveyType& type = out_.parameters[index].second;
      return type.isTargetText ? &type.compared : nullptr;
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || !variable->hasLocalStorage()) return nullptr;
    ComparedValues* only = nullptr;
    for (auto& [name, type] : out_.parameters) {
      if (!type.isTargetText || type.isTwice) continue;
      if (only) return nullptr;
      only = &type.compared;
    }
    return only;
  }

  static void add(ComparedValues& of, int64_t value) {
    if (of.values.size() < kMostCompared) of.values.insert(value);
  }

  /// Of the parameter that the expression is; null: it is none, or no integer.
  ComparedValues* numbersOf(const clang::Expr& expression) {
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

void addComparedValues(clang::ASTContext& context, const clang::FunctionDecl& function, SurveyFunction& out) {
  ComparisonVisitor(context, out).TraverseStmt(function.getBody());
}

}  // namespace heddle

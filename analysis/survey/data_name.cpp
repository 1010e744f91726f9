#include "analysis/survey/data_name.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {

std::string memberName(const clang::MemberExpr& member) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
  return field ? fieldName(*field) : "";
}

std::string wholeName(const clang::MemberExpr& member) {
  const auto* outer =
      member.isArrow() ? nullptr : llvm::dyn_cast<clang::MemberExpr>(member.getBase()->IgnoreParenCasts());
  if (!outer) return "";
  const std::string around = wholeName(*outer);
  const std::string name = around.empty() ? memberName(*outer) : around;
  const std::string field = member.getMemberDecl()->getName().str();
  return name.empty() || field.empty() ? name : name + "." + field;
}

std::string fieldName(const clang::FieldDecl& field) {
  llvm::StringRef record = field.getParent()->getName();
  if (const auto* named = field.getParent()->getTypedefNameForAnonDecl(); record.empty() && named)
    record = named->getName();
  return record.str() + "." + field.getName().str();
}

std::string variableName(const clang::VarDecl& variable) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
  return (function ? function->getName().str() + "::" : "") + variable.getName().str();
}

const clang::ValueDecl* namedData(const clang::Expr& expression) {
  const clang::Expr* plain = expression.IgnoreParenCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(plain)) return member->getMemberDecl();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(plain);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable ? variable->getCanonicalDecl() : nullptr;
}

bool isOfMainFile(const clang::Decl& declared) {
  const clang::SourceManager& sources = declared.getASTContext().getSourceManager();
  return sources.isInMainFile(sources.getExpansionLoc(declared.getLocation()));
}

std::string dataName(const clang::Expr& expression) {
  const clang::Expr* stripped = expression.IgnoreParenCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(stripped)) return memberName(*member);
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(stripped);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasGlobalStorage() ? variableName(*variable) : "";
}

}  // namespace heddle

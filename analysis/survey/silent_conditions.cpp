#include "analysis/survey/silent_conditions.h"

#include "analysis/survey/data_name.h"
#include "analysis/survey/lock_calls.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/type_survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {
void SilentConditions::add(const clang::VarDecl& variable) {
  if (lockKind(variable.getType()) == "cond" && !variable.hasExternalFormalLinkage() &&
      isOfMainFile(variable))
    conditions_.try_emplace(variable.getCanonicalDecl());
}

void SilentConditions::add(const clang::RecordDecl& record) {
  if (!record.isThisDeclarationADefinition() || !isOfMainFile(record)) return;
  for (const clang::FieldDecl* field : record.fields())
    if (lockKind(field->getType()) == "cond") conditions_.try_emplace(field);
}

void SilentConditions::addValue(const clang::Stmt& value) {
  if (const auto* expression = llvm::dyn_cast<clang::DeclRefExpr>(&value))
    if (const auto used = conditions_.find(namedData(*expression)); used != conditions_.end())
      ++used->second.all;
  for (const clang::Stmt* part : value.children())
    if (part) addValue(*part);
}

void SilentConditions::add(const clang::Stmt& text, const clang::FunctionDecl& function) {
  if (conditions_.empty()) return;
  if (llvm::isa<clang::DeclRefExpr>(text) || llvm::isa<clang::MemberExpr>(text))
    if (const auto used = conditions_.find(namedData(llvm::cast<clang::Expr>(text)));
        used != conditions_.end())
      ++used->second.all;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&text)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const llvm::StringRef name = callee && callee->getIdentifier() ? callee->getName() : "";
    const bool isWait = isConditionWait(name) && !name.contains("timed");
    const bool isKnown = isWait || name.contains("init") || name.contains("destroy");
    for (const clang::Expr* argument : call->arguments()) {
      const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenCasts());
      if (!isKnown || !address || address->getOpcode() != clang::UO_AddrOf) continue;
      const auto used = conditions_.find(namedData(*address->getSubExpr()));
      if (used == conditions_.end()) continue;
      ++used->second.known;
      if (!isWait || used->second.wait.line != 0) continue;
      const clang::SourceManager& sources = function.getASTContext().getSourceManager();
      used->second.wait = {function.getNameAsString(), lineOf(call->getBeginLoc(), sources)};
    }
  }
  for (const clang::Stmt* part : text.children())
    if (part) add(*part, function);
}

std::map<std::string, SurveyWait> SilentConditions::found() const {
  std::map<std::string, SurveyWait> found;
  for (const auto& [place, uses] : conditions_) {
    if (uses.wait.line == 0 || uses.all != uses.known) continue;
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(place);
    found.try_emplace(field ? fieldName(*field) : place->getName().str(), uses.wait);
  }
  return found;
}

}  // namespace heddle

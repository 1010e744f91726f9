#include "analysis/survey/bare_locks.h"

#include "analysis/survey/data_name.h"
#include "analysis/survey/lock_calls.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/type_survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {
namespace {

bool isBareKind(clang::QualType type) {
  const std::string kind = lockKind(type);
  return kind == "mutex" || kind == "cond" || kind == "rwlock";
}

bool initializesNothing(llvm::StringRef name) {
  return lockCallOf(name) != LockCall::None || isConditionWait(name) || isSignal(name) ||
         name.contains("destroy");
}

}  // namespace

void BareLocks::add(const clang::VarDecl& variable, uint32_t line) {
  const bool isBare =
      isBareKind(variable.getType()) && !variable.getAnyInitializer() && !variable.hasExternalFormalLinkage();
  if (isBare) locks_[variable.getCanonicalDecl()].line = line;
  noteMade(variable.getType());
}

void BareLocks::noteMade(clang::QualType type) {
  if (const clang::RecordDecl* record = type->getAsRecordDecl()) made_.insert(record->getDefinition());
}

void BareLocks::add(const clang::RecordDecl& record) {
  const clang::SourceManager& sources = record.getASTContext().getSourceManager();
  if (!record.isThisDeclarationADefinition() || !isOfMainFile(record)) return;
  for (const clang::FieldDecl* field : record.fields())
    if (isBareKind(field->getType())) locks_[field].line = lineOf(field->getLocation(), sources);
}

/// An initial value of the whole structure.
void BareLocks::addList(const clang::InitListExpr& list) {
  const clang::RecordDecl* record = list.getType()->getAsRecordDecl();
  if (!record || record->isUnion()) return;
  unsigned i = 0;
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isUnnamedBitField()) continue;
    const clang::Expr* value = i < list.getNumInits() ? list.getInit(i) : nullptr;
    ++i;
    if (value && !llvm::isa<clang::ImplicitValueInitExpr>(value))
      if (const auto lock = locks_.find(field); lock != locks_.end()) ++lock->second.all;
  }
}

void BareLocks::add(const clang::Stmt& text) {
  if (locks_.empty()) return;
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&text)) addList(*list);
  if (const auto* size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(&text);
      size && size->getKind() == clang::UETT_SizeOf)
    noteMade(size->getTypeOfArgument());
  if (llvm::isa<clang::DeclRefExpr>(text) || llvm::isa<clang::MemberExpr>(text))
    if (const auto lock = locks_.find(namedData(llvm::cast<clang::Expr>(text))); lock != locks_.end())
      ++lock->second.all;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&text)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const bool isKnown = callee && callee->getIdentifier() && initializesNothing(callee->getName());
    for (const clang::Expr* argument : call->arguments()) {
      const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenCasts());
      if (!isKnown || !address || address->getOpcode() != clang::UO_AddrOf) continue;
      if (const auto lock = locks_.find(namedData(*address->getSubExpr())); lock != locks_.end())
        ++lock->second.known;
    }
  }
  for (const clang::Stmt* part : text.children())
    if (part) add(*part);
}

std::map<std::string, uint32_t> BareLocks::found() const {
  std::map<std::string, uint32_t> found;
  for (const auto& [place, uses] : locks_) {
    if (uses.all == 0 || uses.all != uses.known) continue;
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(place);
    if (field && !made_.contains(field->getParent())) continue;
    found.try_emplace(field ? fieldName(*field) : place->getName().str(), uses.line);
  }
  return found;
}

}  // namespace heddle

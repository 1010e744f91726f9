#include "analysis/survey/bare_locks.h"

#include "analysis/survey/lock_calls.h"
#include "analysis/survey/type_survey.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

const clang::VarDecl* lockVariableOf(const clang::Expr& expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable ? variable->getCanonicalDecl() : nullptr;
}

bool initializesNothing(llvm::StringRef name) {
  return lockCallOf(name) != LockCall::None || isConditionWait(name) || isSignal(name) ||
         name.contains("destroy");
}

}  // namespace

void BareLocks::add(const clang::VarDecl& variable, uint32_t line) {
  const std::string kind = lockKind(variable.getType());
  const bool isBare = (kind == "mutex" || kind == "cond" || kind == "rwlock") &&
                      !variable.getAnyInitializer() && !variable.hasExternalFormalLinkage();
  if (isBare) locks_[variable.getCanonicalDecl()].line = line;
}

void BareLocks::add(const clang::Stmt& text) {
  if (locks_.empty()) return;
  if (const auto* expression = llvm::dyn_cast<clang::DeclRefExpr>(&text))
    if (const auto lock = locks_.find(lockVariableOf(*expression)); lock != locks_.end()) ++lock->second.all;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&text)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const bool isKnown = callee && callee->getIdentifier() && initializesNothing(callee->getName());
    for (const clang::Expr* argument : call->arguments()) {
      const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenCasts());
      if (!isKnown || !address || address->getOpcode() != clang::UO_AddrOf) continue;
      if (const auto lock = locks_.find(lockVariableOf(*address->getSubExpr())); lock != locks_.end())
        ++lock->second.known;
    }
  }
  for (const clang::Stmt* part : text.children())
    if (part) add(*part);
}

std::map<std::string, uint32_t> BareLocks::found() const {
  std::map<std::string, uint32_t> found;
  for (const auto& [variable, uses] : locks_)
    if (uses.all > 0 && uses.all == uses.known) found.try_emplace(variable->getName().str(), uses.line);
  return found;
}

}  // namespace heddle

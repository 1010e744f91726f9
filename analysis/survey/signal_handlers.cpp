#include "analysis/survey/signal_handlers.h"

#include <algorithm>
#include <map>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {
namespace {

/// The function that an expression names; empty: none.
std::string namedFunction(const clang::Expr* expression) {
  if (!expression) return "";
  expression = expression->IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(expression);
      address && address->getOpcode() == clang::UO_AddrOf)
    expression = address->getSubExpr()->IgnoreParenCasts();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  const auto* function = reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
  return function && function->getIdentifier() ? function->getName().str() : "";
}

bool isHandlerMember(const clang::ValueDecl& member) {
  return member.getIdentifier() && (member.getName() == "sa_handler" || member.getName() == "sa_sigaction");
}

/// Returns, and local sets of signals: how often each is named, and how often it is emptied or blocked.
class SignalUses : public clang::RecursiveASTVisitor<SignalUses> {
 public:
  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitReturnStmt(clang::ReturnStmt*) {
    returns = true;
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl())) ++sets[variable].named;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const llvm::StringRef name = callee && callee->getIdentifier() ? callee->getName() : "";
    if (name == "sigemptyset" && call->getNumArgs() == 1) {
      if (const clang::VarDecl* set = setOf(*call->getArg(0))) ++sets[set].emptied;
    } else if ((name == "sigprocmask" || name == "pthread_sigmask") && call->getNumArgs() == 3) {
      const clang::VarDecl* const set = setOf(*call->getArg(1));
      clang::Expr::EvalResult how;
      const bool isBlock =
          call->getArg(0)->EvaluateAsInt(how, callee->getASTContext()) && how.Val.getInt() == 0;  // SIG_BLOCK
      if (set && isBlock) sets[set].blocked.push_back(call);
    }
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

  struct Set {
    unsigned named = 0, emptied = 0;
    std::vector<const clang::CallExpr*> blocked;
  };
  bool returns = false;
  std::map<const clang::VarDecl*, Set> sets;

 private:
  static const clang::VarDecl* setOf(const clang::Expr& argument) {
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument.IgnoreParenCasts());
    if (!address || address->getOpcode() != clang::UO_AddrOf) return nullptr;
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(address->getSubExpr()->IgnoreParenCasts());
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() ? variable : nullptr;
  }
};

/// It ends the process as a statement of its own of the function's body.
bool isEnd(const clang::Stmt& statement) {
  const auto* expression = llvm::dyn_cast<clang::Expr>(&statement);
  const auto* call = expression ? llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParenCasts()) : nullptr;
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->isNoReturn();
}

void add(const std::string& name, std::set<std::string>& handlers) {
  if (!name.empty()) handlers.insert(name);
}

/// A union or structure whose first initialized member is a handler, at any depth.
void addOfList(const clang::InitListExpr& list, std::set<std::string>& handlers) {
  const clang::FieldDecl* of = list.getInitializedFieldInUnion();
  if (of && isHandlerMember(*of) && list.getNumInits() > 0) add(namedFunction(list.getInit(0)), handlers);
}

}  // namespace

void addSignalUses(const clang::FunctionDecl& function, Survey& survey) {
  SignalUses uses;
  uses.TraverseStmt(function.getBody());
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(function.getBody());
  const std::string name = function.getNameAsString();
  if (body && !uses.returns &&
      std::any_of(body->body_begin(), body->body_end(), [](const clang::Stmt* part) { return isEnd(*part); }))
    survey.endsAlways.insert(name);
  const clang::SourceManager& sources = function.getASTContext().getSourceManager();
  for (const auto& [variable, set] : uses.sets)
    if (!set.blocked.empty() && set.emptied != 0 && set.named == set.emptied + set.blocked.size())
      survey.emptyMasks[name] = sources.getExpansionLineNumber(set.blocked.front()->getBeginLoc());
}

void addSignalHandlers(const clang::Stmt& text, std::set<std::string>& handlers) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&text)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const llvm::StringRef name = callee && callee->getIdentifier() ? callee->getName() : "";
    if ((name == "signal" || name == "bsd_signal" || name == "sysv_signal" || name == "sigset") &&
        call->getNumArgs() == 2)
      add(namedFunction(call->getArg(1)), handlers);
  } else if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&text)) {
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(assignment->getLHS()->IgnoreParenCasts());
    if (assignment->getOpcode() == clang::BO_Assign && member && isHandlerMember(*member->getMemberDecl()))
      add(namedFunction(assignment->getRHS()), handlers);
  } else if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&text)) {
    addOfList(*list, handlers);
  }
  for (const clang::Stmt* part : text.children())
    if (part) addSignalHandlers(*part, handlers);
}

}  // namespace heddle

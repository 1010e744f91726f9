#include "analysis/survey/signal_handlers.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

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

void add(const std::string& name, std::set<std::string>& handlers) {
  if (!name.empty()) handlers.insert(name);
}

/// A union or structure whose first initialized member is a handler, at any depth.
void addOfList(const clang::InitListExpr& list, std::set<std::string>& handlers) {
  const clang::FieldDecl* of = list.getInitializedFieldInUnion();
  if (of && isHandlerMember(*of) && list.getNumInits() > 0) add(namedFunction(list.getInit(0)), handlers);
}

}  // namespace

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

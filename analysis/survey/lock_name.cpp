#include "analysis/survey/lock_name.h"

#include <array>
#include <utility>

#include "analysis/survey/data_name.h"
#include "analysis/survey/lock_calls.h"
#include "clang/AST/Decl.h"

namespace heddle {
namespace {

std::string nameOf(const clang::Expr& expression) {
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&expression)) return memberName(*member);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&expression))
    return reference->getDecl()->getName().str();
  return "?";
}

/// The last call in the text that does `what` to a lock; null: none. `isSingle` is false where it is not the
/// only one.
const clang::CallExpr* onlyLockCall(const clang::Stmt& text, LockCall what, bool& isSingle) {
  const clang::CallExpr* found = nullptr;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&text)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee && callee->getIdentifier() && lockCallOf(callee->getName()) == what) found = call;
  }
  for (const clang::Stmt* part : text.children()) {
    const clang::CallExpr* inner = part ? onlyLockCall(*part, what, isSingle) : nullptr;
    if (inner && found) isSingle = false;
    if (inner) found = inner;
  }
  return found;
}

/// "unlockJobs" is called like what it undoes: "lockJobs()".
std::string ofTaker(std::string name) {
  constexpr std::array<std::pair<const char*, const char*>, 5> kPairs = {{{"unlock", "lock"},
                                                                          {"Unlock", "Lock"},
                                                                          {"UNLOCK", "LOCK"},
                                                                          {"release", "acquire"},
                                                                          {"Release", "Acquire"}}};
  for (const auto& [gives, takes] : kPairs)
    if (const size_t at = name.find(gives); at != std::string::npos) {
      name.replace(at, std::string(gives).size(), takes);
      break;
    }
  return name + "()";
}

std::string nameIn(const clang::CallExpr& call, unsigned depth) {
  constexpr unsigned kDepth = 3;
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (call.getNumArgs() == 0) {
    if (!callee || !callee->getIdentifier()) return "?";
    const clang::FunctionDecl* definition = callee->getDefinition();
    bool isSingle = true;
    const clang::CallExpr* inner =
        definition && definition->getBody()
            ? onlyLockCall(*definition->getBody(), lockCallOf(callee->getName()), isSingle)
            : nullptr;
    return inner && isSingle && depth < kDepth ? nameIn(*inner, depth + 1) : ofTaker(callee->getName().str());
  }
  if (!hasLockArgument(call))
    for (const clang::Expr* argument : call.arguments())
      if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(argument->IgnoreParenCasts());
          named && llvm::isa<clang::EnumConstantDecl>(named->getDecl()))
        return named->getDecl()->getName().str();
  return nameOf(*withoutAddress(lockArgument(call)));
}

}  // namespace

const clang::Expr* withoutAddress(const clang::Expr* expression) {
  expression = expression->IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(expression);
      address && address->getOpcode() == clang::UO_AddrOf)
    return address->getSubExpr()->IgnoreParenCasts();
  return expression;
}

std::string lockNameOf(const clang::CallExpr& call) {
  return nameIn(call, 0);
}

}  // namespace heddle

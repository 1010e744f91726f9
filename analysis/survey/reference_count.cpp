#include "analysis/survey/reference_count.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "analysis/survey/data_name.h"
#include "analysis/survey/lock_calls.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace heddle {
namespace {

bool lowersAtomically(const clang::Expr& expression) {
  if (const auto* operation = llvm::dyn_cast<clang::AtomicExpr>(&expression)) {
    const auto kind = operation->getOp();
    return kind == clang::AtomicExpr::AO__c11_atomic_fetch_sub ||
           kind == clang::AtomicExpr::AO__atomic_fetch_sub || kind == clang::AtomicExpr::AO__atomic_sub_fetch;
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression);
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getIdentifier() && hasWord(callee->getName(), {"sub", "dec", "decr", "decrement"});
}

/// What a statement names, lowers and calls.
class PartVisitor : public clang::RecursiveASTVisitor<PartVisitor> {
 public:
  explicit PartVisitor(const clang::Stmt* statement) { TraverseStmt(const_cast<clang::Stmt*>(statement)); }

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitExpr(clang::Expr* expression) {
    if (std::string name = dataName(*expression); !name.empty()) named.insert(std::move(name));
    lowersUnnamed |= lowersAtomically(*expression);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) {
    if (operation->isDecrementOp()) lowered.insert(dataName(*operation->getSubExpr()));
    return true;
  }
  bool VisitCompoundAssignOperator(clang::CompoundAssignOperator* operation) {
    if (operation->getOpcode() == clang::BO_SubAssign) lowered.insert(dataName(*operation->getLHS()));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    ends |= callee && callee->getIdentifier() &&
            (callee->getName().contains("free") ||
             hasWord(callee->getName(), {"destroy", "delete", "release", "dispose", "cleanup", "fini"}));
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

  std::set<std::string> named, lowered;
  bool lowersUnnamed = false;  // by an atomic operation
  bool ends = false;           // something is freed or destroyed
};

class CountVisitor : public clang::RecursiveASTVisitor<CountVisitor> {
 public:
  explicit CountVisitor(const clang::FunctionDecl& function) : body_(function.getBody()) {
    body_.lowered.erase("");
  }

  // NOLINTNEXTLINE(readability-identifier-naming): a name that Clang calls
  bool VisitIfStmt(clang::IfStmt* branch) {
    const PartVisitor test(branch->getCond());
    const bool lowers = !test.lowered.empty() || test.lowersUnnamed;
    const bool isOfCount =
        lowers || std::any_of(body_.lowered.begin(), body_.lowered.end(),
                              [&](const std::string& data) { return test.named.contains(data); });
    const auto endsIn = [](const clang::Stmt* part) { return part && PartVisitor(part).ends; };
    // Who lowers in the test may leave in its branch, and free behind it.
    found |= isOfCount && (endsIn(branch->getThen()) || endsIn(branch->getElse()) || (lowers && body_.ends));
    return true;
  }

  bool found = false;

 private:
  PartVisitor body_;
};

}  // namespace

bool givesReferenceBack(const clang::FunctionDecl& function) {
  CountVisitor visitor(function);
  visitor.TraverseStmt(function.getBody());
  return visitor.found;
}

}  // namespace heddle

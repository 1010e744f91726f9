#include "analysis/survey/reference_count.h"

#include <set>
#include <string>
#include <utility>

#include "analysis/survey/data_name.h"
#include "analysis/survey/have_common.h"
#include "analysis/survey/lock_calls.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace heddle {
namespace {

enum class CountStep : uint8_t { None, Lower, Raise };

/// What an atomic operation, by its name where it is a function, does to the count that it is given.
CountStep atomicStepOf(const clang::Expr& expression) {
  if (const auto* operation = llvm::dyn_cast<clang::AtomicExpr>(&expression)) {
    switch (operation->getOp()) {
      case clang::AtomicExpr::AO__c11_atomic_fetch_sub:
      case clang::AtomicExpr::AO__atomic_fetch_sub:
      case clang::AtomicExpr::AO__atomic_sub_fetch:
        return CountStep::Lower;
      case clang::AtomicExpr::AO__c11_atomic_fetch_add:
      case clang::AtomicExpr::AO__atomic_fetch_add:
      case clang::AtomicExpr::AO__atomic_add_fetch:
        return CountStep::Raise;
      default:
        return CountStep::None;
    }
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression);
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier()) return CountStep::None;
  const llvm::StringRef name = callee->getName().rtrim("0123456789");  // atomic_decrement32
  if (hasWord(name, {"sub", "dec", "decr", "decrement"})) return CountStep::Lower;
  return hasWord(name, {"add", "inc", "incr", "increment"}) ? CountStep::Raise : CountStep::None;
}

/// The count that an atomic operation is given; empty: it has no name.
std::string countOf(const clang::Expr& expression) {
  const clang::Expr* place = nullptr;
  if (const auto* operation = llvm::dyn_cast<clang::AtomicExpr>(&expression))
    place = operation->getPtr();
  else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression); call && call->getNumArgs() != 0)
    place = call->getArg(0);
  const auto* address = place ? llvm::dyn_cast<clang::UnaryOperator>(place->IgnoreParenCasts()) : nullptr;
  const bool isAddress = address && address->getOpcode() == clang::UO_AddrOf;
  return isAddress ? dataName(*address->getSubExpr()) : "";
}

/// What a statement names, lowers and calls.
class PartVisitor : public clang::RecursiveASTVisitor<PartVisitor> {
 public:
  explicit PartVisitor(const clang::Stmt* statement) { TraverseStmt(const_cast<clang::Stmt*>(statement)); }

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitExpr(clang::Expr* expression) {
    if (std::string name = dataName(*expression); !name.empty()) named.insert(std::move(name));
    const CountStep step = atomicStepOf(*expression);
    if (step != CountStep::None) (step == CountStep::Lower ? atomic : raised).insert(countOf(*expression));
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) {
    if (operation->isDecrementOp()) note(*operation->getSubExpr(), lowered);
    if (operation->isIncrementOp()) note(*operation->getSubExpr(), raised);
    return true;
  }
  bool VisitCompoundAssignOperator(clang::CompoundAssignOperator* operation) {
    if (operation->getOpcode() == clang::BO_SubAssign) note(*operation->getLHS(), lowered);
    if (operation->getOpcode() == clang::BO_AddAssign) note(*operation->getLHS(), raised);
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

  std::set<std::string> named, lowered, raised;
  std::set<std::string> atomic;  // lowered by an atomic operation
  bool ends = false;             // something is freed or destroyed

 private:
  /// Variables of the function itself count no references.
  static void note(const clang::Expr& changed, std::set<std::string>& data) {
    std::string name = dataName(changed);
    if (!name.empty() || !llvm::isa<clang::DeclRefExpr>(changed.IgnoreParenCasts()))
      data.insert(std::move(name));
  }
};

class CountVisitor : public clang::RecursiveASTVisitor<CountVisitor> {
 public:
  explicit CountVisitor(const clang::FunctionDecl& function) : body_(function.getBody()) {
    body_.lowered.erase("");
  }

  // NOLINTNEXTLINE(readability-identifier-naming): a name that Clang calls
  bool VisitIfStmt(clang::IfStmt* branch) {
    const PartVisitor test(branch->getCond());
    const bool lowers = !test.lowered.empty() || !test.atomic.empty();
    const bool isOfCount = lowers || haveCommon(body_.lowered, test.named);
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

void surveyCounts(const clang::FunctionDecl& function, SurveyFunction& out) {
  CountVisitor visitor(function);
  visitor.TraverseStmt(function.getBody());
  const PartVisitor body(function.getBody());
  out.givesReference = visitor.found;
  out.raises = body.raised;
  if (!visitor.found) return;
  out.lowers = body.lowered;
  out.lowers.insert(body.atomic.begin(), body.atomic.end());
}

}  // namespace heddle

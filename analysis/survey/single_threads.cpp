#include "analysis/survey/single_threads.h"

#include <algorithm>
#include <vector>

#include "analysis/survey/lock_calls.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace heddle {
namespace {

const clang::ValueDecl* variableOf(const clang::Expr& expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
  return reference ? reference->getDecl() : nullptr;
}

const clang::FunctionDecl* functionIn(const clang::Expr& argument) {
  const clang::Expr* stripped = argument.IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(stripped);
      address && address->getOpcode() == clang::UO_AddrOf)
    stripped = address->getSubExpr();
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(variableOf(*stripped));
}

/// A pool of threads is none.
bool isThread(clang::QualType type) {
  if (type->isPointerType() && !type->getAs<clang::TypedefType>()) type = type->getPointeeType();
  std::string name;
  if (const auto* named = type->getAs<clang::TypedefType>())
    name = named->getDecl()->getName().str();
  else if (const clang::RecordDecl* record = type->getAsRecordDecl())
    name = record->getName().str();
  return hasWord(name, {"pthread", "thread", "gthread", "thrd"}) && !hasWord(name, {"pool"});
}

/// Starts of threads, and what else names functions.
class StartVisitor : public clang::RecursiveASTVisitor<StartVisitor> {
 public:
  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
        function && function->getIdentifier())
      named.push_back(function->getName().str());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    if (operation->isAssignmentOp())
      results_.emplace(operation->getRHS()->IgnoreParenCasts(), operation->getLHS());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier()) return true;
    const llvm::StringRef name = callee->getName();
    if (loops_ > 0) calledInLoops.insert(name.str());
    detaches |= hasWord(name, {"detach"});
    if (!isThreadStart(name) || (loops_ == 0 && !keepsThread(*call))) return true;
    for (const clang::Expr* argument : call->arguments())
      if (const clang::FunctionDecl* function = functionIn(*argument))
        (loops_ > 0 ? startedInLoops : kept).insert(function->getName().str());
    return true;
  }
  bool TraverseForStmt(clang::ForStmt* loop) { return inLoop(*loop); }
  bool TraverseWhileStmt(clang::WhileStmt* loop) { return inLoop(*loop); }
  bool TraverseDoStmt(clang::DoStmt* loop) { return inLoop(*loop); }
  // NOLINTEND(readability-identifier-naming)

  std::vector<std::string> named;
  std::set<std::string> kept, calledInLoops, startedInLoops;
  bool detaches = false;

 private:
  bool inLoop(const clang::Stmt& loop) {
    ++loops_;
    for (const clang::Stmt* part : loop.children())
      if (part) TraverseStmt(const_cast<clang::Stmt*>(part));
    --loops_;
    return true;
  }

  /// There is one such place, for the whole file or in the object that the thread is given.
  static bool isOnePlace(const clang::Expr& place, const clang::CallExpr& call) {
    const clang::Expr* part = place.IgnoreParenCasts();
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(part)) {
      part = member->getBase()->IgnoreParenCasts();
      if (!member->isArrow()) continue;
      const clang::ValueDecl* object = variableOf(*part);
      return object && std::any_of(call.arg_begin(), call.arg_end(), [&](const clang::Expr* argument) {
               return variableOf(*argument) == object;
             });
    }
    const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(variableOf(*part));
    return variable && variable->hasGlobalStorage();
  }

  /// In the first argument, as in the thread library, or as the result.
  bool keepsThread(const clang::CallExpr& call) const {
    const auto* address = call.getNumArgs() == 0
                              ? nullptr
                              : llvm::dyn_cast<clang::UnaryOperator>(call.getArg(0)->IgnoreParenCasts());
    const auto result = results_.find(&call);
    const clang::Expr* place = address && address->getOpcode() == clang::UO_AddrOf ? address->getSubExpr()
                               : result != results_.end()                          ? result->second
                                                                                   : nullptr;
    return place && isThread(place->getType()) && isOnePlace(*place, call);
  }

  std::map<const clang::Expr*, const clang::Expr*> results_;  // where values go
  unsigned loops_ = 0;                                        // around
};

}  // namespace

void SingleThreads::add(const clang::FunctionDecl& function) {
  StartVisitor visitor;
  visitor.TraverseStmt(function.getBody());
  for (const std::string& name : visitor.named) ++named_[name];
  calledInLoops_.merge(visitor.calledInLoops);
  startedInLoops_.merge(visitor.startedInLoops);
  if (!visitor.detaches)
    for (const std::string& name : visitor.kept) startedBy_[name] = function.getName().str();
}

void SingleThreads::add(const clang::Expr& value) {
  StartVisitor visitor;
  visitor.TraverseStmt(const_cast<clang::Expr*>(&value));
  for (const std::string& name : visitor.named) ++named_[name];
}

std::set<std::string> SingleThreads::found() const {
  std::set<std::string> found;
  for (const auto& [name, starter] : startedBy_)
    if (named_.at(name) == 1 && !calledInLoops_.contains(starter)) found.insert(name);
  return found;
}

}  // namespace heddle

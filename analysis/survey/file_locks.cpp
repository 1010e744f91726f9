#include "analysis/survey/file_locks.h"

#include <algorithm>

#include "analysis/survey/function_paths.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace heddle {
namespace {

class CallVisitor : public clang::RecursiveASTVisitor<CallVisitor> {
 public:
  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitCallExpr(clang::CallExpr* call) {
    if (const clang::FunctionDecl* callee = call->getDirectCallee(); callee && callee->getIdentifier())
      found.all.push_back(call);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    if (operation->isAssignmentOp()) keep(operation->getRHS());
    const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(operation->getLHS()->IgnoreParenCasts());
    if (operation->isAssignmentOp() && target) noteValue(target->getDecl(), *operation->getRHS());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->getInit()) keep(variable->getInit());
    if (variable->getInit()) noteValue(variable, *variable->getInit());
    return true;
  }
  bool VisitCompoundStmt(clang::CompoundStmt* block) {
    found.dropped.insert(block->body_begin(), block->body_end());
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* branch) {
    found.dropped.insert({branch->getThen(), branch->getElse()});
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) {
    addBody(loop->getBody());
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* loop) {
    addBody(loop->getBody());
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

  FunctionCalls found;

 private:
  /// Null is the value until there is one.
  void noteValue(const clang::ValueDecl* variable, const clang::Expr& value) {
    const clang::Expr* given = value.IgnoreParenCasts();
    const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(given);
    if (number && number->getValue() == 0) return;
    const auto* call = llvm::dyn_cast<clang::CallExpr>(given);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    const bool isNew = callee && callee->getIdentifier() &&
                       (callee->getName().contains_insensitive("alloc") ||
                        hasWord(callee->getName(), {"new", "create", "make", "dup"}));
    found.values[variable].insert(isNew);
  }

  void addBody(const clang::Stmt* body) {
    found.dropped.insert(body);
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body);
    found.loops.insert(block && block->size() == 1 ? block->body_front() : body);
  }

  /// Calls in it, too: `ok = lock(q) == 0`.
  void keep(const clang::Stmt* value) {
    if (const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(value)) {
      found.stored.insert(expression->IgnoreParenCasts());
      for (const clang::Stmt* part : expression->children()) keep(part);
    }
  }
};

/// The header itself names `PTHREAD_MUTEX_RECURSIVE_NP`.
bool mentionsRecursive(clang::ASTContext& context) {
  const auto found = context.getTranslationUnitDecl()->lookup(&context.Idents.get("PTHREAD_MUTEX_RECURSIVE"));
  return std::any_of(found.begin(), found.end(),
                     [](const clang::NamedDecl* named) { return named->isReferenced(); });
}

}  // namespace

bool FunctionCalls::isMade(const std::set<const clang::ValueDecl*>& variables) const {
  return std::all_of(variables.begin(), variables.end(), [&](const clang::ValueDecl* variable) {
    const auto known = values.find(variable);
    return known != values.end() && !known->second.contains(false);
  });
}

FileLocks::FileLocks(FunctionFlows& flows)
    : flows_(flows), hasRecursive_(mentionsRecursive(flows.context())) {}

const FunctionCalls& FileLocks::callsOf(const clang::FunctionDecl& function) {
  const auto [found, isNew] = calls_.try_emplace(&function);
  if (isNew) {
    CallVisitor visitor;
    visitor.TraverseStmt(function.getBody());
    found->second = std::move(visitor.found);
  }
  return found->second;
}

bool FileLocks::touchesLocks(const clang::FunctionDecl& function) {
  const auto [known, isNew] = touches_.try_emplace(&function, false);
  if (!isNew) return known->second;
  const auto touches = [&](const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (lockCallOf(callee->getName()) != LockCall::None || isConditionWait(callee->getName()) ||
        lifeCallOf(*call) != LifeCall::None)
      return true;
    const clang::FunctionDecl* body = callee->getDefinition();
    return body && body->hasBody() && touchesLocks(*body);
  };
  const FunctionCalls& calls = callsOf(function);
  return touches_[&function] = std::any_of(calls.all.begin(), calls.all.end(), touches);
}

const LockSummary& FileLocks::summaryOf(const clang::FunctionDecl& function) {
  constexpr unsigned kMostDepth = 12;
  static const LockSummary kNoSummary;
  // Who asks at another depth gets an answer.
  if (depth_ == kMostDepth && !summaries_.contains(&function)) return kNoSummary;
  const auto [known, isNew] = summaries_.try_emplace(&function);
  if (!isNew) return known->second;
  ++depth_;
  FunctionPaths paths(*this, function);
  LockSummary made;
  if (paths.follow()) made = paths.summary();
  --depth_;
  return summaries_[&function] = std::move(made);
}

}  // namespace heddle

#include "analysis/survey/file_locks.h"

#include <algorithm>

#include "analysis/survey/function_paths.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

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
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->getInit()) keep(variable->getInit());
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
    found.dropped.insert(loop->getBody());
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* loop) {
    found.dropped.insert(loop->getBody());
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

  FunctionCalls found;

 private:
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

FileLocks::FileLocks(clang::ASTContext& context)
    : context_(context), hasRecursive_(mentionsRecursive(context)) {}

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

uint32_t FileLocks::lineOf(clang::SourceLocation location) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  return sources.getSpellingLineNumber(sources.getExpansionLoc(location));
}

}  // namespace heddle

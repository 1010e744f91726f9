#include "analysis/survey/left_out_functions.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "analysis/survey/file_locks.h"
#include "analysis/survey/function_flows.h"
#include "analysis/survey/lock_calls.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {
namespace {

/// What the tree of one function has, by the places of its words.
class TreeWords : public clang::RecursiveASTVisitor<TreeWords> {
 public:
  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitReturnStmt(clang::ReturnStmt* jump) { return add(jump->getReturnLoc()); }
  bool VisitGotoStmt(clang::GotoStmt* jump) { return add(jump->getGotoLoc()); }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt* jump) { return add(jump->getGotoLoc()); }
  bool VisitBreakStmt(clang::BreakStmt* jump) { return add(jump->getBeginLoc()); }
  bool VisitContinueStmt(clang::ContinueStmt* jump) { return add(jump->getBeginLoc()); }
  bool VisitIfStmt(clang::IfStmt* branch) { return add(branch->getIfLoc()); }
  bool VisitWhileStmt(clang::WhileStmt* loop) { return add(loop->getWhileLoc()); }
  bool VisitForStmt(clang::ForStmt* loop) { return add(loop->getForLoc()); }
  bool VisitDoStmt(clang::DoStmt* loop) { return add(loop->getDoLoc()) && add(loop->getWhileLoc()); }
  bool VisitSwitchStmt(clang::SwitchStmt* choice) { return add(choice->getSwitchLoc()); }
  bool VisitSwitchCase(clang::SwitchCase* option) { return add(option->getKeywordLoc()); }
  bool VisitVarDecl(clang::VarDecl* variable) { return add(variable->getLocation()); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
    if (use->getDecl()->isImplicit() && !use->getDecl()->getName().starts_with("__builtin"))
      undeclared_.insert(use->getLocation());
    return add(use->getLocation());
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const auto* callee = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenCasts());
    if (!callee || !call->getDirectCallee() || !call->getDirectCallee()->getIdentifier()) return true;
    calls.push_back(call);
    if (!call->containsErrors()) clean_.insert(callee->getLocation());
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

  bool has(clang::SourceLocation place) const { return known_.contains(place); }
  bool isUndeclared(clang::SourceLocation place) const { return undeclared_.contains(place); }
  /// A call of a function whose arguments are all understood.
  bool isCleanCall(clang::SourceLocation place) const { return clean_.contains(place); }

  std::vector<const clang::CallExpr*> calls;  // of named functions

 private:
  bool add(clang::SourceLocation place) {
    known_.insert(place);
    return true;
  }
  std::set<clang::SourceLocation> known_, undeclared_, clean_;
};

/// Names of the variables in an expression.
void addNames(const clang::Stmt& expression, std::set<std::string>& names) {
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(&expression))
    if (use->getDecl()->getIdentifier()) names.insert(use->getDecl()->getName().str());
  for (const clang::Stmt* part : expression.children())
    if (part) addNames(*part, names);
}

bool isNamedLikeMacro(llvm::StringRef name) {
  return std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

/// Decides which functions are taken.
class Judge {
 public:
  Judge(clang::ASTContext& context, const PartialUnit& partial)
      : context_(context), flows_(context), locks_(flows_), words_(partial.words) {
    const clang::SourceManager& sources = context.getSourceManager();
    for (const PartialUnit::LeftOut& left : partial.functions)
      if (sources.isInMainFile(sources.getExpansionLoc(left.function->getLocation())))
        candidates_.push_back(candidateOf(left));
  }

  std::vector<const PartialUnit::LeftOut*> taken() {
    findTouching();
    for (Candidate& candidate : candidates_)
      candidate.isTaken = candidate.left->isParsed && isWhole(candidate);
    // What the others do to locks is not known, so who calls them is none of these either.
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (Candidate& candidate : candidates_) {
        if (!candidate.isTaken || !callsUnknown(candidate)) continue;
        candidate.isTaken = false;
        isChanged = true;
      }
    }
    std::vector<const PartialUnit::LeftOut*> found;
    for (const Candidate& candidate : candidates_)
      if (candidate.isTaken) found.push_back(candidate.left);
    return found;
  }

 private:
  struct Candidate {
    const PartialUnit::LeftOut* left = nullptr;
    WrittenWords::const_iterator begin, end;  // of its body
    bool isTouching = false;                  // it may do something to a lock
    bool isTaken = false;
  };

  Candidate candidateOf(const PartialUnit::LeftOut& left) const {
    const clang::SourceManager& sources = context_.getSourceManager();
    const auto isBefore = [&](const WrittenWord& word, clang::SourceLocation place) {
      return sources.isBeforeInTranslationUnit(word.place, place);
    };
    const auto begin = std::lower_bound(words_.begin(), words_.end(), left.body->getBeginLoc(), isBefore);
    return {&left, begin, std::lower_bound(begin, words_.end(), left.body->getEndLoc(), isBefore)};
  }

  void findTouching() {
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (Candidate& candidate : candidates_) {
        const bool isTouching = std::any_of(candidate.begin, candidate.end, [&](const WrittenWord& word) {
          return word.kind == WrittenWord::Kind::Called && touchesLocks(*word.name);
        });
        isChanged |= isTouching != candidate.isTouching;
        candidate.isTouching = isTouching;
      }
    }
  }

  bool touchesLocks(const clang::IdentifierInfo& name) {
    if (lockCallOf(name.getName()) != LockCall::None || isConditionWait(name.getName())) return true;
    for (const Candidate& candidate : candidates_)
      if (candidate.left->function->getIdentifier() == &name) return candidate.isTouching;
    const auto [known, isNew] = touching_.try_emplace(&name, false);
    if (!isNew) return known->second;
    for (const clang::NamedDecl* named : context_.getTranslationUnitDecl()->lookup(&name)) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(named);
      const clang::FunctionDecl* body = function ? function->getDefinition() : nullptr;
      if (body && body->hasBody() && locks_.touchesLocks(*body)) return touching_[&name] = true;
    }
    return false;
  }

  bool callsUnknown(const Candidate& candidate) const {
    return std::any_of(candidate.begin, candidate.end, [&](const WrittenWord& word) {
      return word.kind == WrittenWord::Kind::Called &&
             std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& callee) {
               return callee.isTouching && !callee.isTaken &&
                      callee.left->function->getIdentifier() == word.name;
             });
    });
  }

  /// The tree has every word that decides a way or does something to a lock.
  bool isWhole(const Candidate& candidate) {
    TreeWords tree;
    tree.TraverseStmt(candidate.left->body);
    std::set<std::string> restedOn;
    for (const clang::CallExpr* call : tree.calls)
      if (touchesLocks(*call->getDirectCallee()->getIdentifier()))
        for (const clang::Expr* argument : call->arguments()) addNames(*argument, restedOn);
    return std::all_of(candidate.begin, candidate.end, [&](const WrittenWord& word) {
      switch (word.kind) {
        case WrittenWord::Kind::Jump:
        case WrittenWord::Kind::Alone:
          return tree.has(word.place);
        case WrittenWord::Kind::Called:
          if (touchesLocks(*word.name)) return tree.isCleanCall(word.place);
          // A macro of a header that is missing may go anywhere.
          return !isNamedLikeMacro(word.name->getName()) ||
                 (tree.has(word.place) && !tree.isUndeclared(word.place));
        case WrittenWord::Kind::Assigned:
          return tree.has(word.place) || !restedOn.contains(word.name->getName().str());
      }
      return false;
    });
  }

  clang::ASTContext& context_;
  FunctionFlows flows_;  // its own: functions get bodies behind this
  FileLocks locks_;
  const WrittenWords& words_;
  std::vector<Candidate> candidates_;
  std::map<const clang::IdentifierInfo*, bool> touching_;  // of functions that compile
};

}  // namespace

LeftOutFunctions::LeftOutFunctions(clang::ASTContext& context, const PartialUnit& partial) {
  for (const PartialUnit::LeftOut* left : Judge(context, partial).taken()) {
    left->function->setBody(left->body);
    taken_.insert(left->function);
  }
}

}  // namespace heddle

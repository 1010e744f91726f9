// FileLocks: what the functions of one file do to locks for their callers; each is looked at once.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/survey/function_flows.h"
#include "analysis/survey/lock_calls.h"
#include "analysis/survey/lock_place.h"
#include "clang/AST/ASTContext.h"

namespace heddle {

/// What a function does for its caller.
struct LockSummary {
  struct Taken {
    LockPlace place;
    bool isAlways = false;  // on all ways
  };
  std::vector<std::pair<LockPlace, LockCall>> effects;
  std::vector<Taken> takes;      // without having touched it before
  std::set<std::string> names;   // of all locks that it takes, at any depth
  std::set<std::string> gives;   // of locks that it releases without having taken them, at any depth
  std::vector<LockPlace> begun;  // locks that it initializes, with no destroy before
  std::vector<LockPlace> ended;  // locks that it destroys on all ways
  std::vector<LockPlace> maybe;  // locks that it initializes on some ways only
};

/// The calls of a function.
struct FunctionCalls {
  std::vector<const clang::CallExpr*> all;                   // of named functions, in the order of the text
  std::set<const clang::Expr*> stored;                       // values that a variable gets
  std::set<const clang::Stmt*> dropped;                      // statements: nobody looks at their values
  std::set<const clang::Stmt*> loops;                        // statements: each is all that a loop does
  std::map<const clang::ValueDecl*, std::set<bool>> values;  // of variables: whether each is a new object

  /// Each of the variables has no value but objects that the function has just made.
  bool isMade(const std::set<const clang::ValueDecl*>& variables) const;
};

class FileLocks {
 public:
  /// The flows must outlive it.
  explicit FileLocks(FunctionFlows& flows);

  const FunctionCalls& callsOf(const clang::FunctionDecl& function);
  /// Whether it, or what it calls, may do something to a lock.
  bool touchesLocks(const clang::FunctionDecl& function);
  const LockSummary& summaryOf(const clang::FunctionDecl& function);
  /// Some mutex of the file may be locked again by its owner.
  bool hasRecursive() const { return hasRecursive_; }
  FunctionFlows& flows() { return flows_; }
  clang::ASTContext& context() { return flows_.context(); }

 private:
  FunctionFlows& flows_;
  const bool hasRecursive_;
  std::map<const clang::FunctionDecl*, FunctionCalls> calls_;
  std::map<const clang::FunctionDecl*, bool> touches_;
  std::map<const clang::FunctionDecl*, LockSummary> summaries_;
  unsigned depth_ = 0;  // of functions whose summary is being made
};

}  // namespace heddle

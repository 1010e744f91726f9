// UnsignalledChanges: data that loops around waits test, and changes of it that nobody is told of. Who waits
// for a condition looks again only after a signal, so a change that can end the wait has to come with one.
// Conditions are not evaluated, and a signal on any way behind a change counts, so what is told is a guess.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/survey/file_locks.h"
#include "analysis/survey/survey.h"
#include "analysis/survey/wait_test.h"
#include "clang/Analysis/CFG.h"

namespace heddle {

class UnsignalledChanges {
 public:
  /// `functions`: those of the file, with a body. `file` must outlive it.
  UnsignalledChanges(FileLocks& file, const std::vector<const clang::FunctionDecl*>& functions);

  /// Sets `unsignalled` and `signals`.
  void addTo(const clang::FunctionDecl& function, SurveyFunction& out);

 private:
  const std::set<std::string>& signalsOf(const clang::FunctionDecl& function);
  /// What the call signals itself, or somewhere in it.
  std::set<std::string> signalsOf(const clang::CallExpr& call);
  /// The first signal of the condition that some way from the element on comes to.
  UnsignalledChange::Signal signalBehind(const clang::CFGBlock& block, size_t element,
                                         const std::string& condition);
  /// Some way from the element on comes to a signal; `mayPassLocks`: also behind a lock or a wait.
  bool isSignalledBehind(const clang::CFGBlock& block, size_t element, const std::string& condition,
                         bool mayPassLocks);

  FileLocks& file_;
  std::map<std::string, std::vector<WaitTest>> tests_;  // by data
  std::map<const clang::FunctionDecl*, std::set<std::string>> signals_;
};

}  // namespace heddle

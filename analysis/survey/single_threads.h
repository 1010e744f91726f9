// SingleThreads: functions of which the file starts one thread: at one place, outside of loops, where it
// keeps the thread in a global variable, or in the object that the thread is given. Whoever starts several
// threads, or detaches them, has no one place to keep them.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <string>

#include "clang/AST/Decl.h"

namespace heddle {

class SingleThreads {
 public:
  /// `function` has a body.
  void add(const clang::FunctionDecl& function);
  /// The initial value of a variable: functions that it names, others may call.
  void add(const clang::Expr& value);
  /// All functions and values must have been added.
  std::set<std::string> found() const;
  /// Functions of which a loop starts threads.
  const std::set<std::string>& startedInLoops() const { return startedInLoops_; }

 private:
  std::map<std::string, unsigned> named_;  // how often, by function
  std::map<std::string, std::string>
      startedBy_;  // functions whose thread is kept at its one place, by theirs
  std::set<std::string> calledInLoops_, startedInLoops_;
};

}  // namespace heddle

// ThreadFactsLook: takes the facts about threads (thread_facts.h) from the functions of one file.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/thread_facts.h"
#include "clang/AST/ASTContext.h"

namespace heddle {

class ThreadFactsLook {
 public:
  explicit ThreadFactsLook(clang::ASTContext& context) : context_(context) {}

  /// `function` has a body in the file.
  void add(const clang::FunctionDecl& function, ThreadFacts& facts) const;
  /// Behind all functions: uses that nothing else of the file makes interesting are left out.
  static void finish(ThreadFacts& facts);

 private:
  clang::ASTContext& context_;
};

}  // namespace heddle

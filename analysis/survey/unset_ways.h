// UnsetWays: local variables that a whole way through a function leaves without a value, and that are read
// behind it: all that gives them one lies behind one side of an `if`, and the other side leads to the read.
//
// Ways are followed once, without a second turn of any loop, and only where no test that they pass may have
// to do with that `if`: tests of what the way itself has set or tested are evaluated, others that share data
// with it end the way. What Clang tells without that (-Wsometimes-uninitialized) is not told here, but for
// macros that leave their argument without a value by a `break` or `goto`.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/function_flows.h"
#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class UnsetWays {
 public:
  /// The flows must outlive it.
  explicit UnsetWays(FunctionFlows& flows) : flows_(flows), context_(flows.context()) {}
  /// `function` has a body.
  void add(const clang::FunctionDecl& function, Survey& survey);

 private:
  FunctionFlows& flows_;
  clang::ASTContext& context_;
};

}  // namespace heddle

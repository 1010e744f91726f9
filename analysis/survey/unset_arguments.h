// UnsetArguments: local variables without a value, or filled in part, that a function gives to one of the
// system's that reads them: the length in front of getsockname(), the flags of sigaction(). And variables
// that a function of the system sets only if it succeeds, read where nobody has looked whether it did.
//
// Only what no way sets is told, and only for functions whose manual says what they read.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/function_flows.h"
#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class UnsetArguments {
 public:
  /// The flows must outlive it.
  explicit UnsetArguments(FunctionFlows& flows) : flows_(flows), context_(flows.context()) {}
  /// `function` has a body.
  void add(const clang::FunctionDecl& function, Survey& survey);
  void finish(Survey&) {}

 private:
  FunctionFlows& flows_;
  clang::ASTContext& context_;
};

}  // namespace heddle

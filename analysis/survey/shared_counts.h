// SharedCounts: objects that are used behind the unlock under which the function has given its reference
// back, where that was not the last one: whoever gives the last one back may have freed them. Conditions
// other than tests of the count are not evaluated, so what is told is a guess.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/function_flows.h"
#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class SharedCounts {
 public:
  /// The flows must outlive it.
  explicit SharedCounts(FunctionFlows& flows) : flows_(flows), context_(flows.context()) {}
  /// `function` has a body.
  void add(const clang::FunctionDecl& function, Survey& survey);

 private:
  FunctionFlows& flows_;
  clang::ASTContext& context_;
};

}  // namespace heddle

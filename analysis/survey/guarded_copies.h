// GuardedCopies: writes that end behind the bytes that are there, by the text of one function: an allocation
// that forgets the byte at the end, a check that lets through what the copy adds to it, a text that is read
// into all of a buffer and then ended, a full buffer that is appended to, a shift by one element too many.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/function_flows.h"
#include "analysis/survey/linear_flow.h"
#include "analysis/survey/survey.h"
#include "analysis/survey/wide_reads.h"

namespace heddle {

class GuardedCopies {
 public:
  /// The context must outlive it.
  explicit GuardedCopies(FunctionFlows& flows)
      : flows_(flows), context_(flows.context()), reads_(flows.context()) {}
  /// `function` has a body.
  void add(const clang::FunctionDecl& function, Survey& survey);

 private:
  FunctionFlows& flows_;
  clang::ASTContext& context_;
  WideReads reads_;
};

}  // namespace heddle

// UntestedParameters: functions that use the object they are given without a test, where others of the file
// compare theirs with null first. What a project's functions agree on, their callers rely on.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "analysis/survey/function_flows.h"
#include "analysis/survey/null_needs.h"
#include "analysis/survey/survey.h"

namespace heddle {

class UntestedParameters {
 public:
  /// The flows must outlive it.
  explicit UntestedParameters(FunctionFlows& flows) : context_(flows.context()), needs_(flows) {}

  /// Looks at a function that has a body.
  void add(const clang::FunctionDecl& function);
  /// After all functions.
  void finish(Survey& survey) const;

 private:
  struct Functions {
    size_t testing = 0;
    std::vector<ValueSlip> others;  // that use it on all ways
  };

  clang::ASTContext& context_;
  NullNeeds needs_;
  std::map<const clang::TagDecl*, Functions> byType_;
};

}  // namespace heddle

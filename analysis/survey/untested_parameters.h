// UntestedParameters: functions that use the object they are given without a test, where others of the file
// compare theirs with null first: what a project's functions agree on, their callers rely on. And functions
// that take such an object down, where what makes one may return null: who gives up gives it that.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <string>
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
    std::vector<ValueSlip> others;     // that use it on all ways
    std::vector<ValueSlip> takeDowns;  // the same, of those that take it down
    std::string maker;                 // it makes one, and may return null; empty: none
  };
  void addMaker(const clang::FunctionDecl& function);

  clang::ASTContext& context_;
  NullNeeds needs_;
  std::map<const clang::TagDecl*, Functions> byType_;
};

}  // namespace heddle

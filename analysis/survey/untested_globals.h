// UntestedGlobals: functions that use a pointer in a global variable without a test, where others of the file
// compare it with null first. What most functions doubt, all must (Engler et al., SOSP 2001: bugs as deviant
// behavior). Of members this is no sign: what sets an object up has often seen to them.
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

class UntestedGlobals {
 public:
  /// The flows must outlive it.
  explicit UntestedGlobals(FunctionFlows& flows) : context_(flows.context()), needs_(flows) {}

  /// Looks at a function that has a body.
  void add(const clang::FunctionDecl& function);
  /// After all functions.
  void finish(Survey& survey) const;

 private:
  /// What one function does with one pointer.
  struct Deeds {
    bool isTested = false, isSet = false, isAsserted = false;
    uint32_t line = 0;  // of the first use; 0: none
  };
  struct Function {
    const clang::FunctionDecl* function = nullptr;
    bool isAsserting = false;            // by its text, also where assertions are left out of the tree
    std::map<std::string, Deeds> deeds;  // by the pointer's name
    std::set<std::string> conditions;    // variables that decide ways
    std::set<const clang::FunctionDecl*> calls;
  };

  void collect(const clang::Stmt& part, const NullFlow& flow, Function& into);
  void note(const clang::Expr& pointer, const NullFlow& flow, Function& into);
  /// Somebody whom the function calls, or who calls it, tests or sets the pointer.
  bool isSeenToElsewhere(const Function& function, const std::string& pointer) const;

  clang::ASTContext& context_;
  NullNeeds needs_;
  std::vector<Function> functions_;
};

}  // namespace heddle

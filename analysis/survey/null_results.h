// NullResults: pointers that may be null and are used all the same: results of functions of the file or of
// the C library that nothing compares with null before their use, where others do; null that is given to a
// function which uses it; a pointer that was compared with null and whose use no way from there avoids.
// Conditions are not evaluated, so what is told is a guess.
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

class NullResults {
 public:
  /// The flows must outlive it.
  explicit NullResults(FunctionFlows& flows) : context_(flows.context()), needs_(flows) {}

  /// Looks at a function that has a body.
  void add(const clang::FunctionDecl& function, Survey& survey);
  /// After all functions: what others do says whether a result is one to be tested.
  void finish(Survey& survey);

 private:
  enum class Group : uint8_t { Allocation, Search, Time, Other, Failing, Unknown };
  struct Candidate {
    ValueSlip slip;
    Group group = Group::Unknown;
    std::vector<std::string> given;  // the texts of the call's arguments
    bool isPlain = true;             // all of them are names or constants, and none is what gets the result
  };
  struct Count {
    unsigned tested = 0, untested = 0;
  };
  /// One call.
  struct Call {
    std::string callee, function;
    std::vector<std::string> given;
    bool isTested = false;
  };

  void addResults(const NullFlow& flow);
  void addResult(const NullFlow& flow, const clang::Expr& source, Candidate candidate);
  /// Of a local variable that got the result at `at`. True: it is a candidate, and the use is set.
  bool isUntested(const NullFlow& flow, const clang::VarDecl& variable, const void* at, Candidate& candidate,
                  bool& isTested);
  void addFields(const NullFlow& flow);
  void addGiven(const NullFlow& flow);
  void addNullEdges(const NullFlow& flow, Survey& survey);
  bool isFirstTest(const NullFlow& flow, const clang::CFGBlock& block, const clang::VarDecl& variable);
  bool isIfTest(const NullFlow& flow, const clang::CFGBlock& block) const;
  std::string textOf(const clang::Expr& expression) const;
  void addAsserted();
  bool isLikely(const Candidate& candidate) const;

  clang::ASTContext& context_;
  NullNeeds needs_;
  const clang::FunctionDecl* function_ = nullptr;
  std::set<std::string> asserted_;  // names in assertions of the function
  std::vector<Candidate> candidates_;
  std::map<std::string, Count> results_;  // by function
  Count allocations_;
  std::vector<Call> calls_;
  struct Given {
    std::vector<ValueSlip> nulls;
    bool isWanted = false;
    unsigned others = 0;
  };
  std::map<std::pair<const clang::FunctionDecl*, unsigned>, Given> given_;
};

}  // namespace heddle

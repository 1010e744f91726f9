// LockEnds: which functions destroy what threads synchronize by in the object that they are given, themselves
// or through functions that they give the object to. Nobody may use such an object any more.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/survey/survey.h"
#include "clang/AST/Decl.h"

namespace heddle {

class LockEnds {
 public:
  /// `function` has a body.
  void add(const clang::FunctionDecl& function);
  /// Fills in SurveyFunction::ends; all functions must have been added.
  void addTo(std::vector<SurveyFunction>& functions);

 private:
  struct Passed {
    unsigned parameter = 0;
    std::string callee;
    unsigned argument = 0;
    bool isAlways = false;
  };
  struct Known {
    std::set<unsigned> ends, begins;  // parameters
    std::vector<Passed> passed;
  };

  friend class LockEndVisitor;
  void close();

  std::map<std::string, Known> known_;
  bool isClosed_ = false;
};

}  // namespace heddle

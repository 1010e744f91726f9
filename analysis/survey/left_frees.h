// LeftFrees: where a function frees what an object of its caller keeps, and leaves the pointer there on some
// way to its end, where somebody frees it again: another way of the function gives the place a new value, or
// a function of the file that ends such objects frees it. Conditions are not evaluated, so what is told is a
// guess.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <set>
#include <vector>

#include "analysis/survey/free_calls.h"
#include "analysis/survey/function_flows.h"
#include "analysis/survey/survey.h"

namespace heddle {

class LeftFrees {
 public:
  /// The flows must outlive it.
  explicit LeftFrees(FunctionFlows& flows) : calls_(flows), context_(flows.context()) {}

  /// The function has a body.
  void add(const clang::FunctionDecl& function, Survey&) { functions_.push_back(&function); }
  /// Behind all functions of the file.
  void finish(Survey& survey);

 private:
  using Members = std::set<const clang::FieldDecl*>;

  void addEnded(const clang::FunctionDecl& function);
  void look(const clang::FunctionDecl& function, Survey& survey);
  /// Behind some free of the place, some way sets it anew.
  bool isSetBehind(const FreeFlow& flow, const FreePlace& place) const;

  FreeCalls calls_;
  clang::ASTContext& context_;
  std::vector<const clang::FunctionDecl*> functions_;
  std::set<Members> ended_;  // places that functions free which end objects
};

}  // namespace heddle

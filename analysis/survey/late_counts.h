// LateCounts: counts of references beside their lock. An object is found under a lock, and its count is
// raised only behind the unlock: somebody may have freed it. And what pthread_once is given is set again by
// the last user, whose count is not lowered under the lock of those that begin. Conditions are not
// evaluated, so what is told is a guess.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/survey/function_flows.h"
#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class LateCounts {
 public:
  /// The flows must outlive it.
  explicit LateCounts(FunctionFlows& flows) : flows_(flows), context_(flows.context()) {}

  /// Adds what the function, which has a body, shows alone.
  void add(const clang::FunctionDecl& function, Survey& survey);
  /// Adds what needs all functions of the file. They have been added.
  void finish(Survey& survey);

  /// What happens where, and which locks are held there on all ways.
  struct Step {
    const clang::ValueDecl* of = nullptr;
    uint32_t line = 0;
    std::set<std::string> held;
  };
  /// One function's steps with what pthread_once is given, and with counts of the process.
  struct OnceSteps {
    std::string function;
    std::vector<Step> begun, reset, lowered, raised;
    bool isOfFork = false;
  };

 private:
  FunctionFlows& flows_;
  clang::ASTContext& context_;
  std::vector<OnceSteps> once_;
};

}  // namespace heddle

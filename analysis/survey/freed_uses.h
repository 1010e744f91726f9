// FreedUses: where a function uses or frees once more what it has freed, and cannot but do so: every way from
// the free leads there, or every way that leads there frees. Conditions are not evaluated, apart from those
// that ask whether the pointer is null, so what is told is a guess.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <memory>
#include <vector>

#include "analysis/survey/free_calls.h"
#include "analysis/survey/function_flows.h"
#include "analysis/survey/survey.h"

namespace heddle {

class FreedUses {
 public:
  /// The flows must outlive it.
  explicit FreedUses(FunctionFlows& flows) : calls_(flows) {}

  /// The function has a body.
  void add(const clang::FunctionDecl& function, Survey& survey);
  void finish(Survey&) {}

 private:
  FreeCalls calls_;
};

}  // namespace heddle

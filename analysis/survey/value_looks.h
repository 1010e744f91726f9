// ValueLooks: all looks at what the functions of one file do to values that need to see the whole file.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/freed_uses.h"
#include "analysis/survey/left_frees.h"
#include "analysis/survey/null_results.h"
#include "analysis/survey/passed_bounds.h"
#include "analysis/survey/unset_arguments.h"

namespace heddle {

class ValueLooks {
 public:
  explicit ValueLooks(clang::ASTContext& context)
      : bounds_(context), unset_(context), freed_(context), left_(context), nulls_(context) {}

  /// `function` has a body in the file.
  void add(const clang::FunctionDecl& function, Survey& survey) {
    bounds_.add(function, survey);
    unset_.add(function, survey);
    freed_.add(function, survey);
    left_.add(function, survey);
    nulls_.add(function, survey);
  }
  /// Behind all functions.
  void finish(Survey& survey) {
    bounds_.finish(survey);
    unset_.finish(survey);
    freed_.finish(survey);
    left_.finish(survey);
    nulls_.finish(survey);
  }

 private:
  PassedBounds bounds_;
  UnsetArguments unset_;
  FreedUses freed_;
  LeftFrees left_;
  NullResults nulls_;
};

}  // namespace heddle

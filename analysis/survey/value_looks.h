// ValueLooks: all looks at what the functions of one file do to values that need to see the whole file.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/append_bounds.h"
#include "analysis/survey/cleared_parts.h"
#include "analysis/survey/freed_uses.h"
#include "analysis/survey/function_flows.h"
#include "analysis/survey/guarded_copies.h"
#include "analysis/survey/left_frees.h"
#include "analysis/survey/list_links.h"
#include "analysis/survey/moved_pointers.h"
#include "analysis/survey/null_results.h"
#include "analysis/survey/passed_bounds.h"
#include "analysis/survey/shared_counts.h"
#include "analysis/survey/unended_copies.h"
#include "analysis/survey/unset_arguments.h"
#include "analysis/survey/unset_ways.h"
#include "analysis/survey/untested_globals.h"
#include "analysis/survey/untested_parameters.h"
#include "analysis/survey/wrapped_differences.h"
#include "analysis/survey/wrapped_sums.h"

namespace heddle {

class ValueLooks {
 public:
  /// The flows must outlive it.
  explicit ValueLooks(FunctionFlows& flows)
      : context_(flows.context()),
        bounds_(flows),
        unset_(flows),
        freed_(flows),
        left_(flows),
        nulls_(flows),
        untested_(flows),
        globals_(flows),
        counts_(flows),
        copies_(flows),
        cleared_(flows.context()),
        links_(flows),
        moved_(flows),
        ways_(flows),
        differences_(flows) {}

  /// `function` has a body in the file.
  void add(const clang::FunctionDecl& function, Survey& survey) {
    bounds_.add(function, survey);
    unset_.add(function, survey);
    freed_.add(function, survey);
    left_.add(function, survey);
    nulls_.add(function, survey);
    untested_.add(function);
    globals_.add(function);
    counts_.add(function, survey);
    copies_.add(function, survey);
    addAppendBounds(context_, function, survey);
    addUnendedCopies(context_, function, survey);
    addWrappedSums(context_, function, survey);
    cleared_.add(function, survey);
    links_.add(function, survey);
    moved_.add(function, survey);
    ways_.add(function, survey);
    differences_.add(function, survey);
  }
  /// Behind all functions.
  void finish(Survey& survey) {
    bounds_.finish(survey);
    unset_.finish(survey);
    freed_.finish(survey);
    left_.finish(survey);
    nulls_.finish(survey);
    untested_.finish(survey);
    globals_.finish(survey);
    links_.finish(survey);
    differences_.finish(survey);
  }

 private:
  clang::ASTContext& context_;
  PassedBounds bounds_;
  UnsetArguments unset_;
  FreedUses freed_;
  LeftFrees left_;
  NullResults nulls_;
  UntestedParameters untested_;
  UntestedGlobals globals_;
  SharedCounts counts_;
  GuardedCopies copies_;
  ClearedParts cleared_;
  ListLinks links_;
  MovedPointers moved_;
  UnsetWays ways_;
  WrappedDifferences differences_;
};

}  // namespace heddle

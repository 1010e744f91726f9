// CreationCheck: what a patch does where a thread cannot be created. Explorations take it that each creation
// succeeds; what a patch puts in front of one (a reference, a count, a flag) has to be right without the
// thread too, so the changed program is explored once more with none, one and two creations for each thread.
//
// Threading: as verifyRepair().
#pragma once

#include <string>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct CreationCheck {
  std::string problem;       // what goes wrong that did not before, one sentence without a period
  bool isUndecided = false;  // it could not be explored in its time
};

/// `reportBefore`, `reportAfter`: on these snapshots with all creations. Nothing is explored where no
/// creation's result is looked at.
CreationCheck checkFailingCreations(const Snapshot& before, const Report& reportBefore, const Snapshot& after,
                                    const Report& reportAfter, const Options& options, const Budget& budget);

}  // namespace heddle

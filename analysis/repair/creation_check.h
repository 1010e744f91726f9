// CreationCheck: what a patch does if a thread cannot be created. Explorations assume that each creation
// succeeds. But what a patch puts in front of a creation (a reference, a count, a flag) must also be right
// without the thread. So the changed program is explored again with none, one and two successful creations
// for each thread.
//
// Threading: as verifyRepair().
#pragma once

#include <string>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct CreationCheck {
  std::string problem;       // what goes wrong that did not go wrong before, one sentence without a period
  bool isUndecided = false;  // the exploration did not end within its time
};

/// `reportBefore`, `reportAfter`: the reports on these snapshots if all creations succeed. Nothing is
/// explored if the program uses the result of no creation.
CreationCheck checkFailingCreations(const Snapshot& before, const Report& reportBefore, const Snapshot& after,
                                    const Report& reportAfter, const Options& options, const Budget& budget);

}  // namespace heddle

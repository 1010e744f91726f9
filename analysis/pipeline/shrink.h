// Shrinking: from a schedule that shows a finding to one that a person follows more easily: fewer switches
// between threads, then fewer steps, then inputs that are 0 or else small.
//
// Greedy: each change is replayed, and stays when the finding is still shown. Nothing is claimed to be the
// smallest there is.
//
// Threading: the thread of the exploration. Observes the budget.
#pragma once

#include <functional>

#include "analysis/model/schedule.h"
#include "analysis/support/budget.h"

namespace heddle {

/// Whether a replay of the schedule shows the finding as it was described.
using ShowsIt = std::function<bool(const Schedule&)>;

/// At most some hundreds of replays.
Schedule shrink(const Schedule& from, const ShowsIt& shows, const Budget& budget);

}  // namespace heddle

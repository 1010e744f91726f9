// Shrinking: makes from a schedule that shows a finding one that a person can follow more easily, with
// fewer switches between threads, then fewer steps, then inputs that are 0 or at least small.
//
// It is greedy: each change is replayed, and stays if the finding is still shown. The result need not be
// the smallest.
//
// Threading: the thread of the exploration. Observes the budget.
#pragma once

#include <functional>

#include "analysis/model/schedule.h"
#include "analysis/support/budget.h"

namespace heddle {

/// Whether a replay of the schedule shows the finding as it was described.
using ShowsIt = std::function<bool(const Schedule&)>;

/// Takes at most some hundreds of replays.
Schedule shrink(const Schedule& from, const ShowsIt& shows, const Budget& budget);

}  // namespace heddle

// Earlier findings on a new text: their schedules are run first, which takes milliseconds, so that a bug that
// an edit did not touch is confirmed before the exploration comes to it.
//
// Threading: any thread; pure but for the engine.
#pragma once

#include <functional>
#include <vector>

#include "server/schedule/analysis_queue.h"

namespace heddle {

/// The findings of `request.earlier` whose schedule still leads to a failure of the same kind in the same
/// function. Their places, steps and inputs are those of the new text. A schedule that cannot be followed any
/// more confirms nothing. `seen` hears of each as soon as it is known.
std::vector<Finding> confirmEarlier(const Engine& engine, const AnalysisRequest& request,
                                    const Snapshot& snapshot, const Budget& budget,
                                    const std::function<void(const Finding&)>& seen);

/// Adds a finding that a replay has just shown, unless the report has one of its kind there.
void addReplayed(Report& report, const Finding& finding);

/// Adds confirmed findings to the report of a run that ended before it found them again: each was replayed.
void keepConfirmed(Report& report, const std::vector<Finding>& confirmed);

}  // namespace heddle

// ReplayEach: replays several schedules of one program, which is compiled once. It tells whether bugs that
// were there before an edit are still there.
//
// Threading: as analyze().
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

/// Calls `seen` with the result of replay() for each of `schedules`, in their order, as soon as it is
/// known, until the budget ends.
void replayEach(const Snapshot& snapshot, const Options& options, const std::vector<std::string>& schedules,
                const Budget& budget, const std::function<void(size_t index, const ReplayResult&)>& seen);

}  // namespace heddle

// ReplayRun: one schedule, run again by a machine that shares nothing with the exploration that found it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/interp/machine.h"
#include "analysis/report.h"

namespace heddle {

struct ReplayRun {
  std::unique_ptr<Names> names;
  RunResult result;        // up to the first failure
  std::string divergence;  // empty: the schedule could be followed
  /// The last two events of the schedule are conflicting accesses: a data race.
  bool race = false;
  Event lastAccess, accessBefore;  // if so
};

/// Every access is a scheduling point, so the schedule's operation counts are met exactly.
ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget);

/// What the run shows: its failures, the race it ends with, threads that wait for ever. `afterExit`: also
/// those that wait when the process has ended meanwhile (they waited before, too).
std::vector<Finding> findingsOf(const Program& program, const ReplayRun& run, std::string_view text,
                                bool afterExit);

}  // namespace heddle

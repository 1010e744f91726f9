// ReplayRun: one schedule, run again by a machine that shares nothing with the exploration that found it.
#pragma once

#include <memory>
#include <string>

#include "analysis/interp/machine.h"

namespace heddle {

struct ReplayRun {
  std::unique_ptr<Names> names;
  RunResult result;        // up to the first failure
  std::string divergence;  // empty: the schedule could be followed
};

/// Every access is a scheduling point, so the schedule's operation counts are met exactly.
ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget);

}  // namespace heddle

// Access summary: who accesses which shared data where, and under which mutexes, as the forest shows it.
// Repair decides from it which lock guards the data already and which accesses still need it.
//
// Threading: that of the exploration, after it.
#pragma once

#include <vector>

#include "analysis/explore/run/exploration.h"
#include "analysis/program/program.h"
#include "analysis/report.h"

namespace heddle {

std::vector<SharedAccess> summarizeAccesses(const Program& program, Runner& runner);

}  // namespace heddle

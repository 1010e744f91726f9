// Access summary: which threads access which shared data where, and under which mutexes, as the forest
// shows it. From it, repair decides which lock already guards the data and which accesses still need it.
//
// Threading: the exploration's thread, after the exploration.
#pragma once

#include <vector>

#include "analysis/explore/run/exploration.h"
#include "analysis/program/program.h"
#include "analysis/report.h"

namespace heddle {

std::vector<SharedAccess> summarizeAccesses(const Program& program, Runner& runner);

}  // namespace heddle

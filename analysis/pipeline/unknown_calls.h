// Unknown calls: the functions that a program calls and that are neither defined nor modelled, all at once,
// and what a finding owes to what was assumed of them.
//
// Threading: pure functions.
#pragma once

#include <functional>
#include <vector>

#include "analysis/model/schedule.h"
#include "analysis/program/program.h"
#include "analysis/report.h"
#include "analysis/support/budget.h"

namespace heddle {

struct ReplayRun;

/// "nothing", "arguments", "reachable", "refused": the name in JSON and in settings.
const char* toString(UnknownEffect effect);

/// Those that executions from `entry` may come to, by name, each with all its calls; kNone: those in any
/// function.
std::vector<UnknownCall> unknownCallsOf(const Program& program, FunctionId entry);

/// Names in the finding what its run, `seen`, of `schedule` owes to such calls. `isStill`: whether a run
/// shows the finding. It is possible only where it goes away with other values in what they left in memory,
/// where characters that they left decide its way, where an access of theirs is part of it, or where it is an
/// assertion about what they returned.
void nameUnknownCalls(const Program& program, FunctionId entry, const ReplayRun& seen,
                      const Schedule& schedule, const Budget& budget,
                      const std::function<bool(const ReplayRun&)>& isStill, Finding& finding);

}  // namespace heddle

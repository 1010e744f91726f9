// Unknown calls: all functions that a program calls but that are neither defined nor modelled, and what a
// finding owes to the assumptions about them.
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

/// The unknown functions that executions from `entry` may reach, by name, each with all its calls; kNone:
/// those called in any function.
std::vector<UnknownCall> unknownCallsOf(const Program& program, FunctionId entry);

/// Notes in the finding what its run `seen`, the replay of `schedule`, owes to such calls. `isStill`:
/// whether a run shows the finding. The finding becomes "only possible" (Finding::possible) in six cases:
/// it disappears with other values in the memory that the calls left; characters that they left decide its
/// way; one of their accesses is part of it; its pointer is a null that they left, at any depth; it is an
/// assertion about what they returned; or a value was never written on a way that their results chose. So it
/// does where a file holds something else than the program has written, or a clock that never does goes back.
void nameUnknownCalls(const Program& program, FunctionId entry, const ReplayRun& seen,
                      const Schedule& schedule, const Budget& budget,
                      const std::function<bool(const ReplayRun&)>& isStill, Finding& finding);

/// Whether the function has a meaning here without a body: a program needs no file that defines it.
bool hasModel(std::string_view name);

}  // namespace heddle

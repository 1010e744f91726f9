// Reach report: describes for a report what executions reached (ReachLog): functions, sides of branches,
// assertions, ends of threads.
//
// Functions that the entry point cannot reach by calls or addresses of functions are left out.
//
// Threading: pure functions.
#pragma once

#include "analysis/interp/core/reach_log.h"
#include "analysis/program/program.h"
#include "analysis/report.h"

namespace heddle {

Reach describeReach(const Program& program, FunctionId entry, const ReachLog& log);

/// "the end of 'main', assertion at a.c:12, 3 more"; only essential items (isEssential). Empty: all of them
/// were reached.
std::string essentialUnreached(const Reach& reach);

}  // namespace heddle

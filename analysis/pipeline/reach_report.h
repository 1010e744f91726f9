// From what executions came to (ReachLog) to what a report says of it: functions, sides of branches,
// assertions, ends of threads.
//
// What the entry point cannot come to by calls and addresses of functions is left out.
//
// Threading: pure functions.
#pragma once

#include "analysis/interp/core/reach_log.h"
#include "analysis/program/program.h"
#include "analysis/report.h"

namespace heddle {

Reach describeReach(const Program& program, FunctionId entry, const ReachLog& log);

/// "the end of 'main', assertion at a.c:12, 3 more"; only what is essential. Empty: all of that was reached.
std::string essentialUnreached(const Reach& reach);

}  // namespace heddle

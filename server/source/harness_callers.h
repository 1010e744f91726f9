// HarnessCallers: which threads of a finding are calls that a generated harness makes, and what they do to
// each other's data without any lock.
//
// Threading: pure functions.
#pragma once

#include <set>
#include <string>

#include "analysis/report.h"

namespace heddle {

/// The threads in which the harness makes its calls; those that the functions start are none.
std::set<std::string> callersIn(const Finding& finding);

/// The caller that the thread is, or whose call has started it; empty: it is of neither.
std::string callerOf(const std::string& thread, const std::set<std::string>& callers);

/// It fails behind accesses of its own and of another caller to the same data that nothing orders, and
/// neither of the two holds a lock there: who calls so must hold one. What is freed is not such data: who
/// frees it has to answer for it.
bool restsOnUnlockedAccesses(const Finding& finding);

}  // namespace heddle

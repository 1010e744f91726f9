// LoneCalls: harnesses in which one thread makes one call or a few, with any arguments: what has nothing to
// do with threads is looked at, too, in the time that other harnesses leave.
//
// Threading: pure functions.
#pragma once

#include <vector>

#include "analysis/support/budget.h"
#include "analysis/survey/survey.h"
#include "server/source/generated_harness.h"
#include "server/source/harness_state.h"

namespace heddle {

/// Adds one for each function that others can call, or that is given to others as a callback, and one of a
/// few calls in a row for each kind of object that the file sets up. What is found there is only possible:
/// which arguments callers pass, and in which state, the file does not show.
void addLoneCalls(const Survey& survey, const std::vector<Subject>& subjects, HarnessState& state,
                  const Budget& budget, std::vector<GeneratedHarness>& harnesses);

}  // namespace heddle

// LockSections: harnesses for locks that a file makes itself, of atomic operations: by the names of the
// functions that take and release one, what a thread does between them is kept apart from what others do
// there. So threads change a plain counter there, which races where a lock lets two of them in.
//
// Threading: pure functions.
#pragma once

#include <vector>

#include "analysis/support/budget.h"
#include "analysis/survey/survey.h"
#include "server/source/generated_harness.h"
#include "server/source/harness_state.h"

namespace heddle {

/// Adds, for each kind of lock: two threads, of which one has it alone; and two readers beside such a one.
/// What is found is only possible, for what the names mean is a guess.
void addLockSections(const Survey& survey, HarnessState& state, const Budget& budget,
                     std::vector<GeneratedHarness>& harnesses);

/// Says in the finding what a race for the counter means. False: it is none, and is unchanged.
bool namesLockSections(const GeneratedHarness& harness, Finding& finding);

}  // namespace heddle

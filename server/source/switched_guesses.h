// SwitchedGuesses: what the text looks like that the file's command leaves out. A switch of the project that
// is off for this build (a library that is missing here, an option) hides code which others build.
//
// Threading: pure function.
#pragma once

#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "analysis/support/budget.h"
#include "server/source/generated_harness.h"

namespace heddle {

/// Guesses of functions with such text, read once more with all those switches on, headers that are missing
/// being empty; each names its switches. `plan`: of the text as it is, whose guesses are not told again.
std::vector<LockGuess> switchedGuesses(const Snapshot& snapshot, const HarnessPlan& plan,
                                       const Budget& budget);

}  // namespace heddle

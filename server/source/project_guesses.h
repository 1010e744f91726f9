// ProjectGuesses: what only a look at several files of a project suspects: a lock taken again, or two locks
// in both orders, through calls of functions in other files, what a handler of a signal comes to there, and
// users' functions that are called under a lock which functions of other files take.
// Guesses from the text, as in lock_guesses.h.
//
// Threading: pure function.
#pragma once

#include <vector>

#include "server/source/generated_harness.h"

namespace heddle {

struct ProjectGuess {
  size_t plan = 0;  // whose file it stands in
  LockGuess guess;
};

/// Of locks that are taken again, or in both orders, only those that are variables: of members nobody knows
/// here whether it is one object. What is seen within one file alone is not told (lockGuesses).
std::vector<ProjectGuess> projectGuesses(const std::vector<const HarnessPlan*>& plans);

}  // namespace heddle

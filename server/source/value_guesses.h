// ValueGuesses: what a look at the text of one file suspects of values: what is tested only behind its use,
// and results that nobody looks at.
//
// Threading: pure functions.
#pragma once

#include <vector>

#include "analysis/survey/survey.h"
#include "server/source/lock_guesses.h"

namespace heddle {

/// Adds them, in any order.
void addValueGuesses(const Survey& survey, std::vector<LockGuess>& guesses);

}  // namespace heddle

// OrderGuesses: steps of one function that come in the wrong order (analysis/survey/signal_orders.h,
// late_counts.h), in words. Guesses from the text, as in lock_guesses.h.
//
// Threading: pure function.
#pragma once

#include <vector>

#include "analysis/survey/survey.h"
#include "server/source/lock_guesses.h"

namespace heddle {

void addOrderGuesses(const Survey& survey, std::vector<LockGuess>& guesses);

}  // namespace heddle

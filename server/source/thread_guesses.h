// ThreadGuesses: what a look at the text of one file suspects where threads meet: changes that nobody who
// waits is told of, data that is set behind the start of the thread that reads it, static variables and
// results of the C library that no lock guards.
//
// Threading: pure function.
#pragma once

#include <vector>

#include "server/source/lock_guesses.h"

namespace heddle {

void addThreadGuesses(const Survey& survey, std::vector<LockGuess>& guesses);

}  // namespace heddle

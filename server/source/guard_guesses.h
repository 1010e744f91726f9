// GuardGuesses: what a look at the text of one file suspects where a lock is not held that the rest of the
// file says is needed: functions called without what they are otherwise called with, results of locks that
// are dropped, and data that one function writes both with and without the lock.
//
// Threading: pure function.
#pragma once

#include <vector>

#include "server/source/lock_guesses.h"

namespace heddle {

void addGuardGuesses(const Survey& survey, std::vector<LockGuess>& guesses);

}  // namespace heddle

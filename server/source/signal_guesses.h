// SignalGuesses: what handlers of signals call that they must not (POSIX.1-2017, 2.4.3: async-signal-safe
// functions), and errno that they change and do not put back. Guesses from the text, as in lock_guesses.h.
//
// Threading: pure function.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/survey/survey.h"
#include "server/source/lock_guesses.h"

namespace heddle {

/// A function of the C library that a handler must not call, and no rare mistake: it takes locks, or changes
/// what a signal may have interrupted.
bool isUnsafeInHandler(std::string_view callee);

void addSignalGuesses(const Survey& survey, std::vector<LockGuess>& guesses);

}  // namespace heddle

// LockHabits: data that a file accesses under one lock nearly everywhere, and where it does not. What most of
// the accesses do is taken for what all are meant to do (Engler, Chen, Hallem, Chou, Chelf: Bugs as Deviant
// Behavior, SOSP 2001), so what is told is possible and no more.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/survey/survey.h"

namespace heddle {

struct LockHabit {
  using Line = std::pair<std::string, uint32_t>;  // of a file
  std::string data;                               // "struct queue.count", or a global variable's name
  std::string lock;                               // named like data; kAtomically: by atomic operations
  std::set<Line> with;                            // of accesses under the lock
  std::set<Line> without;                         // of the others
  bool isWritten = false;                         // one of the others writes
};

/// Best founded first. Only accesses in functions that other threads may run beside count: not those in
/// functions that set up or take down by their name, and not those to what the function has just made. Locks
/// that all callers of a static function hold count for it; where the survey is of a whole project, of any
/// function that is called in it.
std::vector<LockHabit> lockHabits(const Survey& survey, bool isWhole = false);

/// "read without 'mutex', which 5 of 6 lines hold".
std::string toText(const LockHabit& habit);

}  // namespace heddle

// LockGuesses: what a look at the text of one file suspects of the ways through its functions: locks that are
// kept, released or taken twice, taken in two orders, waits that test nothing again, changes that nobody who
// waits is told of, static variables that no lock guards. Conditions are not evaluated, so these are guesses:
// no finding, and no part of a verdict.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "analysis/survey/survey.h"

namespace heddle {

/// A function of the user that is called under a lock which no public function of the file takes; other files
/// may have one.
struct HeldHook {
  std::string lock;  // named like data
  std::string data;  // the member that points to the user's function
  std::string function;
  uint32_t line = 0;
};

struct LockGuess {
  std::string lock;          // as its function writes it; for orders "struct.member" or a variable's name
  std::string function;      // where
  std::set<uint32_t> lines;  // what is wrong, first, and what it is wrong together with
  uint32_t line = 0;         // what is wrong
  std::string why;           // goes on behind the lock: "is released again in 'push' (released in line 5)"
  bool isOfStatic = false;   // it holds only if several threads come there, which the file does not show
  bool isOfFailure = false;  // it holds only if a thread or memory was not to be had
};

/// In the order of the text.
std::vector<LockGuess> lockGuesses(const Survey& survey);

/// " (what in line 5)", behind a reason; empty for line 0.
std::string lineText(const char* what, uint32_t line);

/// "is locked under 'first' here, and 'first' is under it in …": `elsewhere` says where.
std::string orderText(const std::string& first, const std::string& elsewhere);

}  // namespace heddle

// Reach: what the explored executions reached, and what none of them reached. It is part of a report
// because "no finding" says nothing about code that never ran.
//
// Threading: plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/source_place.h"

namespace heddle {

/// Threads that run one function.
struct ReachedThread {
  std::string function;
  SourcePlace place;
  uint32_t started = 0;  // the most in one execution
  bool ended = false;    // some thread reached the end of the function
};

struct Unreached {
  enum class Kind : uint8_t {
    Threads,    // the program creates threads, and none ran
    End,        // of a thread's function, or of the entry point
    Assertion,  // no execution reached it
    Function,
    BranchSide,  // the condition never held, or it always held
    NoEnd,       // the function has no end: it loops for ever, or it ends the process in another way
  };
  Kind kind = Kind::Function;
  std::string text;  // "the end of 'main'", "assertion at a.c:12"
  SourcePlace place;
  std::string function;  // what was not reached, or the function that contains it
};

/// "threads", "end", "assertion", "function", "branch", "no-end": the name in JSON.
const char* toString(Unreached::Kind kind);

/// How many were reached, and how many there are.
struct ReachCount {
  uint32_t reached = 0, all = 0;
};

struct Reach {
  std::vector<ReachedThread> threads;  // the entry point first
  ReachCount functions, branchSides, assertions;
  bool looksAtCreations = false;          // the program uses the result of some call that creates a thread
  std::vector<Unreached> unreached;       // the most important first
  std::vector<SourcePlace> callsNotMade;  // library calls, but failures of assertions, that were not made in
                                          // functions that the entry point can reach
};

/// A verdict that rests on bounds or assumptions means nothing while this is not reached.
constexpr bool isEssential(Unreached::Kind kind) {
  return kind == Unreached::Kind::Threads || kind == Unreached::Kind::End ||
         kind == Unreached::Kind::Assertion;
}

}  // namespace heddle

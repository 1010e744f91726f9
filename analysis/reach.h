// Reach: what the explored executions came to, and what none of them did. Part of a report: "no finding" says
// nothing about code that never ran.
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
  uint32_t started = 0;  // most of them in one execution
  bool ended = false;    // some came to its end
};

struct Unreached {
  enum class Kind : uint8_t {
    Threads,    // the program creates threads, and none ran
    End,        // of a thread's function, or of the entry point
    Assertion,  // no execution came to it
    Function,
    BranchSide,  // the condition never held, or always
    NoEnd,       // of a function that goes round for ever, or ends the process otherwise: it has none
  };
  Kind kind = Kind::Function;
  std::string text;  // "the end of 'main'", "assertion at a.c:12"
  SourcePlace place;
  std::string function;  // that it is, or is in
};

/// "threads", "end", "assertion", "function", "branch", "no-end": the name in JSON.
const char* toString(Unreached::Kind kind);

/// How many of how many.
struct ReachCount {
  uint32_t reached = 0, all = 0;
};

struct Reach {
  std::vector<ReachedThread> threads;  // the entry point first
  ReachCount functions, branchSides, assertions;
  bool looksAtCreations = false;     // some call that creates a thread has a result that is used
  std::vector<Unreached> unreached;  // what weighs most first
  std::vector<SourcePlace>
      callsNotMade;  // of library functions, by functions that the entry point can come to
};

/// Without it a verdict is empty: no bound or assumption may be the reason.
constexpr bool isEssential(Unreached::Kind kind) {
  return kind == Unreached::Kind::Threads || kind == Unreached::Kind::End ||
         kind == Unreached::Kind::Assertion;
}

}  // namespace heddle

// Problem: why an exploration has no verdict on everything, when neither the budget nor a cancellation is the
// reason. The kind decides what still holds; the text is for people and decides nothing.
//
// Threading: plain data.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

enum class ProblemKind : uint8_t {
  None,
  Ours,        // Heddle contradicted itself: nothing that it has not replayed holds
  Budget,      // time, steps, memory or the solver's patience ended
  Strategy,    // the strategy proves less than was asked for
  Program,     // what the program does cannot be modelled, or it does not compile
  Checkpoint,  // the file that keeps the runs cannot be used
  NotReached,  // bounds or assumptions may be the reason that something essential was never executed
};

struct Problem {
  ProblemKind kind = ProblemKind::None;
  std::string text = {};  // one sentence without a period
  explicit operator bool() const { return kind != ProblemKind::None; }
};

/// "internal", "budget", …: the name in JSON; "" for None.
const char* toString(ProblemKind kind);

/// The text for people. It begins with "internal: " if the fault is Heddle's.
std::string toText(const Problem& problem);

}  // namespace heddle

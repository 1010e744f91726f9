// decide: everything that can happen in a small program, by visiting all its states.
//
// A *deadlock* is a cycle of threads that wait for one another by locks and joins, or states that no schedule
// leaves (a strongly connected component without a way out) in which some thread has not ended and the
// process goes on.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "tests/reference/machine.h"

namespace heddle::reference {

struct Decision {
  std::string
      problem;  // why nothing is known: it does not compile, is not supported, is too large; empty: decided
  std::set<Failure> failures;
  std::set<std::pair<unsigned, unsigned>> races;  // lines, the smaller first
  bool deadlock = false;
  /// Nobody goes on in some states, but an assumption that stops a thread there may be the reason: neither
  /// answer about deadlocks is wrong.
  bool stoppedByAssumption = false;
  uint64_t states = 0;

  /// Whether property `name` ("assert", "race", ...) is violated.
  bool violates(const std::string& name) const;
};

Decision decide(const std::string& text, const Rules& rules = {}, uint64_t mostStates = 400'000,
                unsigned bits = 64);

}  // namespace heddle::reference

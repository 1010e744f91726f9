// StuckConditions: when nobody can go on in a state at a joint location: each thread is blocked, or goes
// round in a loop and finds in each round what it found in the last (docs/invariants.md, "Loops that wait").
//
// Threading: belongs to one construction; takes steps with the builder's stepper.
#pragma once

#include <optional>
#include <vector>

#include "analysis/explore/invariants/symbolic_stepper.h"

namespace heddle {

class StuckConditions {
 public:
  /// All must outlive it.
  StuckConditions(SymbolicStepper& stepper, TermTable& terms, SharedFacts& facts)
      : stepper_(stepper), terms_(terms), facts_(facts) {}

  /// Where all of these hold, nobody may be able to go on; where not, somebody can. Nothing where somebody
  /// always can.
  std::optional<std::vector<Term>> of(const SymbolicState& state);

 private:
  /// Where it holds, the thread alone may go round for ever, and nobody can tell; nothing where it cannot.
  std::optional<Term> goesRound(const SymbolicState& state, ThreadId thread);
  Term all(const std::vector<Term>& conditions) const;
  /// What others look at, too, is as before.
  Term isUnchanged(const SymbolicState& before, const SymbolicState& after) const;

  SymbolicStepper& stepper_;
  TermTable& terms_;
  SharedFacts& facts_;
};

}  // namespace heddle

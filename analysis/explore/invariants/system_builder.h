// SystemBuilder: makes a transition system of a program (transition_system.h). It follows the threads'
// steps from location to location until it finds nothing new. A value that is the same constant whenever a
// location is reached stays a constant; every other value is a variable of the location.
//
// Loops of different threads go round together, one round each in one step, as long as no thread can
// observe the difference. So a location relates what one thread has done to what the other has done
// (docs/invariants.md).
//
// Threading: belongs to its caller.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/explore/invariants/symbolic_stepper.h"
#include "analysis/explore/invariants/transition_system.h"
#include "analysis/support/budget.h"

namespace heddle {

class SystemBuilder {
 public:
  /// Both must outlive it. `forbidsStuck`: a state in which nobody can go on is an obligation.
  SystemBuilder(const Program& program, TermTable& terms, bool forbidsStuck)
      : terms_(terms), forbidsStuck_(forbidsStuck), stepper_(program, terms, facts_) {}

  /// False: the program is not supported, as problem() says, or the budget is spent.
  bool build(FunctionId entry, const Budget& budget);
  const TransitionSystem& system() const { return system_; }
  const std::string& problem() const { return stepper_.problem(); }

 private:
  struct Step {
    SystemLocation from, to;
    std::vector<Term> when, values;  // by entry of `to`
  };
  struct Location {
    SymbolicState state;
    std::vector<Step> steps;
    std::vector<std::vector<Term>> obligations;
    bool isWaiting = false;
  };

  bool followAll(FunctionId entry, const Budget& budget);
  void expand(SystemLocation number);
  void takeSteps(SystemLocation number, const SymbolicPath& from, std::vector<SymbolicPath>& out);
  void passBarriers(const SymbolicPath& from, std::vector<SymbolicPath>& out);
  void noteRaces(Location& location);
  bool noteStuck(const Budget& budget);
  SystemLocation arrive(const SymbolicState& state, std::vector<Term>& values);
  bool join(Location& location, const std::vector<Term>& values);
  void finish();

  TermTable& terms_;
  const bool forbidsStuck_;
  SharedFacts facts_;
  SymbolicStepper stepper_;
  std::deque<Location> locations_;
  std::unordered_map<StateKey, SystemLocation, StateKeyHash> numbers_;
  std::vector<SystemLocation> waiting_;
  TransitionSystem system_;
};

}  // namespace heddle

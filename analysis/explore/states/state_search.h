// StateSearch: every state that the threads of a program can reach together, by breadth-first search over
// what each thread does by itself (thread_automata.h). A step that no run has shown yet is executed
// at the end of the shortest schedule that leads to it, and the run goes on at random for a while to show
// more. Every other step costs only a look-up.
//
// It enumerates what Ψ answers by reasoning. So it is fast where few values and short loops make few
// states, however many schedules there are: spin locks, queues, alternations. States are compared by
// 128-bit keys, as local states are.
//
// Inputs: values are terms over inputs, and a state has the conditions that are known of them
// (path_conditions.h). A state splits only where a branch, an address or a size depends on inputs. So an
// input that decides among few ways makes few cases, and an input that is only copied and added makes none.
//
// Reduction: a step is taken at once if nothing that other threads do meanwhile depends on it
// (docs/reduction.md). So a critical section is mostly one step.
//
// Threading: one thread calls; the search's own workers expand states meanwhile (state_searcher.h).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/explore/run/exploration.h"
#include "analysis/explore/states/thread_automata.h"

namespace heddle {

/// A schedule after which two accesses come next to each other.
struct RacySchedule {
  Schedule before;            // up to the two accesses
  std::string first, second;  // the labels of their threads
};

struct StateSearchResult {
  bool complete = false;
  std::string problem;             // why it is not complete
  bool refused = false;            // a search with more states would not help
  bool isGrowing = false;          // the number of states to visit keeps growing
  bool isClosing = false;          // few states are left to visit, compared with those visited
  bool passedWakeupLimit = false;  // a search with a limit of wake-ups may have fewer states
  uint64_t states = 0, executions = 0;
  uint64_t eagerSteps = 0;  // steps taken at once (docs/reduction.md) since the search last restarted
  /// By the places of two accesses that both come next in some state; the smaller place first.
  std::map<std::pair<PlaceId, PlaceId>, RacySchedule> races;
  /// Failures, each with the schedule of a run that shows it.
  std::map<std::tuple<FailureKind, PlaceId, std::string>, Schedule> failures;
  /// No thread ever waits for ever: from every state some schedule leads to the end of all threads or,
  /// where threads go round for ever, to a step of each thread that others can observe (waiting_loops.cpp).
  bool neverStuck = false;
  /// A schedule to a state after which some thread never goes on. nullopt: no such state is known.
  std::optional<Schedule> stuck;
  std::set<Bound> bounds, misuseBounds;
  std::set<std::pair<PlaceId, std::string>> assumptions;
};

struct StateSearchOptions {
  FunctionId entry = 0;
  bool everyAccessIsEvent = false;
  /// Constants for inputs (missing: 0), by thread label and order; null: all inputs are searched.
  const std::map<std::string, std::vector<int64_t>>* inputs = nullptr;
  ReachLog* reach = nullptr;  // MachineOptions::reach
  bool limitsWakeups = true;  // MachineOptions::limitsWakeups
  /// The tables of an exploration that has learned which objects are shared, so that its schedules and
  /// those of the search count the same events. Read once, by the constructor; null: nothing is known.
  const Names* names = nullptr;
  const Locations* locations = nullptr;
  unsigned workers = 1;    // threads that expand states; the results are the same for any number
  size_t leastAhead = 64;  // workers are used only if at least so many states wait; at least 1
};

class StateSearch {
 public:
  /// `program` must outlive it.
  StateSearch(const Program& program, const StateSearchOptions& options);
  ~StateSearch();

  /// Goes on until at most `mostStates` states have been visited over all calls, unless more would not
  /// help. The result covers everything that was visited so far. Spends a step of the budget for each state
  /// and each executed event.
  StateSearchResult run(uint64_t mostStates, const Budget& budget);

 private:
  class Searcher;
  std::unique_ptr<Searcher> searcher_;
};

}  // namespace heddle

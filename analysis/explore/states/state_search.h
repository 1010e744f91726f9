// StateSearch: every state that the threads of a program can reach together, by breadth-first search over
// what each thread does by itself (thread_automata.h). A step that no run has shown yet is
// executed, at the end of the shortest schedule that leads to it, and the run goes on at random for a while
// to show more; all other steps cost a look-up.
//
// It answers by counting what Ψ answers by reasoning, so it is quick where few values and short loops make
// few states, however many schedules there are: spin locks, queues, alternations. States are compared by
// 128-bit keys, as local states are.
//
// Inputs: values are terms over them, and a state holds what is known of them (path_conditions.h): it splits
// where a branch, an address or a size depends on inputs, and nowhere else. So an input that decides among
// few ways is a few cases, and one that is only carried and added none.
//
// Reduction: a step on which nothing that other threads do meanwhile depends is taken at once
// (docs/reduction.md), so critical sections are mostly one step.
//
// Threading: one thread calls; workers of its own expand states meanwhile (state_searcher.h).
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

/// How two accesses come to be next to each other.
struct RacySchedule {
  Schedule before;            // up to them
  std::string first, second;  // the labels of their threads
};

struct StateSearchResult {
  bool complete = false;
  std::string problem;             // why not
  bool refused = false;            // more states would not help
  bool isGrowing = false;          // ever more states lie ahead
  bool isClosing = false;          // few lie ahead, compared with those behind
  bool passedWakeupLimit = false;  // with a limit of wake-ups it may be smaller
  uint64_t states = 0, executions = 0;
  uint64_t eagerSteps = 0;  // taken at once (docs/reduction.md), since the search last began again
  /// Of places of accesses that both come next in some state, ordered.
  std::map<std::pair<PlaceId, PlaceId>, RacySchedule> races;
  /// With a schedule of a run that shows it.
  std::map<std::tuple<FailureKind, PlaceId, std::string>, Schedule> failures;
  /// From every state some schedule leads to the end of all threads, or, where they go round for ever, for
  /// each of them to a step of it that others can tell (waiting_loops.cpp): so none waits for ever.
  bool neverStuck = false;
  /// To a state behind which some thread never gets on. None where that was not told.
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
  /// Of an exploration that has learned what is shared: its schedules and those of the search then count the
  /// same events. Read once; null: nothing is known.
  const Names* names = nullptr;
  const Locations* locations = nullptr;
  unsigned workers = 1;    // that expand states; what is found is the same for any number
  size_t leastAhead = 64;  // of fewer states that wait, one worker is as quick; at least 1
};

class StateSearch {
 public:
  /// `program` must outlive it.
  StateSearch(const Program& program, const StateSearchOptions& options);
  ~StateSearch();

  /// Goes on to at most `mostStates` in all (those of the options do not count), unless more would not help.
  /// What it returns is about all that was visited so far. Spends a step for each state and each event
  /// executed.
  StateSearchResult run(uint64_t mostStates, const Budget& budget);

 private:
  class Searcher;
  std::unique_ptr<Searcher> searcher_;
};

}  // namespace heddle

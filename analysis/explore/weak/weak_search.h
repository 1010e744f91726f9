// Weak search: every execution of a program under a memory model, each as its graph (interp/weak).
//
// Depth first, with re-execution: at each step the search takes one of the threads, and where the thread's
// access has a choice (which write it reads, where its own comes among the others) one of these. What was
// done so far is a graph, and a graph that was seen before is not entered again: the order of the steps that
// led to it decides nothing of what may follow. All axioms hold for a part of a consistent graph, so what is
// inconsistent is never begun.
//
// Taken at once, without looking at other orders: what commutes with whatever others can do, namely creates,
// joins, starts and ends of threads and, in C11, accesses to plain memory. Of the latter others may only
// depend by a race, which is found in either order.
//
// A round of a loop that changes nothing and leads back to its head may be left out of an execution, and what
// follows stays possible (docs/awaits.md): so a thread stands still after such a round, and an execution ends
// once the round has not read what is latest.
//
// Inputs are symbols; an execution stands for all inputs that lead its way (decision_tree.h).
//
// Threading: one thread.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/interp/core/machine.h"
#include "analysis/model/problem.h"

namespace heddle {

struct WeakOptions {
  FunctionId entry = 0;
  MemoryModelKind model = MemoryModelKind::C11;
  uint64_t maxRunEvents = 4'000;  // a run that is longer is cut, and the cut is a bound
  uint32_t unroll = 0;            // as MachineOptions
  std::vector<uint32_t> finals;   // globals whose values at the end are outcomes
  /// Constants for inputs (missing: 0), by thread label and order; null: all inputs are searched.
  const std::map<std::string, std::vector<int64_t>>* inputs = nullptr;
  ReachLog* reach = nullptr;  // as MachineOptions
  bool readsFirst = true;     // DecisionTree; a test compares with all orders of steps
};

enum class WeakKind : uint8_t { Failure, Race, Stuck };

/// What an execution has shown, once for each place.
struct WeakWitness {
  WeakKind kind = WeakKind::Failure;
  Failure failure;    // of a Failure
  Schedule schedule;  // up to it
};

struct WeakResult {
  /// Every execution was visited, apart from what `bounds` and `assumptions` name.
  bool complete = false;
  StopReason stop = StopReason::None;
  Problem problem;  // why not, when neither budget nor cancellation is the reason
  std::string unsupported;
  PlaceId unsupportedPlace = kNone;
  std::set<Bound> bounds, misuseBounds;
  std::set<std::pair<PlaceId, std::string>> assumptions;
  uint64_t runs = 0;        // of the machine
  uint64_t executions = 0;  // that came to their end
  uint64_t graphs = 0;      // parts of executions, none twice
  uint64_t events = 0;
  std::map<std::vector<uint64_t>, Schedule> outcomes;  // values of WeakOptions::finals
};

/// Every mutex, thread and memory of the program as `Machine` has them, under options.model.
WeakResult searchWeakly(const Program& program, const WeakOptions& options, const Budget& budget,
                        const std::function<void(const WeakWitness&)>& found);

}  // namespace heddle

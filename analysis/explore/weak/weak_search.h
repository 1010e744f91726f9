// Weak search: visits every execution of a program under a memory model, each as its graph (interp/weak).
//
// The search goes depth first, with re-execution. At each step it takes one of the threads, and one of the
// choices of that thread's access (which write it reads, where its own write comes among the others). The
// steps so far make a graph, and the search does not enter a graph a second time, because the order of the
// steps that led to it has no influence on what may follow. All axioms hold for every part of a consistent
// graph, so the search never goes on from an inconsistent one.
//
// Some steps are taken at once, without trying other orders, because they commute with everything that
// other threads can do: creates, joins, starts and ends of threads and, in C11, accesses to plain memory.
// Other threads depend on such accesses only by a race, which is found in either order.
//
// A round of a loop that changes nothing and leads back to its head may be left out of an execution, and
// what follows stays possible (docs/awaits.md). So a thread stands still after such a round, and an
// execution ends if the round has not read the latest writes.
//
// Inputs are symbols. An execution stands for all inputs that lead to the same way (decision_tree.h).
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

/// What an execution has shown; reported once for each place.
struct WeakWitness {
  WeakKind kind = WeakKind::Failure;
  Failure failure;    // for WeakKind::Failure
  Schedule schedule;  // up to the failure, race or wait
};

struct WeakResult {
  /// Every execution was visited, apart from what `bounds` and `assumptions` name.
  bool complete = false;
  StopReason stop = StopReason::None;
  Problem problem;  // why it is not complete, if neither budget nor cancellation is the reason
  std::string unsupported;
  PlaceId unsupportedPlace = kNone;
  std::set<Bound> bounds, misuseBounds;
  std::set<std::pair<PlaceId, std::string>> assumptions;
  uint64_t runs = 0;        // of the machine
  uint64_t executions = 0;  // executions that reached their end
  uint64_t graphs = 0;      // distinct graphs of parts of executions
  uint64_t events = 0;
  std::map<std::vector<uint64_t>, Schedule> outcomes;  // values of WeakOptions::finals
};

/// Explores the program under options.model. Mutexes, threads and memory are those of `Machine`. `found` is
/// called on the calling thread.
WeakResult searchWeakly(const Program& program, const WeakOptions& options, const Budget& budget,
                        const std::function<void(const WeakWitness&)>& found);

}  // namespace heddle

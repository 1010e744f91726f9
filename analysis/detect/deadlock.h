// Deadlocks: a reachable state in which a set of threads waits for each other for ever.
//
// Candidates are cycles of waiting events. A lock waits for the thread that holds its mutex while that
// thread waits itself; a join waits for the joined thread. A lock whose mutex its own thread holds, or a
// thread that has ended, is a cycle of one. Each candidate is a query on Ψ ("each of these threads stands
// before its event"). A satisfiable one is executed to quiescence, and only threads that still wait then
// are reported.
//
// Besides, each run that ends with threads that wait for ever is a deadlock. When the forest is complete,
// one more kind of query asks for deadlocks that no run has met: every thread has ended or waits for ever
// (for a lock, a thread, a signal, a semaphore, …). The report names the waiting threads that are the
// reason: a cycle of locks and joins, or otherwise all threads that wait for something other than a waiting
// thread.
//
// Threading: one thread, that of the exploration.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "analysis/detect/detector.h"

namespace heddle {

struct Deadlock {
  std::vector<NodeId> waiting;  // the event that each thread of the cycle waits for
  NodeId holderEnd = kNone;     // the End of a thread that kept the mutex, if that is the reason
  Schedule schedule;            // leads to the state in which all of them wait
  std::vector<UsedInput> inputs;
  std::vector<TraceEntry> trace;
};

class DeadlockDetector : public Detector {
 public:
  /// `report` is called once for each set of places.
  DeadlockDetector(ForestStrategy& strategy, std::function<void(const Deadlock&)> report)
      : strategy_(strategy), report_(std::move(report)) {}

  void stuck(const StuckRun& run) override;
  bool check(const Budget& budget) override;
  bool decideByStates(const StateSearchResult& states, const Budget& budget) override;
  /// If a state search has found a stuck state, executes the schedule to it and asks for more of them.
  void afterwards(const std::function<bool()>& isWhole, const Budget& budget) override;

 private:
  bool stopped(const Budget& budget) const;
  void showStuck(const Schedule& schedule, const Budget& budget);
  void extend(std::vector<NodeId>& cycle, const Budget& budget);
  bool waitsFor(NodeId waiting, NodeId next) const;
  bool holds(NodeId node, LocationId mutex) const;
  void decide(const std::vector<NodeId>& waiting, NodeId holderEnd, const Budget& budget);
  bool confirm(const std::vector<NodeId>& waiting, NodeId holderEnd, const Budget& budget);
  void decideStuck(const Budget& budget);
  void askStuck(const StuckLiterals& stuck, const Budget& budget);
  /// Where a thread waits in a loop unless its inputs can be as they were never asked to be, nothing is
  /// decided.
  void askUnsureWays(const StuckLiterals& stuck, const Budget& budget);
  /// True if the run that the model describes ends with threads that wait for ever.
  bool confirmStuck(const StuckLiterals& stuck, const Budget& budget);
  std::vector<PlaceId> keyOf(const std::vector<NodeId>& waiting) const;

  ForestStrategy& strategy_;
  std::function<void(const Deadlock&)> report_;
  std::vector<NodeId> requests_;
  std::set<std::vector<PlaceId>> found_;
  bool decided_ = true;
  bool isDecidedByStates_ = false, isProvedFree_ = false;
  std::optional<Schedule> knownStuck_;
};

}  // namespace heddle

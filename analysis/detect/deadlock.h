// Deadlocks: a reachable state in which a set of threads waits for each other for ever.
//
// Candidates are cycles of waiting events: a lock waits for the thread that holds its mutex where it waits
// itself, a join waits for the joined thread; a lock that its own thread holds, or that a thread took with it
// when it ended, is a cycle of one. Each candidate is a query on Ψ ("each of these threads stands before its
// event"); a satisfiable one is executed to quiescence, and only threads that then still wait are reported.
//
// Besides, each run that ends with threads that wait for ever is a deadlock, and when the forest is complete
// one more kind of query asks for those that no run has met: every thread has ended or waits for ever (for a
// lock, a thread, a signal, a semaphore, …). Of the threads that wait, those are reported that are the
// reason: a cycle of locks and joins, else all that wait for something other than a thread that waits itself.
//
// Threading: one thread, that of the exploration.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "analysis/detect/detector.h"

namespace heddle {

struct Deadlock {
  std::vector<NodeId> waiting;  // the event each thread of the cycle waits for
  NodeId holderEnd = kNone;     // the End of a thread that kept the mutex, if that is the reason
  Schedule schedule;            // to the state in which all of them wait
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
  /// Where states are known to be stuck: executes the way to one, and asks for more of them.
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
  /// True when the run that the model describes ends with threads that wait for ever.
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

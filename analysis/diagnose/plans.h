// Plans: makes plans that repair can realize in the text, from covers or directly from the kind of failure.
//
// The best comes first: plans that fit the failure most directly (an existing lock, one mutex, an atomic
// counter, a moved initialization, one order of locks), then orders that signal and wait enforce. Plans
// with fewer edits come before plans with more.
//
// Threading: as the runner.
#pragma once

#include <vector>

#include "analysis/detect/deadlock.h"
#include "analysis/detect/race.h"
#include "analysis/diagnose/covers.h"
#include "analysis/diagnose/recorded_execution.h"
#include "analysis/diagnose/regions.h"
#include "analysis/diagnose/source_access.h"

namespace heddle {

/// "`a`, `b` and `c`"
std::string listOf(const std::vector<std::string>& names);

struct PlanOptions {
  size_t maxOrderPlans = 8;          // plans with signal and wait
  std::optional<SourcePlace> check;  // the assertion that failed
};

class PlanMaker {
 public:
  /// All references must outlive it.
  PlanMaker(const SourceView& view, const SourceEvents& events, const Precedence& precedence)
      : view_(view), events_(events), precedence_(precedence) {}

  /// Plans for a failure whose cores are known.
  std::vector<RepairPlan> forCovers(const CoverSet& covers, const std::vector<Core>& cores,
                                    const PlanOptions& options = {}) const;
  /// Plans for two accesses that nothing orders.
  std::vector<RepairPlan> forRace(NodeId first, NodeId second, LocationId location) const;
  /// Plans for the waits on condition variables among these events: a loop over the predicate where it is
  /// missing.
  std::vector<RepairPlan> forWaits(const std::vector<NodeId>& path) const;
  /// Plans for wrong use of synchronization objects in the failing execution: a lock that is never
  /// released, a change that is not announced, a lock that is only tried, a wrong initial count. `waiting`:
  /// the waiting events of a deadlock; otherwise empty.
  std::vector<RepairPlan> forSynchronization(const RecordedExecution& execution,
                                             const std::vector<NodeId>& waiting) const;
  /// Plans for an object that another thread frees while a new thread begins to use it: the reference that
  /// the new thread takes is taken before the thread is created.
  std::vector<RepairPlan> forLife(const RecordedExecution& execution,
                                  const std::vector<NodeId>& failing) const;
  /// Plans for threads that wait for each other: one order of the mutexes, if the threads wait for mutexes;
  /// or one more mutex that is held while they acquire.
  std::vector<RepairPlan> forDeadlock(const std::vector<NodeId>& waiting) const;

 private:
  std::optional<RepairPlan> releaseLock(const RecordedExecution& execution, NodeId waiting) const;
  std::vector<RepairPlan> announceChange(const RecordedExecution& execution, NodeId waiting) const;
  std::vector<RepairPlan> initialCounts(const RecordedExecution& execution,
                                        const std::vector<NodeId>& waiting) const;
  std::optional<RepairPlan> strongerCalls(const std::vector<NodeId>& calls) const;
  std::optional<RepairPlan> blockingCalls(const RecordedExecution& execution) const;
  std::optional<RepairPlan> writeLocks(const RecordedExecution& execution) const;
  /// For the waiting threads that hold a mutex and wait for something other than a mutex.
  std::vector<RepairPlan> waitOutside(const std::vector<NodeId>& waiting) const;
  /// For the waiting threads that hold a lock for reading and ask for it for writing.
  std::optional<RepairPlan> releaseFirst(const RecordedExecution& execution,
                                         const std::vector<NodeId>& waiting) const;
  std::optional<RepairPlan> criticalSections(std::vector<Region> regions) const;
  std::optional<RepairPlan> newMutex(const std::vector<Region>& regions) const;
  std::optional<RepairPlan> atomic(const std::vector<Region>& regions) const;
  std::optional<RepairPlan> moveBeforeCreate(const std::vector<Ordering>& orderings,
                                             const std::vector<Core>& cores) const;
  /// For a waiting thread that joins the other one, but too late.
  std::optional<RepairPlan> moveJoin(const std::vector<Ordering>& orderings,
                                     const std::vector<Core>& cores) const;
  /// For each pair of threads that the orderings are about: one is joined before the other is created.
  std::vector<RepairPlan> joinBeforeCreate(const std::vector<Ordering>& orderings,
                                           const std::vector<Core>& cores) const;
  NodeId joinAfter(NodeId use, ThreadId joined) const;
  bool isJoined(ThreadId thread) const;
  /// True if the thread of `use` has created the other thread before it.
  bool isCreatedBefore(NodeId use, ThreadId created) const;
  /// The node before which to wait in order to delay the event. It is the begin of the critical section
  /// that the event lies in, because the other thread may need the mutex to reach its signal.
  NodeId waitingPlace(NodeId node) const;
  /// The number of orderings of two events that follow if these are enforced: everything up to the first
  /// event comes before everything from the second event on.
  uint32_t fixedBy(const std::vector<Ordering>& orderings, const std::vector<Core>& cores) const;
  RepairPlan signalWait(const std::vector<Ordering>& orderings, const std::vector<Core>& cores) const;
  std::vector<Region> regionsOf(const std::vector<Stretch>& stretches, const std::vector<Core>& cores) const;
  std::vector<RepairPlan> orderPlans(const CoverSet& covers, const std::vector<Core>& cores,
                                     const PlanOptions& options) const;
  /// Joins regions of one thread that have only a few accesses between them, because one section is easier
  /// to read than two.
  void joinNeighbours(std::vector<Region>& regions, std::vector<std::vector<NodeId>>& paths) const;
  /// If a region lies within a critical section of a mutex that another region acquires inside, it grows to
  /// contain the whole section. Otherwise the new mutex and that mutex would be acquired in two orders.
  void outerLocksFirst(std::vector<Region>& regions, const std::vector<std::vector<NodeId>>& paths) const;
  std::vector<SourceAccess> accesses(const Region& region) const;
  std::set<ObjectId> objectsOf(const std::vector<Region>& regions) const;
  /// The node of the event in the failing execution of some core; otherwise any node of the event.
  NodeId nodeOf(SourceEventId event, const std::vector<Core>& cores) const;
  NodeId createOf(ThreadId thread) const;
  bool createdBetween(NodeId first, NodeId second) const;

  const SourceView& view_;
  const SourceEvents& events_;
  const Precedence& precedence_;
};

}  // namespace heddle

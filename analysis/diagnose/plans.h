// Plans: from covers, or straight from what kind of failure it is, to what repair can realize in the text.
//
// The best comes first: what fits the failure most directly (an existing lock, one mutex, an atomic counter,
// a moved initialization, one order of locks), then orders that are forced by signal and wait, fewer edits
// before more.
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
  size_t maxOrderPlans = 8;          // of signal and wait
  std::optional<SourcePlace> check;  // the assertion that failed
};

class PlanMaker {
 public:
  /// All must outlive it.
  PlanMaker(const SourceView& view, const SourceEvents& events, const Precedence& precedence)
      : view_(view), events_(events), precedence_(precedence) {}

  /// For a failure whose cores are known.
  std::vector<RepairPlan> forCovers(const CoverSet& covers, const std::vector<Core>& cores,
                                    const PlanOptions& options = {}) const;
  /// For two accesses that nothing orders.
  std::vector<RepairPlan> forRace(NodeId first, NodeId second, LocationId location) const;
  /// For the waits on condition variables among these events: a loop over the predicate, where there is none.
  std::vector<RepairPlan> forWaits(const std::vector<NodeId>& path) const;
  /// For what synchronization objects the failing execution uses, and how: what is never released, not
  /// announced, only tried, initialized with another count. `waiting`: the threads of a deadlock, else empty.
  std::vector<RepairPlan> forSynchronization(const RecordedExecution& execution,
                                             const std::vector<NodeId>& waiting) const;
  /// For an object whose life ends while a thread begins with it, by another one's hand: the reference that
  /// the new thread takes is taken before it is created.
  std::vector<RepairPlan> forLife(const RecordedExecution& execution,
                                  const std::vector<NodeId>& failing) const;
  /// For threads that wait for each other: one order of the mutexes, if these are what they wait for; or one
  /// more mutex for as long as they acquire.
  std::vector<RepairPlan> forDeadlock(const std::vector<NodeId>& waiting) const;

 private:
  std::optional<RepairPlan> releaseLock(const RecordedExecution& execution, NodeId waiting) const;
  std::vector<RepairPlan> announceChange(const RecordedExecution& execution, NodeId waiting) const;
  std::vector<RepairPlan> initialCounts(const RecordedExecution& execution,
                                        const std::vector<NodeId>& waiting) const;
  std::optional<RepairPlan> strongerCalls(const std::vector<NodeId>& calls) const;
  std::optional<RepairPlan> blockingCalls(const RecordedExecution& execution) const;
  std::optional<RepairPlan> writeLocks(const RecordedExecution& execution) const;
  /// Of the waiting threads those that wait for something else than a mutex and hold one.
  std::vector<RepairPlan> waitOutside(const std::vector<NodeId>& waiting) const;
  /// Of the waiting threads those that hold for reading what they ask for to write.
  std::optional<RepairPlan> releaseFirst(const RecordedExecution& execution,
                                         const std::vector<NodeId>& waiting) const;
  std::optional<RepairPlan> criticalSections(std::vector<Region> regions) const;
  std::optional<RepairPlan> newMutex(const std::vector<Region>& regions) const;
  std::optional<RepairPlan> atomic(const std::vector<Region>& regions) const;
  std::optional<RepairPlan> moveBeforeCreate(const std::vector<Ordering>& orderings,
                                             const std::vector<Core>& cores) const;
  /// The waiting thread joins the other one, only too late.
  std::optional<RepairPlan> moveJoin(const std::vector<Ordering>& orderings,
                                     const std::vector<Core>& cores) const;
  /// One of two threads is joined before the other is created, for each pair that the orderings are about.
  std::vector<RepairPlan> joinBeforeCreate(const std::vector<Ordering>& orderings,
                                           const std::vector<Core>& cores) const;
  NodeId joinAfter(NodeId use, ThreadId joined) const;
  bool isJoined(ThreadId thread) const;
  /// The thread of `use` has created it by then.
  bool isCreatedBefore(NodeId use, ThreadId created) const;
  /// Where to wait so that the event is held back: before the critical section it lies in, because the other
  /// thread may need the mutex to get where it signals.
  NodeId waitingPlace(NodeId node) const;
  /// How many orderings of two events follow from enforcing these: all up to the one before all from the
  /// other on.
  uint32_t fixedBy(const std::vector<Ordering>& orderings, const std::vector<Core>& cores) const;
  RepairPlan signalWait(const std::vector<Ordering>& orderings, const std::vector<Core>& cores) const;
  std::vector<Region> regionsOf(const std::vector<Stretch>& stretches, const std::vector<Core>& cores) const;
  std::vector<RepairPlan> orderPlans(const CoverSet& covers, const std::vector<Core>& cores,
                                     const PlanOptions& options) const;
  /// Regions of one thread with nothing but a few accesses between them become one: one section is easier to
  /// read than two.
  void joinNeighbours(std::vector<Region>& regions, std::vector<std::vector<NodeId>>& paths) const;
  /// A region within a critical section of a mutex that another region takes inside grows to hold the whole
  /// section: else the new mutex and that one would be taken in two orders.
  void outerLocksFirst(std::vector<Region>& regions, const std::vector<std::vector<NodeId>>& paths) const;
  std::vector<SourceAccess> accesses(const Region& region) const;
  std::set<ObjectId> objectsOf(const std::vector<Region>& regions) const;
  /// The node of the event in some core's failing execution, or any.
  NodeId nodeOf(SourceEventId event, const std::vector<Core>& cores) const;
  NodeId createOf(ThreadId thread) const;
  bool createdBetween(NodeId first, NodeId second) const;

  const SourceView& view_;
  const SourceEvents& events_;
  const Precedence& precedence_;
};

}  // namespace heddle

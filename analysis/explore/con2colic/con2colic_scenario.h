// Scenario: an interference scenario (Con2colic testing, Farzan, Holzer, Razavi and Veith, FSE 2013,
// Definitions 3 to 5): a path for each thread, and for some of the reads on it the write of another thread
// that they read from.
//
// Thread paths are paths of the forest, so a scenario stores only where each path ends, and its
// interference edges. The paper has no name for some edges: a thread starts because of a create, a join
// returns because of an end, a wait returns because of a signal. They are kept separately, as causes, and
// do not count for the degree.
//
// Threading: plain data and pure functions.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/explore/forest/thread_prefix.h"

namespace heddle {

struct Scenario {
  /// By thread: where its path ends.
  std::vector<ThreadPrefix> ends;
  /// (read, cell) → write of another thread.
  std::map<std::pair<NodeId, LocationId>, NodeId> interferences;
  /// Start → Create, Join → End, Wake → Signal or Broadcast, LockBusy → Lock.
  std::map<NodeId, NodeId> causes;
  /// The thread whose last node is the sink: what the scenario is there to reach.
  ThreadId sinkThread = kMainThread;

  const ThreadPrefix& sink() const { return ends[sinkThread]; }
  const ThreadPrefix& end(ThreadId thread) const;
  void setEnd(ThreadId thread, ThreadPrefix end);

  /// The number of reads with an interference. An access to several cells that reads from one write counts
  /// once.
  uint32_t degree() const;
  /// Two scenarios are equal if and only if their keys are equal.
  std::vector<uint64_t> key() const;
};

/// The thread's path up to `node`.
inline ThreadPrefix upTo(NodeId node) {
  return {ThreadPrefix::End::Observed, {node, 0}, {}};
}

/// The event lies on one of the scenario's paths.
bool contains(const Forest& forest, const Scenario& scenario, NodeId event);

/// The mutexes (as Lock nodes) that the thread holds at the end of the path.
std::vector<NodeId> heldAfter(const Forest& forest, const ThreadPrefix& end);

/// Both scenarios together (Remark 1), with the sink of `into`. nullopt if they are not compatible: a
/// thread would have to go two ways, a read would have to read from two writes, or the sink's thread would
/// have to go on after the sink.
std::optional<Scenario> merged(const Forest& forest, const Scenario& into, const Scenario& other);

/// The path up to an event, as other threads see it. If the event lies in an atomic section that the path
/// `along` leaves, the path goes on to the end of that section.
ThreadPrefix seenUpTo(const Forest& forest, const ThreadPrefix& along, NodeId event);

/// The causal interference scenario of a node (Definition 5): the part of `scenario` that must come before
/// `sink`, a place on the path of `thread` or right after it.
Scenario causalScenario(const Forest& forest, const Scenario& scenario, ThreadId thread, ThreadPrefix sink);

}  // namespace heddle

// Scenario: an interference scenario (Con2colic testing, Farzan, Holzer, Razavi and Veith, FSE 2013,
// Definitions 3 to 5): for each thread a path, and for some of their reads the write of another thread that
// is read.
//
// Thread paths are paths of the forest, so a scenario is where each of them ends, and its interference edges.
// The edges that the paper has no name for (a thread starts because of a create, a join returns because of an
// end, a wait because of a signal) are kept apart, as causes: they do not count for the degree.
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
  /// By thread: how far it goes.
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

  /// How many reads are interfered: an access of several cells that finds one write counts once.
  uint32_t degree() const;
  /// Equal keys: equal scenarios.
  std::vector<uint64_t> key() const;
};

/// The thread's path up to `node`.
inline ThreadPrefix upTo(NodeId node) {
  return {ThreadPrefix::End::Observed, {node, 0}, {}};
}

/// The event lies on one of the scenario's paths.
bool contains(const Forest& forest, const Scenario& scenario, NodeId event);

/// The mutexes (as Lock nodes) that the thread holds where the path ends.
std::vector<NodeId> heldAfter(const Forest& forest, const ThreadPrefix& end);

/// Both together (Remark 1), with the sink of `into`; nullopt when they are not compatible: a thread would
/// have to go two ways, a read to find two writes, or the sink's thread to go on behind the sink.
std::optional<Scenario> merged(const Forest& forest, const Scenario& into, const Scenario& other);

/// The path up to an event, as other threads see it: where it lies in an atomic section that the path `along`
/// leaves, up to there.
ThreadPrefix seenUpTo(const Forest& forest, const ThreadPrefix& along, NodeId event);

/// The causal interference scenario of a node (Definition 5): what of `scenario` comes before `sink`, a place
/// on (or right behind) the path of `thread`.
Scenario causalScenario(const Forest& forest, const Scenario& scenario, ThreadId thread, ThreadPrefix sink);

}  // namespace heddle

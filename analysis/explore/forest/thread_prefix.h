// ThreadPrefix: how far one thread goes on one path of its tree: what MPC calls a path prefix of a thread.
//
// A prefix ends either with what a run observed (`Observed`: every event up to `at`), or right behind a fork
// that it leaves the other way (`Deviation`: the events after the fork are not part of it). At a choice of a
// value the other way is "none of `excluded`".
//
// Threading: plain data and pure functions.
#pragma once

#include <vector>

#include "analysis/explore/forest/forest_builder.h"

namespace heddle {

struct ThreadPrefix {
  enum class End : uint8_t { Observed, Deviation } end = End::Observed;
  /// Observed: where the thread's path stands. Deviation: the fork; `slot` is meaningless for a choice.
  Position at;
  std::vector<uint64_t> excluded;  // values of the choice at `at.node`
  bool deviates() const { return end == End::Deviation; }
  bool operator==(const ThreadPrefix&) const = default;
};

/// `prefixes[thread]`, or the prefix without events.
const ThreadPrefix& prefixOf(const std::vector<ThreadPrefix>& prefixes, ThreadId thread);

/// The forks on the path to `at` and the sides taken, root first. Assumptions of the program that hold are
/// left out: their other side does not exist.
std::vector<Position> forksTo(const Forest& forest, Position at);
/// All nodes on the path to `at`, root first; `at.node` included.
std::vector<NodeId> nodesTo(const Forest& forest, NodeId node);
/// The path that stands at `at` begins with `prefix`.
bool follows(const Forest& forest, Position at, const ThreadPrefix& prefix);
/// The ways in which a run that stands at `at` can be left behind `prefix` (which it follows): at each fork
/// that comes after it, in the order of the path. An assumption that failed can only be left by holding.
std::vector<ThreadPrefix> deviationsAfter(const Forest& forest, Position at, const ThreadPrefix& prefix);

}  // namespace heddle

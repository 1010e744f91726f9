// ThreadPrefix: how far one thread goes on one path of its tree. MPC calls this a path prefix of a thread.
//
// A prefix ends either with what a run observed (`Observed`: every event up to `at`), or right after a fork
// where it takes the other way (`Deviation`: the events after the fork are not part of it). At a choice of
// a value, the other way is "none of `excluded`".
//
// Threading: plain data and pure functions.
#pragma once

#include <vector>

#include "analysis/explore/forest/forest_builder.h"

namespace heddle {

struct ThreadPrefix {
  enum class End : uint8_t { Observed, Deviation } end = End::Observed;
  /// Observed: the end of the thread's path. Deviation: the fork; `slot` has no meaning for a choice.
  Position at;
  std::vector<uint64_t> excluded;  // values of the choice at `at.node`
  bool deviates() const { return end == End::Deviation; }
  bool operator==(const ThreadPrefix&) const = default;
};

/// `prefixes[thread]`, or the prefix without events.
const ThreadPrefix& prefixOf(const std::vector<ThreadPrefix>& prefixes, ThreadId thread);

/// The forks on the path to `at` and the sides taken, root first. Assumptions of the program that hold are
/// left out, because they have no other side.
std::vector<Position> forksTo(const Forest& forest, Position at);
/// All nodes on the path to `at`, root first; `at.node` included.
std::vector<NodeId> nodesTo(const Forest& forest, NodeId node);
/// True if the path to `at` begins with `prefix`.
bool follows(const Forest& forest, Position at, const ThreadPrefix& prefix);
/// The deviations from the path of a run that stands at `at`, one at each fork after `prefix` (which the
/// run follows), in the order of the path. At an assumption that failed, the only other way is that it
/// holds.
std::vector<ThreadPrefix> deviationsAfter(const Forest& forest, Position at, const ThreadPrefix& prefix);

}  // namespace heddle

// ReachingWrites: which writes of a node's own thread may be the last ones to a location before the node.
// On a path without merges there is at most one; otherwise there is one for each way into the merge above
// the node (reaching definitions, over the paths seen so far).
//
// With more merge edges the sets only grow. Threading: as the forest.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "analysis/explore/forest/forest.h"

namespace heddle {

class ReachingWrites {
 public:
  explicit ReachingWrites(const Forest& forest) : forest_(forest) {}

  struct Set {
    std::vector<NodeId> writes;  // sorted
    bool none = false;           // some path has no write to the location
    bool contains(NodeId write) const;
  };
  /// Takes the first `edges` of the forest's merge edges into account from now on. At first there are none.
  void see(size_t edges) { edges_ = edges; }
  /// The set at the root of a segment; {none} at the start of a thread. The reference is valid until the
  /// next call.
  const Set& at(NodeId segment, LocationId location);

 private:
  struct Known {
    size_t edges = 0;  // number of merge edges that were seen when the set was computed
    Set set;
  };
  static uint64_t keyOf(NodeId segment, LocationId location) { return uint64_t{segment} << 32 | location; }
  /// Null: not computed yet for the merge edges that are seen.
  const Set* known(NodeId segment, LocationId location) const;
  void forEachEdge(NodeId segment, const std::function<void(const Forest::MergeEdge&)>& visit) const;
  /// Must be asked only where the sets above are known.
  Set join(NodeId segment, LocationId location) const;

  const Forest& forest_;
  std::unordered_map<uint64_t, Known> known_;  // by segment and location
  size_t edges_ = 0;
  Set start_{{}, true};
};

}  // namespace heddle

#include "analysis/explore/forest/reaching_writes.h"

#include <algorithm>

namespace heddle {

bool ReachingWrites::Set::contains(NodeId write) const {
  return std::binary_search(writes.begin(), writes.end(), write);
}

const ReachingWrites::Set& ReachingWrites::at(NodeId segment, LocationId location) {
  if (forest_[segment].kind != NodeKind::Merge) return start_;
  const uint64_t key = uint64_t{segment} << 32 | location;
  if (const auto it = known_.find(key); it != known_.end() && it->second.edges == edges_)
    return it->second.set;
  Set set;
  for (const size_t index : forest_.edgesInto(segment)) {
    if (index >= edges_) continue;
    const Forest::MergeEdge& edge = forest_.mergeEdges()[index];
    if (const auto write = edge.writes.find(location); write != edge.writes.end()) {
      set.writes.push_back(write->second);
      continue;
    }
    const Set& above = at(forest_[edge.from].segment, location);
    set.writes.insert(set.writes.end(), above.writes.begin(), above.writes.end());
    set.none |= above.none;
  }
  std::sort(set.writes.begin(), set.writes.end());
  set.writes.erase(std::unique(set.writes.begin(), set.writes.end()), set.writes.end());
  Known& known = known_[key];
  known = {edges_, std::move(set)};
  return known.set;
}

}  // namespace heddle

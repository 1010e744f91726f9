#include "analysis/explore/forest/reaching_writes.h"

#include <algorithm>

namespace heddle {

bool ReachingWrites::Set::contains(NodeId write) const {
  return std::binary_search(writes.begin(), writes.end(), write);
}

const ReachingWrites::Set* ReachingWrites::known(NodeId segment, LocationId location) const {
  if (forest_[segment].kind != NodeKind::Merge) return &start_;
  const auto it = known_.find(keyOf(segment, location));
  return it != known_.end() && it->second.edges == edges_ ? &it->second.set : nullptr;
}

const ReachingWrites::Set& ReachingWrites::at(NodeId segment, LocationId location) {
  // A thread's path may have merged thousands of times: what is to be computed first waits here.
  std::vector<NodeId> waiting{segment};
  while (!waiting.empty()) {
    const NodeId next = waiting.back();
    if (known(next, location)) {
      waiting.pop_back();
      continue;
    }
    const size_t before = waiting.size();
    forEachEdge(next, [&](const Forest::MergeEdge& edge) {
      const NodeId above = forest_[edge.from].segment;
      if (!edge.writes.contains(location) && !known(above, location)) waiting.push_back(above);
    });
    if (waiting.size() == before) known_[keyOf(next, location)] = {edges_, join(next, location)};
  }
  return *known(segment, location);
}

void ReachingWrites::forEachEdge(NodeId segment,
                                 const std::function<void(const Forest::MergeEdge&)>& visit) const {
  for (const size_t index : forest_.edgesInto(segment))
    if (index < edges_) visit(forest_.mergeEdges()[index]);
}

ReachingWrites::Set ReachingWrites::join(NodeId segment, LocationId location) const {
  Set set;
  forEachEdge(segment, [&](const Forest::MergeEdge& edge) {
    if (const auto write = edge.writes.find(location); write != edge.writes.end()) {
      set.writes.push_back(write->second);
      return;
    }
    const Set& above = *known(forest_[edge.from].segment, location);
    set.writes.insert(set.writes.end(), above.writes.begin(), above.writes.end());
    set.none |= above.none;
  });
  std::sort(set.writes.begin(), set.writes.end());
  set.writes.erase(std::unique(set.writes.begin(), set.writes.end()), set.writes.end());
  return set;
}

}  // namespace heddle

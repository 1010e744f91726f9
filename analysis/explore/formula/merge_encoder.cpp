#include "analysis/explore/formula/merge_encoder.h"

namespace heddle {

void MergeEncoder::encode(NodeId id) {
  const Lit on = solver_.newLit();
  nodes_.setOn(id, on);
  nodes_.setOrder(id, solver_.newOrderNode(on));
  const auto [group, isNew] = groups_.try_emplace(forest_[id].thread, kNone);
  if (isNew) group->second = guards_.newGroup();
  const uint32_t guard = mergeGuards_[id] = guards_.newGuard(group->second, on);
  solver_.addClause({-on, guards_.lit(guard)});
}

void MergeEncoder::updateEdges() {
  for (; edges_ < forest_.mergeEdges().size(); ++edges_) encodeEdge(forest_.mergeEdges()[edges_]);
}

void MergeEncoder::encodeEdge(const Forest::MergeEdge& edge) {
  const NodeId last = isOrdered(forest_[edge.from]) ? edge.from : forest_[edge.from].lastEvent;
  // Whichever path is taken, an event that leads to the merge on some path comes before it.
  solver_.addEdge(nodes_.order(last), nodes_.order(edge.to));
  const Lit taken = solver_.newLit();
  solver_.guard(taken, nodes_.on(edge.to));
  solver_.addClause({-taken, nodes_.reach(edge.from, edge.slot)});
  guards_.grow(mergeGuards_.at(edge.to), taken);
}

}  // namespace heddle

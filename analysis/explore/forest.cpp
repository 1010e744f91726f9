#include "analysis/explore/forest.h"

#include <algorithm>

namespace heddle {

NodeId Forest::add(Node node) {
  const NodeId id = static_cast<NodeId>(nodes_.size());
  if (node.parent == kNone) {
    node.depth = 0;
    node.jump = id;
    roots_[node.thread] = id;
  } else {
    Node& parent = nodes_[node.parent];
    node.depth = parent.depth + 1;
    // Skew-binary jump pointers: jump to where the parent's jump jumps when the two last jumps have equal
    // length.
    const Node& far = nodes_[parent.jump];
    const bool equal = parent.depth - far.depth == far.depth - nodes_[far.jump].depth;
    node.jump = equal ? far.jump : node.parent;
    node.lastEvent = parent.kind == NodeKind::Event ? node.parent : parent.lastEvent;
    node.lastJoin =
        parent.kind == NodeKind::Event && parent.event == EventKind::Join ? node.parent : parent.lastJoin;
    parent.children.emplace_back(node.slot, id);
  }
  nodes_.push_back(std::move(node));
  return id;
}

NodeId Forest::root(ThreadId thread) const {
  const auto it = roots_.find(thread);
  return it == roots_.end() ? kNone : it->second;
}

NodeId Forest::child(NodeId parent, uint64_t slot) const {
  for (const auto& [s, id] : nodes_[parent].children)
    if (s == slot) return id;
  return kNone;
}

bool Forest::sideTaken(NodeId node, uint64_t slot) const {
  const auto& sides = nodes_[node].sides;
  return std::find(sides.begin(), sides.end(), slot) != sides.end();
}

bool Forest::isAncestor(NodeId a, NodeId b) const {
  const uint32_t depth = nodes_[a].depth;
  while (nodes_[b].depth > depth)
    b = nodes_[nodes_[b].jump].depth >= depth ? nodes_[b].jump : nodes_[b].parent;
  return a == b;
}

void Forest::clear() {
  nodes_.clear();
  roots_.clear();
}

}  // namespace heddle

#include "analysis/explore/forest/forest.h"

#include <algorithm>

namespace heddle {

NodeId Forest::add(Node node) {
  const NodeId id = static_cast<NodeId>(nodes_.size());
  if (node.parent == kNone) {
    node.depth = 0;
    node.jump = node.segment = id;
    if (node.kind != NodeKind::Merge) roots_[node.thread] = id;
  } else {
    Node& parent = nodes_[node.parent];
    node.depth = parent.depth + 1;
    // Skew-binary jump pointers: jump to where the parent's jump jumps when the two last jumps have equal
    // length.
    const Node& far = nodes_[parent.jump];
    const bool equal = parent.depth - far.depth == far.depth - nodes_[far.jump].depth;
    node.jump = equal ? far.jump : node.parent;
    node.segment = parent.segment;
    node.lastEvent = isOrdered(parent) ? node.parent : parent.lastEvent;
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

void Forest::addMergeEdge(MergeEdge edge) {
  nodes_[edge.from].children.emplace_back(edge.slot, edge.to);
  edgesInto_[edge.to].push_back(mergeEdges_.size());
  mergeEdges_.push_back(std::move(edge));
}

bool Forest::reaches(NodeId a, NodeId b) const {
  const NodeId root = nodes_[b].segment;
  if (nodes_[a].segment == root) return isAncestor(a, b);
  if (nodes_[a].thread != nodes_[b].thread || nodes_[root].kind != NodeKind::Merge) return false;
  const uint64_t question = uint64_t{a} << 32 | root;
  const auto known = reached_.find(question);
  if (known != reached_.end() && (known->second.second || known->second.first == mergeEdges_.size()))
    return known->second.second;
  bool answer = false;
  for (const size_t edge : edgesInto_.at(root)) {
    answer = reaches(a, mergeEdges_[edge].from);
    if (answer) break;
  }
  reached_[question] = {mergeEdges_.size(), answer};
  return answer;
}

bool Forest::isAncestor(NodeId a, NodeId b) const {
  if (nodes_[a].segment != nodes_[b].segment) return false;
  const uint32_t depth = nodes_[a].depth;
  while (nodes_[b].depth > depth)
    b = nodes_[nodes_[b].jump].depth >= depth ? nodes_[b].jump : nodes_[b].parent;
  return a == b;
}

void Forest::clear() {
  nodes_.clear();
  roots_.clear();
  mergeEdges_.clear();
  awaits_.clear();
  edgesInto_.clear();
  reached_.clear();
}

NodeId sectionAround(const Forest& forest, NodeId event) {
  const Node& n = forest[event];
  if (n.section != kNone || n.event != EventKind::End || n.kind != NodeKind::Event || n.lastEvent == kNone)
    return n.section;
  NodeId at = n.parent;
  while (at != n.lastEvent && forest[at].kind != NodeKind::SectionEnd) at = forest[at].parent;
  return at == n.lastEvent ? forest[at].section : kNone;
}

}  // namespace heddle

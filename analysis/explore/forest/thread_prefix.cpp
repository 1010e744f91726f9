#include "analysis/explore/forest/thread_prefix.h"

#include <algorithm>

namespace heddle {

namespace {

/// The side of `node` that the path to `at` takes.
uint64_t sideTowards(const Forest& forest, NodeId node, Position at) {
  if (at.node == node) return at.slot;
  NodeId id = at.node;
  while (forest[id].parent != node) id = forest[id].parent;
  return forest[id].slot;
}

}  // namespace

const ThreadPrefix& prefixOf(const std::vector<ThreadPrefix>& prefixes, ThreadId thread) {
  static const ThreadPrefix kNothing;
  return thread < prefixes.size() ? prefixes[thread] : kNothing;
}

std::vector<Position> forksTo(const Forest& forest, Position at) {
  std::vector<Position> forks;
  uint64_t slot = at.slot;
  for (NodeId id = at.node; id != kNone; slot = forest[id].slot, id = forest[id].parent) {
    const Node& n = forest[id];
    const bool holds = n.kind == NodeKind::Branch && n.role == BranchRole::Assume && slot == 1;
    if (isFork(n.kind) && !holds) forks.push_back({id, slot});
  }
  std::reverse(forks.begin(), forks.end());
  return forks;
}

std::vector<NodeId> nodesTo(const Forest& forest, NodeId node) {
  std::vector<NodeId> nodes;
  for (NodeId id = node; id != kNone; id = forest[id].parent) nodes.push_back(id);
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

bool follows(const Forest& forest, Position at, const ThreadPrefix& prefix) {
  const Position& end = prefix.at;
  if (end.node == kNone) return true;
  if (at.node == kNone || forest[end.node].depth > forest[at.node].depth ||
      !forest.isAncestor(end.node, at.node))
    return false;
  if (!isFork(forest[end.node].kind)) return true;
  const uint64_t side = sideTowards(forest, end.node, at);
  if (prefix.deviates() && forest[end.node].kind == NodeKind::Choice)
    return std::find(prefix.excluded.begin(), prefix.excluded.end(), side) == prefix.excluded.end();
  return side == end.slot;
}

std::vector<ThreadPrefix> deviationsAfter(const Forest& forest, Position at, const ThreadPrefix& prefix) {
  std::vector<ThreadPrefix> ways;
  const uint32_t from = prefix.at.node == kNone ? 0 : forest[prefix.at.node].depth;
  for (const Position& fork : forksTo(forest, at)) {
    const Node& n = forest[fork.node];
    ThreadPrefix way;
    way.end = ThreadPrefix::End::Deviation;
    way.at = fork;
    if (prefix.at.node != kNone && n.depth <= from) {
      // A choice that the prefix left open can be left again.
      if (fork.node != prefix.at.node || !prefix.deviates() || n.kind != NodeKind::Choice) continue;
      way.excluded = prefix.excluded;
    }
    if (n.kind == NodeKind::Choice) {
      way.excluded.push_back(fork.slot);
      way.at.slot = 0;
    } else {
      way.at.slot = 1 - fork.slot;
    }
    ways.push_back(std::move(way));
  }
  return ways;
}

}  // namespace heddle

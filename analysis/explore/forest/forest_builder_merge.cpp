// Where paths of a thread go on together: merges of equal local states, and rounds of loops that only wait.
#include <algorithm>

#include "analysis/explore/forest/forest_builder.h"

namespace heddle {

void ForestBuilder::mark(ThreadId thread, uint32_t mark) {
  Cursor& c = cursor(thread);
  if (mark >= c.marks.size()) c.marks.resize(mark + 1);
  c.marks[mark] = {c.node,   c.lastEvent, c.slot,         c.held,          c.writes,
                   c.forked, c.path,      c.reads.size(), c.merges.size(), c.inputs};
}

void ForestBuilder::rewind(ThreadId thread, uint32_t mark, GoesRound how) {
  Cursor& c = cursor(thread);
  const Cursor::Position& at = c.marks[mark];
  const auto round = c.reads.begin() + static_cast<std::ptrdiff_t>(at.reads);
  c.awaited.assign(round, c.reads.end());
  std::vector<NodeId> released;
  for (const NodeId lock : c.held)
    if (std::find(at.held.begin(), at.held.end(), lock) == at.held.end()) released.push_back(lock);
  forest_.addAwait(
      {thread, c.node, c.slot, {round, c.reads.end()}, std::move(released), how, at.node, at.slot});
  c.reads.erase(round, c.reads.end());
  c.node = at.node;
  c.lastEvent = at.lastEvent;
  c.slot = at.slot;
  c.held = at.held;
  c.writes = at.writes;
  c.forked = at.forked;
  c.path = at.path;
  for (; c.merges.size() > at.merges; c.merges.pop_back()) c.isPassed.erase(c.merges.back());
}

void ForestBuilder::setAside(ThreadId thread, GoesRound how) {
  const Cursor& c = cursor(thread);
  if (c.node != kNone) forest_.addAwait({thread, c.node, c.slot, {}, {}, how, c.node, c.slot});
}

NodeId ForestBuilder::awaitedRead(ThreadId thread, PlaceId place) const {
  if (thread >= cursors_.size()) return kNone;
  for (const NodeId read : cursors_[thread].awaited)
    if (forest_[read].place == place) return read;
  return kNone;
}

bool ForestBuilder::wantsMerge(ThreadId thread) {
  return merging_ && cursor(thread).forked;
}

void ForestBuilder::merge(ThreadId thread, PlaceId place, StateKey key, std::span<const uint32_t> marks) {
  Cursor& c = cursor(thread);
  // What the machine does not know, and the rest of the exploration relies on.
  for (const uint32_t mark : marks) {
    key.add(c.marks[mark].node);
    key.add(c.marks[mark].slot);
  }
  for (const NodeId lock : c.held) key.add(lock);
  key.add(c.joined.size());
  for (const ThreadId joined : c.joined) key.add(joined);
  if (!inputs_->symbolic()) key.add(c.inputs);
  NodeId merge = forest_.child(c.node, c.slot);
  std::vector<NodeId>& alike = merges_[{thread, key}];
  if (merge == kNone) {
    // A round of a loop may lead back to the same state; what comes after it is another node then.
    const auto other = std::find_if(alike.begin(), alike.end(), [&](NodeId m) {
      return !c.isPassed.contains(m) && !forest_.reaches(m, c.node);
    });
    if (other != alike.end()) {
      merge = *other;
    } else {
      Node node;
      node.kind = NodeKind::Merge;
      node.thread = thread;
      node.place = place;
      node.executed = true;
      node.held = c.held;
      node.joined = c.joined;
      merge = forest_.add(std::move(node));
      alike.push_back(merge);
    }
    forest_.addMergeEdge({c.node, c.slot, merge, c.writes});
  } else if (std::find(alike.begin(), alike.end(), merge) == alike.end()) {
    diverge("thread " + tables_.names.label(thread) + ": a path leads to another state than before");
    return;
  }
  c.path.add(c.slot);
  c.path.add(merge);
  c.node = c.lastEvent = merge;
  c.merges.push_back(merge);
  c.isPassed.insert(merge);
  c.slot = 0;
  c.writes.clear();
  c.forked = false;
}

}  // namespace heddle

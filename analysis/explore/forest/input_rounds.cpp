#include "analysis/explore/forest/input_rounds.h"

#include <cstdint>
#include <tuple>
#include <utility>

namespace heddle {

namespace {

/// Adds `node`, and the nodes on the ways that lead to it from `start`.
void addWaysTo(const Forest& forest, NodeId node, NodeId start, std::set<NodeId>& found) {
  std::vector<NodeId> open{node};
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    if (!forest.reaches(start, at) || !found.insert(at).second) continue;
    if (forest[at].kind == NodeKind::Merge) {
      for (const size_t edge : forest.edgesInto(at)) open.push_back(forest.mergeEdges()[edge].from);
    } else if (forest[at].parent != kNone) {
      open.push_back(forest[at].parent);
    }
  }
}

/// The events that come first from `start` on.
std::vector<NodeId> firstEventsFrom(const Forest& forest, NodeId start) {
  std::vector<NodeId> events;
  std::set<NodeId> found{start};
  std::vector<NodeId> open{start};
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    if (forest[at].kind == NodeKind::Event) {
      events.push_back(at);
      continue;
    }
    for (const auto& [slot, child] : forest[at].children)
      if (found.insert(child).second) open.push_back(child);
  }
  return events;
}

bool reads(const Node& n) {
  return n.kind == NodeKind::Event &&
         (n.event == EventKind::Read || n.event == EventKind::Update || n.event == EventKind::LockBusy);
}

/// The round leads back to the head, or to that of a loop in the loop.
bool comesBack(const InputRounds& rounds, const Forest::Await& await) {
  const bool isOwn = await.head == rounds.head && await.headSlot == rounds.headSlot;
  return await.thread == rounds.thread && (isOwn || rounds.nodes.contains(await.head));
}

/// Adds the ways that lead back to the head, also through loops in the loop. False if the world outside may
/// let the thread go on.
bool addRounds(const Forest& forest, InputRounds& rounds) {
  for (size_t before = SIZE_MAX; before != rounds.nodes.size();) {
    before = rounds.nodes.size();
    for (const Forest::Await& await : forest.awaits()) {
      if (!comesBack(rounds, await)) continue;
      if (await.how == GoesRound::MayLeave) return false;
      addWaysTo(forest, await.node, rounds.start, rounds.nodes);
    }
  }
  return rounds.nodes.contains(rounds.start);
}

/// Where the thread goes from `id`. A side that was taken and has no continuation is cut off, unless a round
/// ends there; a round that ends at the head of a loop around this one leaves it.
void addWaysFrom(const Forest& forest, NodeId id, InputRounds& rounds) {
  const Node& n = forest[id];
  for (const auto& [slot, child] : n.children)
    rounds.ways.push_back({id, slot, rounds.nodes.contains(child) ? child : kNone});
  for (const uint64_t slot : n.sides) {
    if (forest.child(id, slot) != kNone) continue;
    bool isCut = true, isBack = false;
    for (const Forest::Await& await : forest.awaits()) {
      if (await.node != id || await.slot != slot) continue;
      isCut = false;
      isBack |= comesBack(rounds, await);
    }
    if (!isBack) rounds.ways.push_back({id, slot, kNone, isCut});
  }
}

/// Fills in what the nodes are; false if a round gives up a mutex that the thread holds at the head.
bool describe(const Forest& forest, InputRounds& rounds) {
  for (const NodeId id : rounds.nodes) {
    const Node& n = forest[id];
    if (n.kind == NodeKind::Input) rounds.inputs.insert(n.term);
    if (reads(n)) rounds.reads.push_back(id);
    addWaysFrom(forest, id, rounds);
    if (n.kind == NodeKind::Event && n.event == EventKind::Unlock && !rounds.nodes.contains(n.acquire))
      return false;
  }
  return true;
}

}  // namespace

std::vector<InputRounds> inputRounds(const Forest& forest) {
  std::set<std::tuple<ThreadId, NodeId, uint64_t>> heads;
  for (const Forest::Await& await : forest.awaits())
    if (await.how == GoesRound::TakesInputs && await.head != kNone)
      heads.insert({await.thread, await.head, await.headSlot});
  std::vector<InputRounds> found;
  for (const auto& [thread, head, slot] : heads) {
    InputRounds rounds;
    rounds.thread = thread;
    rounds.head = head;
    rounds.headSlot = slot;
    rounds.start = forest.child(head, slot);
    if (rounds.start == kNone) continue;
    rounds.firstEvents = firstEventsFrom(forest, rounds.start);
    if (addRounds(forest, rounds) && describe(forest, rounds)) found.push_back(std::move(rounds));
  }
  return found;
}

}  // namespace heddle

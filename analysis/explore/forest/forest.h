// Forest: for each thread a tree of its observed thread-local events (design, part 1).
//
// A node is an event, or a point where the thread's local path forks: a branch on a symbol, a choice of a
// value (address, size, callee), an input, a try-lock. A thread-local path determines its events, so the tree
// does not depend on the schedule. A node that no run has executed is *pending*: a run ended while the thread
// waited for it.
//
// Paths of a thread that come to the same local state go on together from a Merge node (design, part 5, item
// 5), so the tree is a graph without cycles: its segments are trees.
//
// Nodes and edges are only ever added, and a node's place in its segment never changes: node ids are stable
// and parents come before children.
//
// Threading: owned by one exploration, not synchronized.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/interp/core/event_sink.h"
#include "analysis/model/event.h"

namespace heddle {

using NodeId = uint32_t;

/// SectionEnd: the thread leaves its atomic section.
/// Merge: paths of a thread meet in one local state. Its in-edges are stored separately
/// (Forest::mergeEdges). It has no parent and is the root of a segment: the nodes down to the next merges.
enum class NodeKind : uint8_t { Event, Branch, Choice, Input, TryLock, SectionEnd, Merge };

/// One cell of an access (or the mutex of a lock operation). `symbol` stands for the value read; `value` is
/// the value written, as a term or a constant.
struct NodeCell {
  LocationId location = kNone;
  Term symbol = kNoTerm;
  Term value = kNoTerm;
  NodeId ownWrite = kNone;  // the thread's last write to `location` before this node, in the segment
};

struct Node {
  NodeKind kind = NodeKind::Event;
  EventKind event = EventKind::Start;  // for NodeKind::Event
  bool executed = false;
  bool atomic = false;
  bool isVolatile = false;   // a plain access to a volatile object
  bool inHandler = false;    // as Event::inHandler
  bool failed = false;       // Event End: the thread ended in a failure
  bool endsProcess = false;  // Event End: by a failure, exit or abort
  BranchRole role = BranchRole::Branch;
  int8_t errorSide = -1;
  ThreadId thread = kNone;
  PlaceId place = kNone;
  NodeId parent = kNone;
  uint64_t slot = 0;  // which continuation of the parent: side of a branch, value of a choice, else 0
  uint32_t depth = 0;
  NodeId segment = kNone;    // the root of its segment: a Start or a Merge
  NodeId jump = kNone;       // a distant ancestor, for ancestor queries in logarithmic time
  NodeId lastEvent = kNone;  // nearest ancestor that is an event or a merge
  NodeId lastJoin = kNone;   // nearest ancestor in the segment that is a Join
  ThreadId other = kNone;    // Create: child; Join: joined thread
  NodeId acquire = kNone;    // Unlock: the Lock that it releases; Wake: the Wait that it ends
  NodeId section = kNone;    // first event of the atomic section that the event lies in (or that ends here)
  bool timed = false;        // the thread does not wait for ever: it would give up at some time
  const SyncRule* rule = nullptr;  // Read, Update: of a synchronization object
  Term operand = kNoTerm;          // of the rule
  Term writesIf = kNoTerm;         // Update: a compare-exchange, which writes only if this holds
  Term term = kNoTerm;  // Branch: condition; Choice: the term; Input: symbol; Start: argument's symbol;
                        // Create: argument
  std::vector<NodeCell> cells;
  std::vector<NodeId> held;  // Lock nodes whose mutexes the thread holds at this node, acquisition order
  std::vector<std::pair<uint64_t, NodeId>> children;  // by slot, at most one for each
  std::vector<ThreadId> joined;  // Merge: threads that all paths to it have joined, sorted
  std::vector<uint64_t> sides;   // slots that a run has taken (Branch, Choice, TryLock)
};

class Forest {
 public:
  NodeId add(Node node);
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  Node& at(NodeId id) { return nodes_[id]; }
  size_t size() const { return nodes_.size(); }

  /// The Start node of a thread, or kNone while it has not been seen.
  NodeId root(ThreadId thread) const;
  /// The continuation of `parent` at `slot`, or kNone.
  NodeId child(NodeId parent, uint64_t slot) const;
  bool sideTaken(NodeId node, uint64_t slot) const;

  /// True if `a` is `b` or lies on the path from the root of the segment to `b`.
  bool isAncestor(NodeId a, NodeId b) const;
  /// True if some path of the thread leads from `a` to `b`, or they are the same. More merge edges can turn
  /// a false answer into true, never the reverse.
  bool reaches(NodeId a, NodeId b) const;

  /// The continuation of (from, slot) is the merge `to`.
  struct MergeEdge {
    NodeId from = kNone;
    uint64_t slot = 0;
    NodeId to = kNone;
    std::unordered_map<LocationId, NodeId>
        writes;  // the thread's last writes before the end of `from`, in its segment
  };
  void addMergeEdge(MergeEdge edge);
  const std::vector<MergeEdge>& mergeEdges() const { return mergeEdges_; }
  /// A round of a loop that was dropped from a path. The thread reaches the continuation of (node, slot),
  /// and goes round again with the same result as long as it reads the same values. `reads`: Read, Update
  /// and LockBusy nodes; empty if the round reads nothing that others write. `released`: the last Lock
  /// nodes of the mutexes that the round releases and acquires again.
  struct Await {
    ThreadId thread = kNone;
    NodeId node = kNone;
    uint64_t slot = 0;
    std::vector<NodeId> reads;
    std::vector<NodeId> released;
    GoesRound how = GoesRound::Waits;
    /// Where the loop's head is: the round begins at the continuation of (head, headSlot).
    NodeId head = kNone;
    uint64_t headSlot = 0;
    auto operator<=>(const Await&) const = default;
  };
  void addAwait(Await await) { awaits_.insert(std::move(await)); }
  const std::set<Await>& awaits() const { return awaits_; }
  /// The in-edges of a merge, as indices into mergeEdges().
  const std::vector<size_t>& edgesInto(NodeId merge) const { return edgesInto_.at(merge); }
  void clear();

 private:
  std::vector<Node> nodes_;
  std::map<ThreadId, NodeId> roots_;
  std::vector<MergeEdge> mergeEdges_;
  std::set<Await> awaits_;
  std::unordered_map<NodeId, std::vector<size_t>> edgesInto_;
  // Cache of reaches(): (node, root of another segment) → number of edges at that time, and the answer.
  mutable std::unordered_map<uint64_t, std::pair<size_t, bool>> reached_;
};

/// The cell of `node` at `location`; null if it does not touch it.
inline const NodeCell* cellAt(const Node& node, LocationId location) {
  for (const NodeCell& cell : node.cells)
    if (cell.location == location) return &cell;
  return nullptr;
}

/// The first event of the atomic section that the event lies in; kNone if it lies in none. The End of a
/// thread that never left its section lies in it, too.
NodeId sectionAround(const Forest& forest, NodeId event);

/// An assumption fails on a path that goes on through this slot. The thread stops there for ever, what
/// happened before stays valid (docs/interp.md, "Assumptions"), and nothing after it is explored.
inline bool isDeadEnd(const Node& n, uint64_t slot) {
  return n.kind == NodeKind::Branch && n.role == BranchRole::Assume && slot == 0;
}

/// The node has a place in the order of events.
inline bool isOrdered(const Node& n) {
  return n.kind == NodeKind::Event || n.kind == NodeKind::Merge;
}
/// The path divides at the node: by a condition, by a choice of values, or by a lock that may be held.
inline bool isFork(NodeKind kind) {
  return kind == NodeKind::Branch || kind == NodeKind::Choice || kind == NodeKind::TryLock;
}
/// The node may write: an Update with `writesIf` does not always do so.
inline bool isMemoryWrite(const Node& n) {
  return n.kind == NodeKind::Event && (n.event == EventKind::Write || n.event == EventKind::Update);
}
inline bool isMemoryRead(const Node& n) {
  return n.kind == NodeKind::Event && (n.event == EventKind::Read || n.event == EventKind::Update);
}
inline bool isMemoryAccess(const Node& n) {
  return isMemoryRead(n) || isMemoryWrite(n);
}

}  // namespace heddle

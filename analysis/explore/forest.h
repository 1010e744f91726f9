// Forest: for each thread a tree of its observed thread-local events (design, part 1).
//
// A node is an event, or a point where the thread's local path forks: a branch on a symbol, a choice of a
// value (address, size, callee), an input, a try-lock. A thread-local path determines its events, so the tree
// does not depend on the schedule. A node that no run has executed is *pending*: a run ended while the thread
// waited for it.
//
// Nodes are only ever added, and a node's place in its tree never changes: node ids are stable and parents
// come before children.
//
// Threading: owned by one exploration, not synchronized.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analysis/interp/event_sink.h"
#include "analysis/model/event.h"

namespace heddle {

using NodeId = uint32_t;

/// SectionEnd: the thread has left its atomic section.
enum class NodeKind : uint8_t { Event, Branch, Choice, Input, TryLock, SectionEnd };

/// One cell of an access (or the mutex of a lock operation). `symbol` stands for the value read, `value` is
/// what was written (a term, constants included).
struct NodeCell {
  LocationId location = kNone;
  Term symbol = kNoTerm;
  Term value = kNoTerm;
  NodeId ownWrite = kNone;  // the thread's last write to `location` before this node
};

struct Node {
  NodeKind kind = NodeKind::Event;
  EventKind event = EventKind::Start;  // for NodeKind::Event
  bool executed = false;
  bool atomic = false;
  bool failed = false;       // Event End: the thread ended in a failure
  bool endsProcess = false;  // Event End: by a failure, exit or abort
  BranchRole role = BranchRole::Branch;
  int8_t errorSide = -1;
  ThreadId thread = kNone;
  PlaceId place = kNone;
  NodeId parent = kNone;
  uint64_t slot = 0;  // which continuation of the parent: side of a branch, value of a choice, else 0
  uint32_t depth = 0;
  NodeId jump = kNone;       // an ancestor far above, for ancestor queries in logarithmic time
  NodeId lastEvent = kNone;  // nearest ancestor that is an event
  NodeId lastJoin = kNone;   // nearest ancestor that is a Join
  ThreadId other = kNone;    // Create: child; Join: joined thread
  NodeId acquire = kNone;    // Unlock: the Lock that it releases; Wake: the Wait that it ends
  NodeId section = kNone;    // first event of the atomic section that the event lies in (or that ends here)
  bool timed = false;        // Wake: the thread would give up some time
  const SyncRule* rule = nullptr;  // Read, Update: of a synchronization object
  Term operand = kNoTerm;          // of the rule
  Term term = kNoTerm;  // Branch: condition; Choice: the term; Input: symbol; Start: argument's symbol;
                        // Create: argument
  std::vector<NodeCell> cells;
  std::vector<NodeId> held;  // Lock nodes whose mutexes the thread holds at this node, acquisition order
  std::vector<std::pair<uint64_t, NodeId>> children;  // by slot; each at most once
  std::vector<uint64_t> sides;                        // slots that a run has taken (Branch, Choice, TryLock)
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

  /// True if `a` is `b` or lies on the path from the root to `b`.
  bool isAncestor(NodeId a, NodeId b) const;
  void clear();

 private:
  std::vector<Node> nodes_;
  std::map<ThreadId, NodeId> roots_;
};

/// The cell of `node` at `location`; null if it does not touch it.
inline const NodeCell* cellAt(const Node& node, LocationId location) {
  for (const NodeCell& cell : node.cells)
    if (cell.location == location) return &cell;
  return nullptr;
}

inline bool isMemoryWrite(const Node& n) {
  return n.kind == NodeKind::Event && (n.event == EventKind::Write || n.event == EventKind::Update);
}
inline bool isMemoryRead(const Node& n) {
  return n.kind == NodeKind::Event && (n.event == EventKind::Read || n.event == EventKind::Update);
}

}  // namespace heddle

// NodeLiterals: the literals of each node of the forest: whether it happens, where it stands in the order
// of events, and which way the thread takes from it. It also adds the constraints of forks: a node needs
// its parent, and a side of a branch needs its condition.
//
// Threading: as the encoder that owns it.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/explore/forest/forest.h"
#include "analysis/solver/solver.h"

namespace heddle {

class NodeLiterals {
 public:
  NodeLiterals(const Forest& forest, TermTable& terms, Solver& solver)
      : forest_(forest), terms_(terms), solver_(solver) {}

  size_t size() const { return encoded_.size(); }
  /// The node happens (for a branch, choice or input: the thread gets to it).
  Lit on(NodeId node) const {
    assert(node < encoded_.size());
    return encoded_[node].on;
  }
  OrderNode order(NodeId event) const { return encoded_[event].order; }
  /// A choice takes none of the values that have been seen.
  Lit otherValue(NodeId choice) const { return encoded_[choice].other; }
  /// The thread goes on from `node` through `slot`.
  Lit side(NodeId node, uint64_t slot);
  /// The thread gets to where the continuation of (parent, slot) begins.
  Lit reach(NodeId parent, uint64_t slot);

  /// Makes room for the next node of the forest, which must then be encoded.
  NodeId add();
  void setOn(NodeId node, Lit on) { encoded_[node].on = on; }
  void setOrder(NodeId event, OrderNode order) { encoded_[event].order = order; }
  /// A node that happens whenever its thread gets to it.
  Lit encodeReached(NodeId id);
  void encodeBranch(NodeId id);
  void encodeChoice(NodeId id);
  void encodeTryLock(NodeId id);
  /// Adds the values that runs have seen choices take since the last call.
  void updateChoices();

 private:
  struct Encoded {
    Lit on = 0;
    OrderNode order = 0;
    Lit other = 0;
    std::vector<std::pair<uint64_t, Lit>> sides;
  };
  void encodeChoiceSides(NodeId id);

  const Forest& forest_;
  TermTable& terms_;
  Solver& solver_;
  std::vector<Encoded> encoded_;
  std::vector<NodeId> choices_;
};

}  // namespace heddle

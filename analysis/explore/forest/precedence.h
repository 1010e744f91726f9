// Precedence: which events are ordered in every execution, by program order, create and join alone.
//
// The answers only ever turn from "not known" to "always" as the forest grows, and never back: for a create c
// of thread t, an ancestor a of c, and another create c' of t on another path, a either is an ancestor of c'
// too or cannot happen together with c'. (Paths that merge add edges, never take one away: an event that
// leads to another one of its thread on some path comes before it whenever both happen.) So clauses that were
// left out because of an answer stay superfluous.
//
// Threading: as the forest.
#pragma once

#include <vector>

#include "analysis/explore/forest/forest.h"

namespace heddle {

class Precedence {
 public:
  explicit Precedence(const Forest& forest) : forest_(forest) {}

  /// Must be told of every Create node.
  void addCreate(NodeId create);

  /// True if, whenever both happen, `a` happens before `b`. False: not known.
  bool always(NodeId a, NodeId b) const;

 private:
  bool beforeStart(NodeId a, ThreadId thread) const;

  const Forest& forest_;
  std::vector<std::vector<NodeId>> creates_;  // by created thread
};

}  // namespace heddle

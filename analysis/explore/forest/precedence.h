// Precedence: which events are ordered in every execution, by program order, create and join alone.
//
// As the forest grows, an answer may change from "not known" to "always", but never back: for a create c of
// thread t, an ancestor a of c, and another create c' of t on another path, a either is an ancestor of c'
// too or cannot happen together with c'. (Merges add edges and never remove one: if one event of a thread
// leads to another on some path, it comes first whenever both happen.) So clauses that were omitted because
// of an answer stay unnecessary.
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

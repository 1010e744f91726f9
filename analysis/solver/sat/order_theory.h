// The theory of strict orders: a graph that must stay acyclic while literals add edges and backtracking
// removes them.
//
// Nodes keep a topological order that is repaired as edges come (Pearce and Kelly: only the part between the
// two ends of a new edge is searched and renumbered). Removing edges cannot spoil it, so backtracking only
// pops lists, and when the search is done the order itself is the model.
//
// Invariants: every edge goes from a lower to a higher place; edges without a literal are permanent and lie
// below all others in the adjacency lists; temporary edges are removed in the reverse order of their
// insertion.
//
// Threading: belongs to its solver.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/solver/sat/literal.h"

namespace heddle::sat {

class OrderTheory {
 public:
  using Node = uint32_t;

  Node newNode();
  void addAtom(Var v, Node a, Node b);
  bool isAtom(Var v) const { return v < atoms_.size() && atoms_[v].a != atoms_[v].b; }
  /// The edge that a true literal stands for.
  std::pair<Node, Node> edge(Literal p) const {
    const Atom& t = atoms_[varOf(p)];
    return (p & 1) ? std::pair{t.b, t.a} : std::pair{t.a, t.b};
  }
  /// Whether the current topological order agrees with p: deciding p then cannot close a cycle.
  bool agrees(Literal p) const {
    const auto [from, to] = edge(p);
    return place_[from] < place_[to];
  }

  /// Adds from → to because of `reason` (kNoLiteral: for ever). False if that closes a cycle; then `path`
  /// gets the literals of a path to → from with few literals, and nothing is added.
  bool addEdge(Node from, Node to, Literal reason, std::vector<Literal>& path);
  /// Renumbers the nodes so that those of `sequence` come in this order as far as the edges allow it; others
  /// stay behind the one they are behind now.
  void suggest(std::span<const Node> sequence);
  uint32_t temporaryEdges() const { return static_cast<uint32_t>(stack_.size()); }
  void undoTo(uint32_t temporaryEdges);

  /// Atoms that became implied by the edge added last, from → to, as true literals; those for which
  /// `unassigned(v)` is false are left out. Gives up (returns what it has) after `limit` visited nodes and
  /// atoms.
  template <class Unassigned>
  void implied(Node from, Node to, uint32_t limit, Unassigned unassigned, std::vector<Literal>& out);
  /// Literals of a path for the implied literal p, using only the first `edges` temporary edges.
  void explain(Literal p, uint32_t edges, std::vector<Literal>& path);

  uint32_t place(Node n) const { return place_[n]; }
  uint32_t nodes() const { return static_cast<uint32_t>(place_.size()); }
  uint64_t visits() const { return visits_; }
  size_t bytes() const;

 private:
  struct Atom {
    Node a = 0, b = 0;
  };
  struct Edge {
    Node node;
    Literal reason;
    uint32_t stamp;  // 0: permanent; else its number among the temporary ones, from 1
  };
  struct Mark {
    uint32_t epoch = 0;
    uint32_t distance = 0;
    Node parent = 0;
    Literal reason = kNoLiteral;
  };

  bool reachesBackwards(Node from, Node to);
  void reorder(Node from, Node to);
  void shortestPath(Node from, Node to, uint32_t edges, std::vector<Literal>& path);
  uint32_t newEpoch() { return ++epoch_; }

  std::vector<Atom> atoms_;                // by variable
  std::vector<std::vector<Var>> atomsOf_;  // by node
  std::vector<std::vector<Edge>> out_, in_;
  std::vector<uint32_t> place_;
  std::vector<std::pair<Node, Node>> stack_;  // temporary edges

  std::vector<uint32_t> forwardMark_, backwardMark_;
  std::vector<Mark> marks_;
  std::vector<Node> forward_, backward_, layer_, nextLayer_;
  std::vector<uint32_t> slots_;
  uint32_t epoch_ = 0;
  uint64_t visits_ = 0;
  size_t edgeCount_ = 0, atomCount_ = 0;
};

template <class Unassigned>
void OrderTheory::implied(Node from, Node to, uint32_t limit, Unassigned unassigned,
                          std::vector<Literal>& out) {
  const uint32_t epoch = newEpoch();
  forward_.assign(1, to);
  backward_.assign(1, from);
  forwardMark_[to] = epoch;
  backwardMark_[from] = epoch;
  uint32_t work = 0;
  for (size_t i = 0; i < forward_.size() && work < limit; ++i)
    for (const Edge& e : out_[forward_[i]]) {
      ++work;
      if (forwardMark_[e.node] == epoch) continue;
      forwardMark_[e.node] = epoch;
      forward_.push_back(e.node);
    }
  for (size_t i = 0; i < backward_.size() && work < limit; ++i)
    for (const Edge& e : in_[backward_[i]]) {
      ++work;
      if (backwardMark_[e.node] == epoch) continue;
      backwardMark_[e.node] = epoch;
      backward_.push_back(e.node);
    }
  // Everything in backward_ is now before everything in forward_.
  for (const Node n : forward_.size() < backward_.size() ? forward_ : backward_) {
    if (work >= limit) break;
    for (const Var v : atomsOf_[n]) {
      ++work;
      const Atom& t = atoms_[v];
      if (backwardMark_[t.a] == epoch && forwardMark_[t.b] == epoch) {
        if (unassigned(v)) out.push_back(2 * v);
      } else if (backwardMark_[t.b] == epoch && forwardMark_[t.a] == epoch) {
        if (unassigned(v)) out.push_back(2 * v + 1);
      }
    }
  }
  visits_ += work;
}

}  // namespace heddle::sat

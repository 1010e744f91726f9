#include "analysis/solver/sat/order_theory.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace heddle::sat {

OrderTheory::Node OrderTheory::newNode() {
  const Node n = nodes();
  place_.push_back(n);
  atomsOf_.emplace_back();
  out_.emplace_back();
  in_.emplace_back();
  forwardMark_.push_back(0);
  backwardMark_.push_back(0);
  marks_.emplace_back();
  return n;
}

void OrderTheory::addAtom(Var v, Node a, Node b) {
  if (v >= atoms_.size()) atoms_.resize(v + 1);
  atoms_[v] = {a, b};
  atomsOf_[a].push_back(v);
  atomsOf_[b].push_back(v);
  ++atomCount_;
}

bool OrderTheory::addEdge(Node from, Node to, Literal reason, std::vector<Literal>& path) {
  if (from == to) return false;
  if (place_[from] > place_[to]) {
    if (reachesBackwards(from, to)) {
      shortestPath(to, from, temporaryEdges(), path);
      return false;
    }
    reorder(from, to);
  }
  uint32_t stamp = 0;
  if (reason != kNoLiteral) {
    stack_.emplace_back(from, to);
    stamp = temporaryEdges();
  }
  out_[from].push_back({to, reason, stamp});
  in_[to].push_back({from, reason, stamp});
  ++edgeCount_;
  return true;
}

void OrderTheory::undoTo(uint32_t temporary) {
  while (stack_.size() > temporary) {
    const auto [from, to] = stack_.back();
    stack_.pop_back();
    out_[from].pop_back();
    in_[to].pop_back();
    --edgeCount_;
  }
}

void OrderTheory::suggest(std::span<const Node> sequence) {
  std::vector<Node> byPlace(nodes());
  for (Node n = 0; n < nodes(); ++n) byPlace[place_[n]] = n;
  std::vector<uint64_t> wish(nodes(), 0);  // 0: none
  for (size_t i = 0; i < sequence.size(); ++i)
    if (wish[sequence[i]] == 0) wish[sequence[i]] = i + 1;
  uint64_t last = 0;
  for (const Node n : byPlace) last = wish[n] = wish[n] != 0 ? wish[n] : last;

  using Ready = std::pair<uint64_t, Node>;  // wish and place
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  std::vector<uint32_t> missing(nodes());
  for (Node n = 0; n < nodes(); ++n) {
    missing[n] = static_cast<uint32_t>(in_[n].size());
    if (missing[n] == 0) ready.emplace(wish[n], place_[n]);
  }
  std::vector<uint32_t> places(nodes());
  uint32_t next = 0;
  while (!ready.empty()) {
    const Node n = byPlace[ready.top().second];
    ready.pop();
    places[n] = next++;
    for (const Edge& e : out_[n])
      if (--missing[e.node] == 0) ready.emplace(wish[e.node], place_[e.node]);
  }
  place_ = std::move(places);
}

/// Whether a path to → … → from exists; forward_ gets what was reached from `to` below the place of `from`.
bool OrderTheory::reachesBackwards(Node from, Node to) {
  const uint32_t epoch = newEpoch();
  const uint32_t limit = place_[from];
  forward_.assign(1, to);
  forwardMark_[to] = epoch;
  for (size_t i = 0; i < forward_.size(); ++i) {
    const std::vector<Edge>& edges = out_[forward_[i]];
    visits_ += edges.size();
    for (const Edge& e : edges) {
      if (place_[e.node] > limit || forwardMark_[e.node] == epoch) continue;
      if (e.node == from) return true;
      forwardMark_[e.node] = epoch;
      forward_.push_back(e.node);
    }
  }
  return false;
}

/// Moves what reaches `from` in front of what `to` reaches, using the same places. forward_ is already
/// filled.
void OrderTheory::reorder(Node from, Node to) {
  const uint32_t epoch = epoch_;
  const uint32_t limit = place_[to];
  backward_.assign(1, from);
  backwardMark_[from] = epoch;
  for (size_t i = 0; i < backward_.size(); ++i) {
    const std::vector<Edge>& edges = in_[backward_[i]];
    visits_ += edges.size();
    for (const Edge& e : edges) {
      if (place_[e.node] < limit || backwardMark_[e.node] == epoch) continue;
      backwardMark_[e.node] = epoch;
      backward_.push_back(e.node);
    }
  }
  const auto byPlace = [this](Node a, Node b) { return place_[a] < place_[b]; };
  std::sort(forward_.begin(), forward_.end(), byPlace);
  std::sort(backward_.begin(), backward_.end(), byPlace);
  slots_.clear();
  for (const Node n : backward_) slots_.push_back(place_[n]);
  for (const Node n : forward_) slots_.push_back(place_[n]);
  std::inplace_merge(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(backward_.size()),
                     slots_.end());
  size_t k = 0;
  for (const Node n : backward_) place_[n] = slots_[k++];
  for (const Node n : forward_) place_[n] = slots_[k++];
}

/// Fewest literals, since they become a clause: breadth-first by layers of equal cost, permanent edges cost
/// nothing. A path from → … → to must exist among the first `edges` temporary edges and the permanent ones.
void OrderTheory::shortestPath(Node from, Node to, uint32_t edges, std::vector<Literal>& path) {
  const uint32_t epoch = newEpoch();
  const uint32_t limit = place_[to];
  marks_[from] = {epoch, 0, from, kNoLiteral};
  layer_.assign(1, from);
  for (uint32_t distance = 0; !layer_.empty(); ++distance) {
    nextLayer_.clear();
    for (size_t i = 0; i < layer_.size(); ++i) {
      const Node n = layer_[i];
      if (marks_[n].distance != distance) continue;  // reached more cheaply since
      if (n == to) {
        for (Node m = to; m != from; m = marks_[m].parent)
          if (marks_[m].reason != kNoLiteral) path.push_back(marks_[m].reason);
        return;
      }
      visits_ += out_[n].size();
      for (const Edge& e : out_[n]) {
        if (e.stamp > edges) break;  // this list is in the order of insertion
        if (place_[e.node] > limit) continue;
        const uint32_t cost = distance + (e.reason != kNoLiteral ? 1 : 0);
        Mark& mark = marks_[e.node];
        if (mark.epoch == epoch && mark.distance <= cost) continue;
        mark = {epoch, cost, n, e.reason};
        (cost == distance ? layer_ : nextLayer_).push_back(e.node);
      }
    }
    layer_.swap(nextLayer_);
  }
}

void OrderTheory::explain(Literal p, uint32_t edges, std::vector<Literal>& path) {
  const auto [from, to] = edge(p);
  shortestPath(from, to, edges, path);
}

size_t OrderTheory::bytes() const {
  return atoms_.capacity() * sizeof(Atom) + atomCount_ * 16 + edgeCount_ * 3 * sizeof(Edge) +
         place_.size() * (4 * sizeof(std::vector<Edge>) + sizeof(Mark) + 16);
}

}  // namespace heddle::sat

#include "analysis/solver/sat/proof_checker.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace heddle::sat {

void ProofChecker::grow(Var v) {
  if (values_.size() >= 2 * v + 2) return;
  values_.resize(2 * v + 2, 0);
  watches_.resize(2 * v + 2);
  if (trail_.empty()) assign(kTrueLiteral);
}

void ProofChecker::assign(Literal p) {
  values_[p] = 1;
  values_[negate(p)] = -1;
  trail_.push_back(p);
}

void ProofChecker::onClause(std::span<const Literal> clause) {
  if (!active()) return;
  ++counters_.clauses;
  add(clause);
}

void ProofChecker::onAtom(Var v, uint32_t a, uint32_t b) {
  if (!active()) return;
  grow(v);
  if (v >= atoms_.size()) atoms_.resize(v + 1, {0, 0});
  atoms_[v] = {a, b};
}

void ProofChecker::onEdge(uint32_t a, uint32_t b) {
  if (!active()) return;
  if (reaches(b, a, {})) contradiction_ = true;
  addEdge({a, b});
}

void ProofChecker::onOrderLemma(std::span<const Literal> clause) {
  if (!active()) return;
  ++counters_.lemmas;
  for (const Literal p : clause) grow(varOf(p));
  if (!closesCycle(clause)) return fail("an order lemma closes no cycle", clause);
  add(clause);
}

void ProofChecker::onLearnt(std::span<const Literal> clause) {
  if (!active()) return;
  ++counters_.learnt;
  if (!followsByPropagation(clause)) return fail("a learnt clause does not follow", clause);
  add(clause);
}

void ProofChecker::onUnsat(std::span<const Literal> core) {
  if (!active()) return;
  ++counters_.answers;
  std::vector<Literal> clause;
  for (const Literal p : core) clause.push_back(negate(p));
  if (!followsByPropagation(clause)) fail("a core does not follow", clause);
}

void ProofChecker::add(std::span<const Literal> clause) {
  std::vector<Literal> c(clause.begin(), clause.end());
  for (const Literal p : c) grow(varOf(p));
  std::sort(c.begin(), c.end());
  c.erase(std::unique(c.begin(), c.end()), c.end());
  for (size_t i = 0; i < c.size(); ++i)
    if (value(c[i]) > 0 || (i > 0 && c[i] == negate(c[i - 1]))) return;
  std::stable_partition(c.begin(), c.end(), [this](Literal p) { return value(p) == 0; });
  const auto open = std::count_if(c.begin(), c.end(), [this](Literal p) { return value(p) == 0; });
  if (open == 0) {
    contradiction_ = true;
  } else if (open == 1) {
    assign(c[0]);
    if (!propagate()) contradiction_ = true;
    settle();
  } else {
    const auto index = static_cast<uint32_t>(clauses_.size());
    watches_[c[0]].push_back(index);
    watches_[c[1]].push_back(index);
    clauses_.push_back(std::move(c));
  }
}

bool ProofChecker::propagate() {
  while (head_ < trail_.size()) {
    const Literal falseLiteral = negate(trail_[head_++]);
    std::vector<uint32_t>& watches = watches_[falseLiteral];
    work_ += watches.size() + 1;
    size_t kept = 0;
    for (size_t i = 0; i < watches.size(); ++i) {
      const uint32_t index = watches[i];
      std::vector<Literal>& c = clauses_[index];
      if (c[0] == falseLiteral) std::swap(c[0], c[1]);
      const auto other =
          value(c[0]) > 0 ? c.end()
                          : std::find_if(c.begin() + 2, c.end(), [this](Literal p) { return value(p) >= 0; });
      if (other != c.end()) {
        std::iter_swap(c.begin() + 1, other);
        watches_[c[1]].push_back(index);
        continue;
      }
      watches[kept++] = index;
      if (value(c[0]) > 0) continue;
      if (value(c[0]) < 0) {
        for (++i; i < watches.size(); ++i) watches[kept++] = watches[i];
        watches.resize(kept);
        return false;
      }
      assign(c[0]);
    }
    watches.resize(kept);
  }
  return true;
}

bool ProofChecker::followsByPropagation(std::span<const Literal> clause) {
  for (const Literal p : clause) grow(varOf(p));
  if (contradiction_) return true;
  const size_t root = trail_.size();
  bool conflict = false;
  for (const Literal p : clause) {
    conflict = conflict || value(p) > 0;
    if (value(p) == 0) assign(negate(p));
  }
  conflict = conflict || !propagate();
  while (trail_.size() > root) {
    values_[trail_.back()] = values_[negate(trail_.back())] = 0;
    trail_.pop_back();
  }
  head_ = root;
  return conflict;
}

void ProofChecker::settle() {
  for (; settled_ < trail_.size(); ++settled_)
    if (isAtom(varOf(trail_[settled_]))) addEdge(edgeOf(trail_[settled_]));
}

ProofChecker::Edge ProofChecker::edgeOf(Literal p) const {
  const Edge& e = atoms_[varOf(p)];
  return (p & 1) ? Edge{e.second, e.first} : e;
}

void ProofChecker::addEdge(Edge e) {
  const uint32_t nodes = std::max(e.first, e.second) + 1;
  if (out_.size() < nodes) {
    out_.resize(nodes);
    seen_.resize(nodes, 0);
  }
  out_[e.first].push_back(e.second);
}

bool ProofChecker::closesCycle(std::span<const Literal> clause) {
  if (contradiction_) return true;
  std::vector<Edge> edges;
  for (const Literal p : clause)
    if (isAtom(varOf(p))) edges.push_back(edgeOf(negate(p)));
  // The search writes the edge that closed the cycle last.
  return std::any_of(edges.rbegin(), edges.rend(), [&](Edge e) { return reaches(e.second, e.first, edges); });
}

bool ProofChecker::reaches(uint32_t from, uint32_t to, const std::vector<Edge>& more) {
  uint32_t nodes = std::max(from, to) + 1;
  for (const Edge& e : more) nodes = std::max({nodes, e.first + 1, e.second + 1});
  if (out_.size() < nodes) {
    out_.resize(nodes);
    seen_.resize(nodes, 0);
  }
  ++epoch_;
  seen_[from] = epoch_;
  stack_.assign(1, from);
  const auto visit = [this](uint32_t n) {
    if (seen_[n] == epoch_) return;
    seen_[n] = epoch_;
    stack_.push_back(n);
  };
  while (!stack_.empty()) {
    const uint32_t n = stack_.back();
    stack_.pop_back();
    if (n == to) return true;
    work_ += out_[n].size() + more.size();
    for (const uint32_t next : out_[n]) visit(next);
    for (const Edge& e : more)
      if (e.first == n) visit(e.second);
  }
  return false;
}

void ProofChecker::fail(const char* what, std::span<const Literal> clause) {
  problem_ = std::string(what) + ":";
  for (const Literal p : clause) problem_ += " " + std::to_string(externalOf(p));
  if (onMistake_ == OnMistake::Abort) {
    std::fprintf(stderr, "heddle: the solver made a mistake: %s\n", problem_.c_str());
    std::abort();
  }
}

}  // namespace heddle::sat

// Propagation and backtracking: two watched literals per clause, then edges of the order, until nothing
// follows.
#include "analysis/solver/sat/cdcl.h"

namespace heddle::sat {

ClauseRef Cdcl::propagate() {
  for (;;) {
    const ClauseRef conflict = propagateBoolean();
    if (conflict != kNoClause || orderHead_ == trail_.size()) return conflict;
    const ClauseRef cycle = propagateOrder();
    if (cycle != kNoClause) return cycle;
  }
}

ClauseRef Cdcl::propagateBoolean() {
  ClauseRef conflict = kNoClause;
  uint64_t ticks = 0;
  const uint32_t start = head_;
  while (head_ < trail_.size()) {
    const Literal p = trail_[head_++];
    const Literal falseLiteral = negate(p);
    if (waitHead_[p] != 0) wake(p);
    std::vector<Watch>& watches = watches_[p];
    ticks += watches.size() + 2;
    Watch* const end = watches.data() + watches.size();
    Watch* to = watches.data();
    for (Watch* from = to; from != end;) {
      const Watch w = *from++;
      const int blocked = value(w.blocker);
      if (blocked > 0) {
        *to++ = w;
        continue;
      }
      if (w.binary()) {
        *to++ = w;
        if (blocked < 0) {
          conflict = w.clause();
          while (from != end) *to++ = *from++;
          break;
        }
        enqueue(w.blocker, w.clause());
        continue;
      }
      Clause& c = arena_[w.clause()];
      Literal* const lits = c.literals();
      if (lits[0] == falseLiteral) std::swap(lits[0], lits[1]);
      const Literal first = lits[0];
      const int firstValue = value(first);
      if (firstValue > 0) {
        *to++ = {w.ref, first};
        continue;
      }
      const uint32_t size = c.size();
      uint32_t k = 2;
      while (k < size && value(lits[k]) < 0) ++k;
      if (k < size) {
        lits[1] = lits[k];
        lits[k] = falseLiteral;
        watches_[negate(lits[1])].push_back({w.ref, first});
        continue;
      }
      *to++ = {w.ref, first};
      if (firstValue < 0) {
        conflict = w.clause();
        while (from != end) *to++ = *from++;
        break;
      }
      enqueue(first, w.clause());
    }
    watches.resize(static_cast<size_t>(to - watches.data()));
    if (conflict != kNoClause) break;
  }
  ticks_ += ticks;
  counters_.propagations += head_ - start;
  return conflict;
}

/// Adds edges for the literals not yet seen; stops early when atoms were implied, since clauses come first.
ClauseRef Cdcl::propagateOrder() {
  while (orderHead_ < trail_.size()) {
    const Literal p = trail_[orderHead_++];
    const Var v = varOf(p);
    // An implied atom has a path already; its edge would only make the graph denser.
    if (!order_.isAtom(v) || vars_[v].reason == kImplied) continue;
    const auto [from, to] = order_.edge(p);
    const uint64_t visits = order_.visits();
    path_.clear();
    if (!order_.addEdge(from, to, level() == 0 ? kNoLiteral : p, path_)) {
      ++counters_.orderConflicts;
      ticks_ += order_.visits() - visits;
      for (Literal& q : path_) q = negate(q);
      path_.push_back(negate(p));
      if (proof_) proof_->onOrderLemma(path_);
      const ClauseRef cycle = arena_.allocate(path_, true);
      arena_.free(cycle);  // readable until the next collection, and used once
      return cycle;
    }
    if (wantsOrderPropagation()) {
      implied_.clear();
      const uint64_t before = order_.visits();
      order_.implied(
          from, to, options_.orderPropagationLimit, [this](Var w) { return values_[2 * w] == 0; }, implied_);
      for (const Literal q : implied_) {
        enqueue(q, kImplied);
        vars_[varOf(q)].edges = order_.temporaryEdges();
        // At level 0 nobody will ask for the reason.
        if (proof_ && level() == 0) proof_->onOrderLemma({&q, 1});
      }
      impliedTicks_ += order_.visits() - before;
      counters_.implied += implied_.size();
    }
    ticks_ += order_.visits() - visits;
    if (head_ != trail_.size()) return kNoClause;
  }
  return kNoClause;
}

bool Cdcl::wantsOrderPropagation() const {
  switch (options_.orderPropagation) {
    case OrderPropagation::Never:
      return false;
    case OrderPropagation::Always:
      return true;
    default:
      return impliedTicks_ <= options_.orderPropagationShare * static_cast<double>(ticks_);
  }
}

void Cdcl::cancelUntil(uint32_t target) {
  if (level() <= target) return;
  const Level& boundary = levels_[target];
  for (size_t i = trail_.size(); i > boundary.trail;) {
    const Literal p = trail_[--i];
    const Var v = varOf(p);
    values_[p] = values_[negate(p)] = 0;
    const uint8_t flags = flags_[v];
    // What was assumed is not what the search chose: the next question may ask the opposite.
    const bool assumed = vars_[v].reason == kNoClause && vars_[v].level <= assumptionLevel_;
    if (!(flags & kPreferred) && !assumed) phase_[v] = p & 1;
    if ((flags & kForced) || (flags & (kDecide | kWaiting)) == kDecide) heap_.insert(v);
  }
  order_.undoTo(boundary.edges);
  trail_.resize(boundary.trail);
  head_ = orderHead_ = boundary.trail;
  levels_.resize(target);
}

void Cdcl::wake(Literal guard) {
  Var v = waitHead_[guard];
  waitHead_[guard] = 0;
  while (v != 0) {
    flags_[v] &= static_cast<uint8_t>(~kWaiting);
    if (value(2 * v) == 0) heap_.insert(v);
    v = waitNext_[v];
  }
}

}  // namespace heddle::sat

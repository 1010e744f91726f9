// Forgetting: learnt clauses that do not pay, clauses satisfied for ever, and the memory of both.
#include <algorithm>

#include "analysis/solver/sat/cdcl.h"

namespace heddle::sat {

bool Cdcl::locked(ClauseRef ref) {
  const Literal first = arena_[ref][0];
  return value(first) > 0 && vars_[varOf(first)].reason == ref;
}

/// Drops half of the learnt clauses that span many levels and were not used lately.
void Cdcl::reduce() {
  ++counters_.reductions;
  std::vector<ClauseRef> candidates;
  for (const ClauseRef ref : learnts_) {
    Clause& c = arena_[ref];
    if (c.lbd() <= 2 || c.size() == 2) continue;
    if (c.used() > 0) {
      c.setUsed(c.used() - 1);
      continue;
    }
    if (!locked(ref)) candidates.push_back(ref);
  }
  std::sort(candidates.begin(), candidates.end(), [this](ClauseRef a, ClauseRef b) {
    const Clause &x = arena_[a], &y = arena_[b];
    return x.lbd() != y.lbd() ? x.lbd() > y.lbd() : x.size() != y.size() ? x.size() > y.size() : a < b;
  });
  candidates.resize(candidates.size() / 2);
  for (const ClauseRef ref : candidates) arena_.free(ref);
  std::erase_if(learnts_, [this](ClauseRef ref) { return arena_[ref].deleted(); });
  purgeWatches();
  reduceInterval_ += 300;
  nextReduce_ = counters_.conflicts + reduceInterval_;
}

/// At level 0: removes satisfied clauses. Their number grows with every question that was asked and
/// withdrawn.
void Cdcl::simplify() {
  if (trail_.size() == simplifiedTrail_ || ticks_ < nextSimplify_) return;
  for (const Literal p : trail_) vars_[varOf(p)].reason = kNoClause;
  const auto satisfied = [this](ClauseRef ref) {
    for (const Literal p : arena_[ref])
      if (value(p) > 0) {
        arena_.free(ref);
        return true;
      }
    return false;
  };
  std::erase_if(clauses_, satisfied);
  std::erase_if(learnts_, satisfied);
  purgeWatches();
  simplifiedTrail_ = trail_.size();
  nextSimplify_ = ticks_ + literalCount_;
}

void Cdcl::purgeWatches() {
  for (std::vector<Watch>& watches : watches_) {
    std::erase_if(watches, [this](const Watch& w) { return arena_[w.clause()].deleted(); });
    if (watches.capacity() > 4 * watches.size() + 8) watches.shrink_to_fit();
  }
}

void Cdcl::collectIfWorthwhile() {
  if (arena_.wasted() > 100000 && arena_.wasted() > arena_.size() / 4) collect();
}

void Cdcl::collect() {
  ClauseArena target;
  target.reserve(arena_.size() - arena_.wasted() + arena_.size() / 16);
  for (ClauseRef& ref : clauses_) ref = arena_.moveTo(target, ref);
  for (ClauseRef& ref : learnts_) ref = arena_.moveTo(target, ref);
  for (std::vector<Watch>& watches : watches_)
    for (Watch& w : watches) w.ref = arena_.moveTo(target, w.clause()) | (w.ref & kBinary);
  for (const Literal p : trail_) {
    VarState& v = vars_[varOf(p)];
    if (v.reason == kNoClause || v.reason == kImplied) continue;
    const bool temporary = arena_[v.reason].deleted();
    v.reason = arena_.moveTo(target, v.reason);
    if (temporary) target.free(v.reason);
  }
  arena_ = std::move(target);
}

}  // namespace heddle::sat

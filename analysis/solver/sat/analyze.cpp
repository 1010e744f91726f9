// Conflict analysis: the first unique implication point, minimization of the learnt clause, and final
// conflicts.
#include <algorithm>

#include "analysis/solver/sat/cdcl.h"

namespace heddle::sat {

/// The clause that made v true; for an atom that the order implied, it is made now.
ClauseRef Cdcl::explainImplied(Var v) {
  VarState& state = vars_[v];
  const Literal p = value(2 * v) > 0 ? 2 * v : 2 * v + 1;
  path_.clear();
  order_.explain(p, state.edges, path_);
  for (Literal& q : path_) q = negate(q);
  path_.push_back(p);
  if (proof_) proof_->onOrderLemma(path_);
  state.reason = arena_.allocate(path_, true);
  arena_.free(state.reason);  // kept by a collection while it is a reason
  return state.reason;
}

uint32_t Cdcl::lbdOf(std::span<const Literal> literals) {
  ++stamp_;
  uint32_t lbd = 0;
  for (const Literal p : literals) {
    const uint32_t l = vars_[varOf(p)].level;
    if (l == 0) continue;
    if (l >= levelStamp_.size()) levelStamp_.resize(l + 1, 0);
    if (levelStamp_[l] != stamp_) {
      levelStamp_[l] = stamp_;
      ++lbd;
    }
  }
  return lbd;
}

void Cdcl::bumpClause(Clause& c) {
  if (!c.learnt() || c.deleted() || c.lbd() <= 2) return;
  const uint32_t lbd = lbdOf({c.literals(), c.size()});
  if (lbd < c.lbd()) c.setLbd(lbd);
  c.setUsed(c.lbd() <= 6 ? 2 : 1);
}

uint32_t Cdcl::topLevel(ClauseRef conflict) {
  uint32_t top = 0;
  for (const Literal p : arena_[conflict]) top = std::max(top, vars_[varOf(p)].level);
  return top;
}

/// Fills learnt_ (asserting literal first, one of the highest other level second), backLevel_ and learntLbd_.
void Cdcl::analyze(ClauseRef conflict) {
  learnt_.assign(1, kNoLiteral);
  toClear_.clear();
  uint32_t open = 0;
  Literal p = kNoLiteral;
  size_t index = trail_.size();
  ClauseRef reason = conflict;
  do {
    Clause& c = arena_[reason];
    bumpClause(c);
    for (const Literal q : c) {
      const Var v = varOf(q);
      if (q == p || seen_[v] || vars_[v].level == 0) continue;
      seen_[v] = kSeen;
      toClear_.push_back(q);
      heap_.bump(v);
      if (vars_[v].level >= level())
        ++open;
      else
        learnt_.push_back(q);
    }
    ticks_ += c.size();
    while (!seen_[varOf(trail_[--index])]) {
    }
    p = trail_[index];
    if (--open > 0) reason = reasonOf(varOf(p));
  } while (open > 0);
  learnt_[0] = negate(p);

  uint32_t levels = 0;  // a small set of the levels in the clause, to cut hopeless searches
  for (size_t i = 1; i < learnt_.size(); ++i) levels |= 1u << (vars_[varOf(learnt_[i])].level & 31);
  size_t kept = 1;
  for (size_t i = 1; i < learnt_.size(); ++i)
    if (vars_[varOf(learnt_[i])].reason == kNoClause || !redundant(learnt_[i], levels))
      learnt_[kept++] = learnt_[i];
  learnt_.resize(kept);
  for (const Literal q : toClear_) seen_[varOf(q)] = 0;

  backLevel_ = 0;
  if (learnt_.size() > 1) {
    size_t second = 1;
    for (size_t i = 2; i < learnt_.size(); ++i)
      if (vars_[varOf(learnt_[i])].level > vars_[varOf(learnt_[second])].level) second = i;
    std::swap(learnt_[1], learnt_[second]);
    backLevel_ = vars_[varOf(learnt_[1])].level;
  }
  learntLbd_ = lbdOf(learnt_);
  heap_.decay(options_.decay);
}

/// Whether p follows from the other literals of the learnt clause (those marked seen). Marks what it
/// finds out, for the other literals: what follows too, and what does not.
bool Cdcl::redundant(Literal p, uint32_t levels) {
  minimizeStack_.clear();
  minimizeStack_.push_back({p, 0});
  while (!minimizeStack_.empty()) {
    Frame& frame = minimizeStack_.back();
    Clause& c = arena_[reasonOf(varOf(frame.literal))];
    if (frame.next == c.size()) {
      const Literal done = frame.literal;
      minimizeStack_.pop_back();
      if (!seen_[varOf(done)]) {
        seen_[varOf(done)] = kSeen;
        toClear_.push_back(done);
      }
      continue;
    }
    const Literal q = c[frame.next++];
    const Var v = varOf(q);
    if (v == varOf(frame.literal) || seen_[v] == kSeen || vars_[v].level == 0) continue;
    if (seen_[v] == kHopeless || vars_[v].reason == kNoClause || !((levels >> (vars_[v].level & 31)) & 1)) {
      // Nothing on the stack can be proved; what was finished stays proved.
      for (const Frame& f : minimizeStack_) {
        uint8_t& mark = seen_[varOf(f.literal)];
        if (mark != 0) continue;
        mark = kHopeless;
        toClear_.push_back(f.literal);
      }
      return false;
    }
    minimizeStack_.push_back({q, 0});
  }
  return true;
}

/// The assumptions from which the falsity of the given literals follows, into core_.
void Cdcl::analyzeFinal(std::span<const Literal> falseLiterals) {
  for (const Literal q : falseLiterals)
    if (vars_[varOf(q)].level > 0) seen_[varOf(q)] = kSeen;
  const size_t start = levels_.empty() ? trail_.size() : levels_[0].trail;
  for (size_t i = trail_.size(); i > start;) {
    const Literal p = trail_[--i];
    const Var v = varOf(p);
    if (!seen_[v]) continue;
    seen_[v] = 0;
    const ClauseRef reason = reasonOf(v);
    if (reason == kNoClause) {
      core_.push_back(p);
      continue;
    }
    for (const Literal q : arena_[reason])
      if (varOf(q) != v && vars_[varOf(q)].level > 0) seen_[varOf(q)] = kSeen;
  }
}

}  // namespace heddle::sat

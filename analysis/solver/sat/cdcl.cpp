#include "analysis/solver/sat/cdcl.h"

#include <algorithm>
#include <iterator>
#include <new>

#include "analysis/solver/sat/proof_checker.h"

namespace heddle::sat {

Cdcl::Cdcl(const Options& options)
    : options_(options), restart_(options.restartMargin, options.restartMinimum), proof_(options.proof) {
#ifndef NDEBUG
  constexpr uint64_t kCheckedWork = 20'000'000;
  if (!proof_) proof_ = std::make_shared<ProofChecker>(kCheckedWork, ProofChecker::OnMistake::Abort);
#endif
  newVariable(false);  // variable 0 does not exist
  newVariable(false);
  enqueue(kTrueLiteral, kNoClause);
}

Var Cdcl::newVariable(bool decide) {
  const Var v = variables();
  vars_.emplace_back();
  values_.insert(values_.end(), 2, 0);
  watches_.resize(2 * v + 2);
  waitHead_.insert(waitHead_.end(), 2, 0);
  waitNext_.push_back(0);
  flags_.push_back(decide ? kDecide : 0);
  phase_.push_back(1);
  seen_.push_back(0);
  guards_.push_back({kNoLiteral, kNoLiteral});
  heap_.grow(v);
  if (decide) heap_.insert(v);
  return v;
}

void Cdcl::defineGate(GateKind kind, Var output, std::span<const Literal> inputs) {
  gates_.push_back(
      {kind, output, static_cast<uint32_t>(gateInputs_.size()), static_cast<uint32_t>(inputs.size())});
  gateInputs_.insert(gateInputs_.end(), inputs.begin(), inputs.end());
}

void Cdcl::guard(Var v, Literal g) {
  if (!options_.relevance || g == kTrueLiteral) return;
  std::array<Literal, 2>& guards = guards_[v];
  if (guards[0] == g || guards[1] == g) return;
  // More than two are not kept: fewer guards only mean that more is decided.
  for (Literal& slot : guards)
    if (slot == kNoLiteral) {
      slot = g;
      return;
    }
}

void Cdcl::prefer(Literal p) {
  flags_[varOf(p)] |= kPreferred;
  phase_[varOf(p)] = p & 1;
}

void Cdcl::addEdge(OrderTheory::Node a, OrderTheory::Node b) {
  path_.clear();
  if (proof_) proof_->onEdge(a, b);
  if (!order_.addEdge(a, b, kNoLiteral, path_)) ok_ = false;
}

bool Cdcl::addClause(std::span<const Literal> literals) {
  if (!ok_) return false;
  if (proof_) proof_->onClause(literals);
  ++counters_.clauses;
  std::vector<Literal>& c = scratch_;
  c.assign(literals.begin(), literals.end());
  std::sort(c.begin(), c.end());
  size_t kept = 0;
  Literal last = kNoLiteral;
  for (const Literal p : c) {
    if (value(p) > 0 || p == negate(last)) return true;  // true already, or of the form l or not l
    if (value(p) < 0 || p == last) continue;
    c[kept++] = last = p;
  }
  c.resize(kept);
  if (c.empty()) return ok_ = false;
  if (c.size() == 1) {
    enqueue(c[0], kNoClause);
    return true;
  }
  if (!arena_.hasRoomFor(c.size())) throw std::bad_alloc();
  const ClauseRef ref = arena_.allocate(c, false);
  clauses_.push_back(ref);
  literalCount_ += c.size();
  attach(ref);
  return true;
}

void Cdcl::attach(ClauseRef ref) {
  Clause& c = arena_[ref];
  const uint32_t watch = ref | (c.size() == 2 ? kBinary : 0);
  watches_[negate(c[0])].push_back({watch, c[1]});
  watches_[negate(c[1])].push_back({watch, c[0]});
}

uint64_t Cdcl::bytes() const {
  // Per variable: the arrays of this class and the two watch lists; per clause: two watches with room to
  // grow.
  const uint64_t perVariable = sizeof(VarState) + 2 * sizeof(std::vector<Watch>) + 2 + 3 + 8 + 12 + 12 + 1;
  return arena_.bytes() + variables() * perVariable + heap_.bytes() + order_.bytes() +
         (clauses_.size() + learnts_.size()) * (3 * sizeof(Watch) + sizeof(ClauseRef)) +
         gates_.capacity() * sizeof(Gate) + gateInputs_.capacity() * sizeof(Literal);
}

StopReason Cdcl::stopReason(const Budget& budget) const {
  if (budget.stopToken().stop_requested()) return StopReason::Cancelled;
  if (budget.deadline() && Budget::Clock::now() >= *budget.deadline()) return StopReason::Deadline;
  if (budget.memoryFull()) return StopReason::Memory;
  if (budget.memoryLimit() != 0 && bytes() > budget.memoryLimit()) return StopReason::Memory;
  return StopReason::None;
}

bool Cdcl::poll(const Budget& budget) {
  if (ticks_ < nextPoll_) return false;
  nextPoll_ = ticks_ + options_.pollTicks;
  stop_ = stopReason(budget);
  if (pauseTicks_ != 0 && ticks_ >= nextPause_) {
    nextPause_ = ticks_ + pauseTicks_;
    paused_ = !goOn_();
  }
  return paused_ || stop_ != StopReason::None;
}

Answer Cdcl::solve(std::span<const Literal> assumptions, const Budget& budget) {
  core_.clear();
  stop_ = stopReason(budget);
  nextPoll_ = ticks_ + options_.pollTicks;
  nextPause_ = ticks_ + pauseTicks_;
  paused_ = false;
  const Answer answer = search(assumptions, budget);
  if (answer == Answer::Unsat && proof_) proof_->onUnsat(core_);
  if (answer == Answer::Sat) {
    modelPlaces_.resize(order_.nodes());
    for (OrderTheory::Node n = 0; n < order_.nodes(); ++n) modelPlaces_[n] = order_.place(n);
  }
  cancelUntil(0);
  for (const Var v : forced_) flags_[v] &= static_cast<uint8_t>(~kForced);
  forced_.clear();
  return answer;
}

Answer Cdcl::search(std::span<const Literal> assumptions, const Budget& budget) {
  assumptionLevel_ = assumptions.empty() ? 0 : 1;
  for (;;) {
    if (stop_ != StopReason::None || poll(budget))
      return stop_ == StopReason::Cancelled  ? Answer::Interrupted
             : stop_ == StopReason::Deadline ? Answer::Timeout
             : stop_ == StopReason::Memory   ? Answer::OutOfMemory
                                             : Answer::Unknown;
    if (!ok_) return Answer::Unsat;
    const ClauseRef conflict = propagate();
    if (conflict != kNoClause) {
      ++counters_.conflicts;
      const uint32_t top = topLevel(conflict);
      if (top == 0) {
        ok_ = false;
        return Answer::Unsat;
      }
      if (top <= assumptionLevel_) {
        const Clause& c = arena_[conflict];
        analyzeFinal({c.literals(), c.size()});
        return Answer::Unsat;
      }
      cancelUntil(top);
      analyze(conflict);
      cancelUntil(backLevel_);
      learn();
      continue;
    }
    if (level() == 0) simplify();
    if (level() < assumptionLevel_) {
      if (!assume(assumptions)) return Answer::Unsat;
      continue;
    }
    if (restart_.due()) {
      ++counters_.restarts;
      restart_.onRestart();
      cancelUntil(reusableLevel());
    }
    if (counters_.conflicts >= nextReduce_) reduce();
    collectIfWorthwhile();

    const Literal decision = pickDecision();
    if (decision == kNoLiteral) {
      if (complete()) return Answer::Sat;
      continue;
    }
    ++counters_.decisions;
    openLevel();
    enqueue(decision, kNoClause);
  }
}

/// Puts all assumptions on level 1; false (with the core) if two of them, or one and level 0, contradict each
/// other.
bool Cdcl::assume(std::span<const Literal> assumptions) {
  openLevel();
  for (const Literal p : assumptions) {
    if (value(p) > 0) continue;
    if (value(p) < 0) {
      core_.push_back(p);
      const Literal falsified[] = {p};
      analyzeFinal(falsified);
      return false;
    }
    enqueue(p, kNoClause);
  }
  return true;
}

Literal Cdcl::pickDecision() {
  while (!heap_.empty()) {
    const Var v = heap_.pop();
    ++ticks_;
    if (value(2 * v) != 0) continue;
    if (!(flags_[v] & kForced)) {
      if ((flags_[v] & (kDecide | kWaiting)) != kDecide) continue;  // left over from when it was forced
      Literal missing = kNoLiteral;
      for (const Literal g : guards_[v])
        if (g != kNoLiteral && value(g) <= 0) missing = g;
      if (missing != kNoLiteral) {
        flags_[v] |= kWaiting;
        waitNext_[v] = waitHead_[missing];
        waitHead_[missing] = v;
        continue;
      }
    }
    return phased(v);
  }
  return kNoLiteral;
}

/// The level to restart to: decisions that would be made again, being more active than what waits, are kept.
uint32_t Cdcl::reusableLevel() {
  while (!heap_.empty() && value(2 * heap_.top()) != 0) heap_.pop();
  if (heap_.empty()) return level();
  const double next = heap_.activity(heap_.top());
  for (uint32_t l = assumptionLevel_; l < level(); ++l)
    if (heap_.activity(varOf(trail_[levels_[l].trail])) < next) return l;
  return level();
}

Literal Cdcl::phased(Var v) const {
  if (options_.orderPhaseFromPlaces && order_.isAtom(v)) return order_.agrees(2 * v) ? 2 * v : 2 * v + 1;
  return 2 * v + phase_[v];
}

void Cdcl::beginAnew(unsigned variant) {
  proof_.reset();
  cancelUntil(0);
  keepGood(variant != 0);
  if (variant == 0) return;
  constexpr double kDecays[] = {0.9, 0.98, 0.85};
  options_.decay = kDecays[variant % std::size(kDecays)];
  if (variant % 2 == 0) options_.orderPhaseFromPlaces = !options_.orderPhaseFromPlaces;
}

void Cdcl::learnFromOthers(std::span<const Literal> clause, uint32_t lbd) {
  cancelUntil(0);
  proof_.reset();  // its derivation would have a gap
  if (!ok_) return;
  learnt_.clear();
  for (const Literal p : clause) {
    if (value(p) > 0) return;
    if (value(p) == 0) learnt_.push_back(p);
  }
  if (learnt_.empty()) {
    ok_ = false;
    return;
  }
  if (learnt_.size() == 1) return enqueue(learnt_[0], kNoClause);
  if (!arena_.hasRoomFor(learnt_.size())) throw std::bad_alloc();
  const ClauseRef ref = arena_.allocate(learnt_, true);
  arena_[ref].setLbd(lbd);
  arena_[ref].setUsed(2);
  learnts_.push_back(ref);
  attach(ref);
}

void Cdcl::learn() {
  restart_.onConflict(learntLbd_);
  if (proof_) proof_->onLearnt(learnt_);
  constexpr uint32_t kGoodLbd = 6;
  constexpr size_t kGoodSize = 30;
  if (keepsGood_ && learntLbd_ <= kGoodLbd && learnt_.size() <= kGoodSize)
    good_.push_back({learnt_, learntLbd_});
  if (learnt_.size() == 1) {
    enqueue(learnt_[0], kNoClause);
    return;
  }
  if (!arena_.hasRoomFor(learnt_.size())) throw std::bad_alloc();
  const ClauseRef ref = arena_.allocate(learnt_, true);
  Clause& c = arena_[ref];
  c.setLbd(learntLbd_);
  c.setUsed(learntLbd_ <= 6 ? 2 : 1);
  learnts_.push_back(ref);
  attach(ref);
  enqueue(learnt_[0], ref);
}

}  // namespace heddle::sat

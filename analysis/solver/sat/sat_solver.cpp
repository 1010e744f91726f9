#include "analysis/solver/sat/sat_solver.h"

#include <chrono>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/solver/sat/bit_blaster.h"
#include "analysis/solver/sat/cdcl.h"
#include "analysis/solver/sat/flat_map.h"

namespace heddle {

namespace {

using namespace sat;

class SatSolver final : public SatBackend {
 public:
  SatSolver(const TermTable& terms, const Options& options)
      : terms_(terms), options_(options), cdcl_(options), blaster_(cdcl_, terms) {}
  SatSolver(const SatSolver& other)
      : terms_(other.terms_),
        options_(other.options_),
        cdcl_(other.cdcl_),
        blaster_(other.blaster_, cdcl_),
        on_(other.on_),
        atoms_(other.atoms_),
        promised_(other.promised_),
        pending_(other.pending_),
        broken_(other.broken_),
        stats_(other.stats_) {
    cdcl_.pauseAfter(0, {});
  }

  std::unique_ptr<SatBackend> clone(unsigned variant) const override {
    auto copy = std::make_unique<SatSolver>(*this);
    copy->cdcl_.beginAnew(variant);
    return copy;
  }
  void pauseAfter(uint64_t work, std::function<bool()> goOn) override {
    cdcl_.pauseAfter(work, std::move(goOn));
  }
  void keepGoodClauses(bool keep) override { cdcl_.keepGood(keep); }
  std::vector<SharedClause> takeGoodClauses() override;
  void learnFrom(const std::vector<SharedClause>& clauses) override;

  Lit newLit() override {
    return attempt([&] { return static_cast<Lit>(cdcl_.newVariable()); });
  }

  void addClause(std::span<const Lit> clause) override {
    attempt([&] {
      clause_.clear();
      for (const Lit l : clause) clause_.push_back(literalOf(l));
      cdcl_.addClause(clause_);
      return kTrue;
    });
  }

  OrderNode newOrderNode(Lit on) override {
    on_.push_back(literalOf(on));
    return cdcl_.order().newNode();
  }

  void addEdge(OrderNode a, OrderNode b) override { cdcl_.addEdge(a, b); }

  Lit before(OrderNode a, OrderNode b) override {
    return attempt([&] {
      const bool swapped = a > b;
      if (swapped) std::swap(a, b);
      uint32_t& v = atoms_[{static_cast<uint64_t>(a) << 32 | b, 0}];
      if (v == 0) {
        v = cdcl_.newVariable();
        cdcl_.addAtom(v, a, b);
        cdcl_.guard(v, on_[a]);
        cdcl_.guard(v, on_[b]);
        ++stats_.orderAtoms;
      }
      return swapped ? -static_cast<Lit>(v) : static_cast<Lit>(v);
    });
  }

  Lit condition(Term t) override;
  void addEqualityIf(Lit l, Term a, Term b) override;

  void guard(Lit l, Lit g) override { cdcl_.guard(varOf(literalOf(l)), literalOf(g)); }
  void guardSymbol(Term symbol, Lit g) override { blaster_.guardSymbol(symbol, literalOf(g)); }
  void prefer(Lit l) override { cdcl_.prefer(literalOf(l)); }

  void suggestOrder(std::span<const OrderNode> sequence) override { cdcl_.order().suggest(sequence); }

  Answer check(std::span<const Lit> assumptions, const Budget& budget) override;
  void limitWork(uint64_t work) override {
    cdcl_.pauseAfter(work, [] { return false; });
  }

  bool modelValue(Lit l) const override { return cdcl_.modelValue(literalOf(l)); }
  uint64_t modelTerm(Term t) const override;
  uint64_t modelPosition(OrderNode n) const override { return cdcl_.modelPlace(n); }
  const std::vector<Lit>& core() const override { return core_; }
  const SolverStats& stats() const override { return stats_; }

 private:
  /// A mention of terms that waits for the budget of the next check: `literal` is the truth of a, or makes a
  /// equal b.
  struct Pending {
    Lit literal;
    Term a, b;
  };

  /// Runs a construction step; after a failure the problem is incomplete, and check() must say so.
  template <class Step>
  Lit attempt(Step step) {
    if (broken_) return kTrue;
    try {
      return step();
    } catch (const std::bad_alloc&) {
      broken_ = true;
      return kTrue;
    }
  }

  uint64_t bytes() const {
    return cdcl_.bytes() + blaster_.bytes() + atoms_.bytes() + pending_.capacity() * sizeof(Pending);
  }
  bool isEager() const { return bytes() < options_.eagerBytes; }
  void equate(Literal l, Term a, Term b);
  StopReason encodePending(const Budget& budget);
  Answer search(std::span<const Lit> assumptions, const Budget& budget);
  void countWork();

  const TermTable& terms_;
  const Options options_;
  Cdcl cdcl_;
  BitBlaster blaster_;
  std::vector<Literal> on_;  // by order node
  FlatMap atoms_;
  std::unordered_map<Term, Lit> promised_;  // conditions that are still pending, or were once
  std::vector<Pending> pending_;
  std::vector<Literal> clause_;
  std::vector<Lit> core_;
  bool broken_ = false;
  SolverStats stats_;
};

Lit SatSolver::condition(Term t) {
  return attempt([&] {
    if (const auto it = promised_.find(t); it != promised_.end()) return it->second;
    if (blaster_.encode(t, [&] { return !isEager(); })) return externalOf(blaster_.bits(t)[0]);
    const Lit l = static_cast<Lit>(cdcl_.newVariable(false));
    promised_.emplace(t, l);
    pending_.push_back({l, t, kNoTerm});
    return l;
  });
}

void SatSolver::addEqualityIf(Lit l, Term a, Term b) {
  attempt([&] {
    const auto stop = [&] { return !isEager(); };
    if (blaster_.encode(a, stop) && blaster_.encode(b, stop))
      equate(literalOf(l), a, b);
    else
      pending_.push_back({l, a, b});
    return kTrue;
  });
}

void SatSolver::equate(Literal l, Term a, Term b) {
  // Many reads may take the same constant from many writes: one definition of "is 5" serves them all, and the
  // branches that compare with 5 as well.
  if (terms_.isConst(a) || terms_.isConst(b)) {
    cdcl_.addClause({negate(l), blaster_.equality(a, b)});
    return;
  }
  const std::span<const Literal> x = blaster_.bits(a), y = blaster_.bits(b);
  for (size_t i = 0; i < x.size(); ++i) {
    cdcl_.addClause({negate(l), negate(x[i]), y[i]});
    cdcl_.addClause({negate(l), x[i], negate(y[i])});
  }
}

StopReason SatSolver::encodePending(const Budget& budget) {
  StopReason reason = StopReason::None;
  const auto stop = [&] {
    reason = cdcl_.stopReason(budget);
    if (reason == StopReason::None && budget.memoryLimit() != 0 && bytes() > budget.memoryLimit())
      reason = StopReason::Memory;
    return reason != StopReason::None;
  };
  while (!pending_.empty()) {
    const Pending p = pending_.back();
    if (!blaster_.encode(p.a, stop)) return reason;
    if (p.b != kNoTerm) {
      if (!blaster_.encode(p.b, stop)) return reason;
      equate(literalOf(p.literal), p.a, p.b);
    } else {
      const Literal inputs[] = {blaster_.bits(p.a)[0]};
      const Literal l = literalOf(p.literal);
      cdcl_.defineGate(GateKind::And, varOf(l), inputs);
      cdcl_.addClause({negate(l), inputs[0]});
      cdcl_.addClause({l, negate(inputs[0])});
    }
    pending_.pop_back();
  }
  stop();
  return reason;
}

Answer SatSolver::check(std::span<const Lit> assumptions, const Budget& budget) {
  const auto start = Budget::Clock::now();
  core_.clear();
  Answer answer = Answer::OutOfMemory;
  if (!broken_) {
    try {
      answer = search(assumptions, budget);
    } catch (const std::bad_alloc&) {
      broken_ = true;  // it may have happened anywhere; this solver is not to be trusted any more
    }
  }
  ++stats_.queries;
  ++(answer == Answer::Sat ? stats_.sat : answer == Answer::Unsat ? stats_.unsat : stats_.unknown);
  countWork();
  stats_.seconds += std::chrono::duration<double>(Budget::Clock::now() - start).count();
  return answer;
}

Answer SatSolver::search(std::span<const Lit> assumptions, const Budget& budget) {
  switch (encodePending(budget)) {
    case StopReason::Cancelled:
      return Answer::Interrupted;
    case StopReason::Deadline:
      return Answer::Timeout;
    case StopReason::Memory:
      return Answer::OutOfMemory;
    default:
      break;
  }
  std::vector<Literal> assumed;
  for (const Lit l : assumptions) assumed.push_back(literalOf(l));
  const Answer answer = cdcl_.solve(assumed, budget);
  if (answer == Answer::Unsat)
    for (const Literal p : cdcl_.core()) core_.push_back(externalOf(p));
  return answer;
}

std::vector<SharedClause> SatSolver::takeGoodClauses() {
  std::vector<SharedClause> clauses;
  for (const Cdcl::Good& good : cdcl_.takeGood()) {
    SharedClause& clause = clauses.emplace_back();
    clause.levels = good.lbd;
    for (const Literal p : good.literals) clause.literals.push_back(externalOf(p));
  }
  return clauses;
}

void SatSolver::learnFrom(const std::vector<SharedClause>& clauses) {
  attempt([&] {
    for (const SharedClause& shared : clauses) {
      clause_.clear();
      for (const Lit l : shared.literals) clause_.push_back(literalOf(l));
      cdcl_.learnFromOthers(clause_, shared.levels);
    }
    return kTrue;
  });
}

uint64_t SatSolver::modelTerm(Term t) const {
  if (!blaster_.known(t)) return 0;
  const std::span<const Literal> bits = blaster_.bits(t);
  uint64_t value = 0;
  for (size_t i = 0; i < bits.size(); ++i)
    if (cdcl_.modelValue(bits[i])) value |= uint64_t{1} << i;
  return value;
}

void SatSolver::countWork() {
  const Cdcl::Counters& c = cdcl_.counters();
  stats_.conflicts = c.conflicts;
  stats_.orderConflicts = c.orderConflicts;
  stats_.decisions = c.decisions;
  stats_.propagations = c.propagations;
  stats_.clauses = c.clauses;
  stats_.variables = cdcl_.variables() - 1;
}

}  // namespace

std::unique_ptr<SatBackend> makeSatSolver(const TermTable& terms, const sat::Options& options) {
  return std::make_unique<SatSolver>(terms, options);
}

}  // namespace heddle

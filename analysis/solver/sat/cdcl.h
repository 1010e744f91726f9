// The search: conflict-driven clause learning over clauses and the order theory, under assumptions, for any
// number of questions.
//
// Between two calls of solve() the trail holds level 0 only, so that variables, clauses, atoms and edges can
// be added at any time; learnt clauses, activities, phases and the order itself stay. Level 1 holds all
// assumptions of a call at once, decisions start above it.
//
// Relevance: a variable with guards is not decided while one of them is not true, and a defined variable (a
// gate) is not decided at all: it follows from its inputs. When nothing else is left to decide, the model is
// completed: gates are evaluated, order atoms follow the order, the rest is false. Every clause that is then
// false has its variables decided in the search after all. So an answer is right whatever guards were given;
// good guards only make it cheaper.
//
// Theory: literals of order atoms become edges after Boolean propagation has come to its end. An implied atom
// carries no clause; one is made if a conflict asks for its reason, from the edges that were there when it
// was implied.
//
// Threading: belongs to its solver; solve() observes the budget's stop token, deadline and memory limit.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "analysis/solver/sat/activity_heap.h"
#include "analysis/solver/sat/clause_arena.h"
#include "analysis/solver/sat/literal.h"
#include "analysis/solver/sat/options.h"
#include "analysis/solver/sat/order_theory.h"
#include "analysis/solver/sat/proof.h"
#include "analysis/solver/sat/restart.h"
#include "analysis/support/budget.h"

namespace heddle::sat {

/// What a gate's output is, as a function of its inputs.
enum class GateKind : uint8_t { And, Xor, Ite, Majority };

struct Gate {
  GateKind kind;
  Var output;
  uint32_t firstInput, inputs;  // in the pool of inputs
};

class Cdcl {
 public:
  explicit Cdcl(const Options& options);

  Var newVariable(bool decide = true);
  /// False once the clauses are unsatisfiable without any assumption.
  bool addClause(std::span<const Literal> literals);
  bool addClause(std::initializer_list<Literal> c) { return addClause(std::span(c.begin(), c.size())); }
  /// Declares `output` (a variable made with decide = false, defined by clauses) as a function of earlier
  /// literals.
  void defineGate(GateKind kind, Var output, std::span<const Literal> inputs);
  void guard(Var v, Literal g);
  void prefer(Literal p);

  OrderTheory& order() { return order_; }
  void addAtom(Var v, OrderTheory::Node a, OrderTheory::Node b) {
    order_.addAtom(v, a, b);
    if (proof_) proof_->onAtom(v, a, b);
  }
  void addEdge(OrderTheory::Node a, OrderTheory::Node b);

  Answer solve(std::span<const Literal> assumptions, const Budget& budget);
  bool modelValue(Literal p) const { return varOf(p) < model_.size() && (model_[varOf(p)] > 0) == !(p & 1); }
  const std::vector<Literal>& core() const { return core_; }
  uint32_t modelPlace(OrderTheory::Node n) const { return n < modelPlaces_.size() ? modelPlaces_[n] : n; }

  /// Value fixed for ever: 1, -1, or 0.
  int fixedValue(Literal p) const { return vars_[varOf(p)].level == 0 ? value(p) : 0; }
  uint32_t variables() const { return static_cast<uint32_t>(vars_.size()); }
  uint64_t bytes() const;
  StopReason stopReason(const Budget& budget) const;
  /// `goOn` is asked within solve() after each `work` ticks; false ends it with Unknown. 0: never.
  void pauseAfter(uint64_t work, std::function<bool()> goOn) {
    pauseTicks_ = work;
    goOn_ = std::move(goOn);
  }
  /// For a copy made in a pause: goes back to level 0 and then searches in another way.
  void beginAnew(unsigned variant);
  struct Good {
    std::vector<Literal> literals;
    uint32_t lbd = 0;
  };
  /// Whether to keep short learnt clauses for others.
  void keepGood(bool keep) {
    keepsGood_ = keep;
    good_.clear();
  }
  /// The good clauses since the last call.
  std::vector<Good> takeGood() { return std::exchange(good_, {}); }
  /// A clause that follows from the same problem. Goes back to level 0.
  void learnFromOthers(std::span<const Literal> clause, uint32_t lbd);

  struct Counters {
    uint64_t conflicts = 0, decisions = 0, propagations = 0, orderConflicts = 0, implied = 0, clauses = 0,
             atoms = 0;
    uint64_t restarts = 0, reductions = 0, completions = 0, forced = 0;
  };
  const Counters& counters() const { return counters_; }

 private:
  static constexpr ClauseRef kNoClause = ~0u;
  static constexpr ClauseRef kImplied = ~0u - 1;  // reason: implied by the order theory
  static constexpr uint32_t kBinary = 1u << 31;   // in a watch: the blocker is the rest of the clause

  struct Watch {
    uint32_t ref;
    Literal blocker;
    ClauseRef clause() const { return ref & ~kBinary; }
    bool binary() const { return ref & kBinary; }
  };
  struct VarState {
    uint32_t level = 0;
    ClauseRef reason = kNoClause;
    uint32_t edges = 0;  // for implied atoms: number of temporary edges at that time
  };
  struct Level {
    uint32_t trail, edges;
  };
  enum Mark : uint8_t { kSeen = 1, kHopeless = 2 };  // hopeless: does not follow from the learnt clause
  enum Flag : uint8_t { kDecide = 1, kForced = 2, kWaiting = 4, kPreferred = 8 };

  // cdcl.cpp: problem, search loop
  Answer search(std::span<const Literal> assumptions, const Budget& budget);
  bool assume(std::span<const Literal> assumptions);
  Literal pickDecision();
  Literal phased(Var v) const;
  uint32_t reusableLevel();
  void learn();
  void attach(ClauseRef ref);
  bool poll(const Budget& budget);

  // propagate.cpp
  ClauseRef propagate();
  ClauseRef propagateBoolean();
  ClauseRef propagateOrder();
  void enqueue(Literal p, ClauseRef reason);
  void cancelUntil(uint32_t level);
  void openLevel() { levels_.push_back({static_cast<uint32_t>(trail_.size()), order_.temporaryEdges()}); }
  void wake(Literal guard);
  bool wantsOrderPropagation() const;

  // analyze.cpp
  void analyze(ClauseRef conflict);
  void analyzeFinal(std::span<const Literal> falseLiterals);
  bool redundant(Literal p, uint32_t levels);
  ClauseRef reasonOf(Var v) { return vars_[v].reason == kImplied ? explainImplied(v) : vars_[v].reason; }
  ClauseRef explainImplied(Var v);
  uint32_t lbdOf(std::span<const Literal> literals);
  uint32_t topLevel(ClauseRef conflict);
  void bumpClause(Clause& c);

  // reduce.cpp
  void simplify();
  void reduce();
  void collectIfWorthwhile();
  void collect();
  void purgeWatches();
  bool locked(ClauseRef ref);

  // complete.cpp
  bool complete();
  void evaluateGates();
  bool modelSatisfies(ClauseRef ref);

  int value(Literal p) const { return values_[p]; }
  uint32_t level() const { return static_cast<uint32_t>(levels_.size()); }

  Options options_;
  bool ok_ = true;
  ClauseArena arena_;
  std::vector<ClauseRef> clauses_, learnts_;
  std::vector<std::vector<Watch>> watches_;  // by literal: clauses to visit when it becomes true
  std::vector<int8_t> values_;               // by literal
  std::vector<VarState> vars_;
  std::vector<uint8_t> flags_, phase_, seen_;
  std::vector<std::array<Literal, 2>> guards_;
  std::vector<Var> waitHead_, waitNext_;  // by literal, by variable: who waits for a guard
  std::vector<Literal> trail_;
  std::vector<Level> levels_;
  uint32_t head_ = 0, orderHead_ = 0;
  uint32_t assumptionLevel_ = 0;
  ActivityHeap heap_;
  OrderTheory order_;
  RestartPolicy restart_;

  std::vector<Gate> gates_;
  std::vector<Literal> gateInputs_;

  std::vector<Literal> learnt_, path_, implied_, toClear_, core_, scratch_;
  std::vector<uint32_t> levelStamp_;
  uint32_t stamp_ = 0, backLevel_ = 0, learntLbd_ = 0;
  struct Frame {
    Literal literal;
    uint32_t next;
  };
  std::vector<Frame> minimizeStack_;

  std::vector<int8_t> model_;  // by variable
  std::vector<uint32_t> modelPlaces_;
  std::vector<Var> forced_;

  uint64_t ticks_ = 0, nextPoll_ = 0;
  uint64_t pauseTicks_ = 0, nextPause_ = 0;
  std::function<bool()> goOn_;
  bool paused_ = false;  // for good: goOn_ said no
  bool keepsGood_ = false;
  std::vector<Good> good_;
  uint64_t nextReduce_ = 2000, reduceInterval_ = 2000;
  uint64_t simplifiedTrail_ = 0, nextSimplify_ = 0, literalCount_ = 0;
  StopReason stop_ = StopReason::None;
  uint64_t impliedTicks_ = 0;  // spent on looking for implied atoms
  Counters counters_;
  std::shared_ptr<ProofSink> proof_;  // of this search only, not of its copies
};

inline void Cdcl::enqueue(Literal p, ClauseRef reason) {
  values_[p] = 1;
  values_[negate(p)] = -1;
  VarState& v = vars_[varOf(p)];
  v.level = level();
  v.reason = reason;
  trail_.push_back(p);
}

}  // namespace heddle::sat

#include "analysis/solver/z3/z3_solver.h"

#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analysis/solver/z3/z3_terms.h"
#include "analysis/solver/z3/z3_watch.h"

namespace heddle {

namespace {

class Z3Solver final : public Solver {
 public:
  explicit Z3Solver(const TermTable& terms)
      : terms_(terms),
        solver_(context_, z3::solver::simple()),
        asserted_(context_),
        translate_(context_, terms) {
    configure();
    literals_.push_back(context_.bool_val(false));  // index 0 is no literal
    literals_.push_back(context_.bool_val(true));
  }

  Lit newLit() override {
    return attempt(
        [&] { return define(context_.bool_const(("b" + std::to_string(literals_.size())).c_str())); });
  }

  void addClause(std::span<const Lit> clause) override {
    attempt([&] {
      z3::expr_vector parts(context_);
      for (const Lit l : clause) parts.push_back(literal(l));
      assertThat(z3::mk_or(parts));
      ++stats_.clauses;
      return kTrue;
    });
  }

  OrderNode newOrderNode(Lit) override {
    attempt([&] {
      places_.push_back(context_.int_const(("o" + std::to_string(places_.size())).c_str()));
      return kTrue;
    });
    return nodeCount_++;
  }

  void addEdge(OrderNode a, OrderNode b) override {
    attempt([&] {
      assertThat(isBefore(a, b));
      return kTrue;
    });
  }

  Lit before(OrderNode a, OrderNode b) override {
    const bool swapped = a > b;
    if (swapped) std::swap(a, b);
    const uint64_t key = (static_cast<uint64_t>(a) << 32) | b;
    auto it = atoms_.find(key);
    if (it == atoms_.end()) {
      const Lit l = attempt([&] { return define(isBefore(a, b)); });
      ++stats_.orderAtoms;
      it = atoms_.emplace(key, l).first;
    }
    return swapped ? -it->second : it->second;
  }

  Lit condition(Term t) override {
    if (terms_.isConst(t)) return terms_.constValue(t) ? kTrue : -kTrue;
    auto it = conditions_.find(t);
    if (it == conditions_.end())
      it = conditions_.emplace(t, attempt([&] { return define(translate_.truth(t)); })).first;
    return it->second;
  }

  void addEqualityIf(Lit l, Term a, Term b) override {
    attempt([&] {
      assertThat(z3::implies(literal(l), translate_.bits(a) == translate_.bits(b)));
      return kTrue;
    });
  }

  Answer check(std::span<const Lit> assumptions, const Budget& budget) override;

  bool modelValue(Lit l) const override {
    if (!model_) return false;
    try {
      return model_->eval(literal(l), true).is_true();
    } catch (const z3::exception&) {
      return false;
    }
  }

  uint64_t modelTerm(Term t) const override {
    if (!model_ || !translate_.known(t)) return 0;
    try {
      return model_->eval(translate_.bits(t), true).get_numeral_uint64();
    } catch (const z3::exception&) {
      return 0;
    }
  }

  uint64_t modelPosition(OrderNode n) const override { return n < positions_.size() ? positions_[n] : 0; }
  const std::vector<Lit>& core() const override { return core_; }
  const SolverStats& stats() const override { return stats_; }

 private:
  // Node a is at (place of a, a), compared lexicographically: a strict total order however the integers fall,
  // so that no two events are ever "at the same time" and before(b, a) is exactly the negation of before(a,
  // b).
  z3::expr isBefore(OrderNode a, OrderNode b) {
    return a < b ? places_[a] <= places_[b] : places_[a] < places_[b];
  }

  Lit define(z3::expr e) {
    literals_.push_back(std::move(e));
    stats_.variables = literals_.size() - 1;
    return static_cast<Lit>(literals_.size() - 1);
  }

  z3::expr literal(Lit l) const { return l > 0 ? literals_[l] : !literals_[-l]; }

  /// Z3 takes only constants and their negations as assumptions; anything else gets a name here.
  z3::expr assumable(Lit l) {
    const Lit v = std::abs(l);
    if (!literals_[v].is_const() || literals_[v].is_true()) {
      z3::expr name = context_.bool_const(("a" + std::to_string(v)).c_str());
      assertThat(name == literals_[v]);
      literals_[v] = name;
    }
    return literal(l);
  }

  /// Runs a construction step; after a failure the problem is incomplete, and check() must say so.
  template <class Step>
  Lit attempt(Step step) {
    if (broken_) return kTrue;
    try {
      return step();
    } catch (const z3::exception& e) {
      broken_ = answerFor(e.msg());
    } catch (const std::bad_alloc&) {
      broken_ = Answer::OutOfMemory;
    }
    return kTrue;
  }

  static Answer answerFor(std::string_view reason) {
    return reason.find("memory") != std::string_view::npos ? Answer::OutOfMemory : Answer::Unknown;
  }

  Answer search(std::span<const Lit> assumptions, const Budget& budget);
  void assertThat(const z3::expr& e) {
    asserted_.push_back(e);
    solver_.add(e);
  }
  void configure();
  void startAfresh();
  bool readPositions();
  void readStatistics();

  const TermTable& terms_;
  z3::context context_;
  z3::solver solver_;
  z3::expr_vector asserted_;  // everything, for a fresh start
  mutable Z3Terms translate_;
  std::vector<z3::expr> literals_;
  std::vector<z3::expr> places_;
  OrderNode nodeCount_ = 0;
  std::unordered_map<uint64_t, Lit> atoms_;
  std::unordered_map<Term, Lit> conditions_;
  std::optional<z3::model> model_;
  std::vector<uint64_t> positions_;
  std::vector<Lit> core_;
  std::optional<Answer> broken_;
  SolverStats stats_;
};

Answer Z3Solver::check(std::span<const Lit> assumptions, const Budget& budget) {
  const auto start = Budget::Clock::now();
  model_.reset();
  core_.clear();
  Answer answer;
  try {
    answer = broken_ ? *broken_ : search(assumptions, budget);
  } catch (const z3::exception& e) {
    answer = answerFor(e.msg());
  } catch (const std::bad_alloc&) {
    answer = Answer::OutOfMemory;
  }
  ++stats_.queries;
  ++(answer == Answer::Sat ? stats_.sat : answer == Answer::Unsat ? stats_.unsat : stats_.unknown);
  stats_.seconds += std::chrono::duration<double>(Budget::Clock::now() - start).count();
  return answer;
}

Answer Z3Solver::search(std::span<const Lit> assumptions, const Budget& budget) {
  const auto answerOf = [](StopReason reason) {
    return reason == StopReason::Cancelled  ? Answer::Interrupted
           : reason == StopReason::Deadline ? Answer::Timeout
                                            : Answer::OutOfMemory;
  };
  const StopReason atOnce = z3ReasonToStop(budget);
  if (atOnce != StopReason::None) return answerOf(atOnce);

  z3::expr_vector assumed(context_);
  std::unordered_map<unsigned, Lit> meaning;
  for (const Lit l : assumptions) {
    const z3::expr e = assumable(l);
    assumed.push_back(e);
    meaning.emplace(Z3_get_ast_id(context_, e), l);
  }

  z3::check_result result = z3::unknown;
  std::string problem;
  StopReason stopped;
  {
    Z3Watch watch(context_, budget);
    try {
      result = solver_.check(assumed);
    } catch (const z3::exception& e) {  // an interrupt may surface as one
      problem = e.msg();
    }
    stopped = watch.finish();
  }
  readStatistics();
  if (stopped != StopReason::None) {
    // Whatever it answered. An interrupt while Z3 still takes in what was asserted makes it forget some of
    // that for good (seen with 4.8.12: Sat for the pigeon-hole formula), so it starts afresh.
    startAfresh();
    return answerOf(stopped);
  }

  switch (result) {
    case z3::sat:
      model_.emplace(solver_.get_model());
      if (readPositions()) return Answer::Sat;
      model_.reset();
      return Answer::Unknown;
    case z3::unsat: {
      const z3::expr_vector core = solver_.unsat_core();
      for (unsigned i = 0; i < core.size(); ++i)
        if (const auto it = meaning.find(Z3_get_ast_id(context_, core[i])); it != meaning.end())
          core_.push_back(it->second);
      return Answer::Unsat;
    }
    default:
      return answerFor(problem.empty() ? solver_.reason_unknown() : problem);
  }
}

void Z3Solver::configure() {
  z3::params options(context_);
  options.set("arith.solver", 2u);  // the later ones are slower on orders, or incomplete without cores
  options.set("random_seed", 1u);
  solver_.set(options);
}

void Z3Solver::startAfresh() {
  solver_ = z3::solver(context_, z3::solver::simple());
  configure();
  for (const z3::expr& e : asserted_) solver_.add(e);
}

bool Z3Solver::readPositions() {
  std::vector<std::pair<int64_t, OrderNode>> order;
  order.reserve(nodeCount_);
  for (OrderNode n = 0; n < nodeCount_; ++n) {
    int64_t place = 0;
    if (!model_->eval(places_[n], true).is_numeral_i64(place)) return false;
    order.emplace_back(place, n);
  }
  std::sort(order.begin(), order.end());
  positions_.assign(nodeCount_, 0);
  for (size_t i = 0; i < order.size(); ++i) positions_[order[i].second] = i;
  return true;
}

void Z3Solver::readStatistics() {
  const z3::stats s = solver_.statistics();
  for (unsigned i = 0; i < s.size(); ++i) {
    if (!s.is_uint(i)) continue;
    const std::string key = s.key(i);
    if (key == "conflicts") stats_.conflicts = s.uint_value(i);
    if (key == "decisions") stats_.decisions = s.uint_value(i);
    if (key == "propagations") stats_.propagations = s.uint_value(i);
  }
}

}  // namespace

std::unique_ptr<Solver> makeZ3Solver(const TermTable& terms) {
  return std::make_unique<Z3Solver>(terms);
}

}  // namespace heddle

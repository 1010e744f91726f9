// SolverTeam: one problem in several copies of the fast backend, which answer parts of a question side by
// side.
//
// It begins with one member. Once that has worked for `joinAfter` units, it is copied with all it has learnt;
// from then on the problem is written down once, and each member takes it in on its own thread when it is
// next asked. Literals of the time before have the same number in all members; later ones are renumbered for
// each, since members fold gates by what they have proved themselves.
//
// Determinism: which parts a question has, and which of them get an answer, depends on the work done and
// never on the number of threads or on the clock (lockstep.h). Only a deadline, a stop or the memory limit
// differ.
//
// Threading: as Solver says; threads of its own live only within check() and checkEach(), and read the terms.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "analysis/solver/sat/flat_map.h"
#include "analysis/solver/sat/sat_solver.h"

namespace heddle {

class SolverTeam final : public Solver {
 public:
  struct Shape {
    unsigned members = 2;  // at most; answers depend on it
    unsigned threads = 1;  // of them that run at once; answers do not depend on it
    uint64_t joinAfter = 40'000'000;
    uint64_t slice = 1'000'000;
    unsigned aloneSlices = 8;  // for one question, before it is split
    sat::Options search;
  };

  SolverTeam(const TermTable& terms, const Shape& shape);

  /// How many questions checkEach() takes. Grows from 1 once there is enough work.
  size_t members() const { return members_.size(); }
  /// Asks one question of each member; at most members() questions. Unknown: others found models long before.
  std::vector<Answer> checkEach(const std::vector<std::vector<Lit>>& questions, const Budget& budget);
  /// Of which member model and core are from now on.
  void show(size_t member) { shown_ = member; }

  Lit newLit() override;
  void addClause(std::span<const Lit> clause) override;
  OrderNode newOrderNode(Lit on) override;
  void addEdge(OrderNode a, OrderNode b) override;
  Lit before(OrderNode a, OrderNode b) override;
  Lit condition(Term t) override;
  void addEqualityIf(Lit l, Term a, Term b) override;
  void guard(Lit l, Lit g) override;
  void guardSymbol(Term symbol, Lit g) override;
  void prefer(Lit l) override;

  /// Together: one member for a while, then all, on the cases of the variables that were busiest.
  Answer check(std::span<const Lit> assumptions, const Budget& budget) override;

  bool modelValue(Lit l) const override;
  uint64_t modelTerm(Term t) const override { return members_[shown_].solver->modelTerm(t); }
  uint64_t modelPosition(OrderNode n) const override { return members_[shown_].solver->modelPosition(n); }
  const std::vector<Lit>& core() const override { return core_; }
  const SolverStats& stats() const override { return stats_; }

 private:
  enum class Step : uint8_t {
    NewLit,
    Clause,
    NewEvent,
    Edge,
    Before,
    Condition,
    EqualityIf,
    Guard,
    GuardSymbol,
    Prefer
  };
  /// What was said about the problem and some members have not taken in yet.
  struct Said {
    Step step;
    Lit l = 0;
    uint32_t a = 0, b = 0;  // of a clause: where its literals begin, and how many they are
  };
  struct Member {
    std::unique_ptr<SatBackend> solver;
    std::vector<Lit> own;  // by number - firstRenumbered_
    size_t heard = 0;
    SolverStats before;  // what it had counted when it was copied
  };

  bool alone() const { return members_.size() == 1 && !joined_; }
  void join();
  Lit renumbered(const Said& said);
  void hear(Member& member) const;
  static Lit literalOf(const Member& member, Lit l, Lit firstRenumbered);
  Lit literalOf(const Member& member, Lit l) const { return literalOf(member, l, firstRenumbered_); }
  Answer checkAlone(std::span<const Lit> assumptions, const Budget& budget);
  std::vector<Answer> runAll(const std::vector<std::vector<Lit>>& questions, const Budget& budget);
  Budget shareOf(const Budget& budget) const;
  Answer checkFirst(std::span<const Lit> assumptions, const Budget& budget);
  Answer split(std::span<const Lit> assumptions, const Budget& budget);
  /// In the member's model: the literal that it will number as the `ordinal`-th of those it has not heard of.
  bool unheard(const Member& member, size_t ordinal) const;
  void takeCore(const Member& member, std::span<const Lit> assumptions);
  void count(Answer answer, double seconds);

  const Shape shape_;
  std::vector<Member> members_;
  bool joined_ = false;
  size_t shown_ = 0;
  Lit firstRenumbered_ = 0, next_ = 0;
  uint32_t orderNodes_ = 0;
  std::vector<Said> said_;
  std::vector<Lit> saidLiterals_;
  sat::FlatMap atoms_;       // by two order nodes, the lower first
  sat::FlatMap conditions_;  // by term
  std::vector<Lit> core_;
  SolverStats stats_;
};

}  // namespace heddle

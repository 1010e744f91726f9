#include "analysis/solver/team/solver_team.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <unordered_set>

#include "analysis/solver/team/lockstep.h"

namespace heddle {

SolverTeam::SolverTeam(const TermTable& terms, const Shape& shape) : shape_(shape) {
  members_.emplace_back().solver = makeSatSolver(terms, shape.search);
}

// --- the problem ---

void SolverTeam::join() {
  joined_ = true;
  firstRenumbered_ = next_ = members_[0].solver->nextLiteral();
  const SolverStats before = members_[0].solver->stats();
  while (members_.size() < shape_.members) {
    Member member;
    member.solver = members_[0].solver->clone();
    member.before = before;
    members_.push_back(std::move(member));
  }
}

Lit SolverTeam::literalOf(const Member& member, Lit l, Lit firstRenumbered) {
  const Lit v = std::abs(l);
  if (v < firstRenumbered) return l;
  const Lit own = member.own[static_cast<size_t>(v - firstRenumbered)];
  return l < 0 ? -own : own;
}

Lit SolverTeam::renumbered(const Said& said) {
  said_.push_back(said);
  return next_++;
}

void SolverTeam::hear(Member& member) const {
  SatBackend& solver = *member.solver;
  std::vector<Lit> clause;
  for (; member.heard < said_.size(); ++member.heard) {
    const Said& s = said_[member.heard];
    const Lit l = s.l == 0 ? 0 : literalOf(member, s.l);
    switch (s.step) {
      case Step::NewLit:
        member.own.push_back(solver.newLit());
        break;
      case Step::Clause:
        clause.clear();
        for (uint32_t i = s.a; i < s.a + s.b; ++i) clause.push_back(literalOf(member, saidLiterals_[i]));
        solver.addClause(clause);
        break;
      case Step::NewEvent:
        solver.newOrderNode(l);
        break;
      case Step::Edge:
        solver.addEdge(s.a, s.b);
        break;
      case Step::Before:
        member.own.push_back(solver.before(s.a, s.b));
        break;
      case Step::Condition:
        member.own.push_back(solver.condition(s.a));
        break;
      case Step::EqualityIf:
        solver.addEqualityIf(l, s.a, s.b);
        break;
      case Step::Guard:
        solver.guard(l, literalOf(member, static_cast<Lit>(s.a)));
        break;
      case Step::GuardSymbol:
        solver.guardSymbol(s.a, l);
        break;
      case Step::Prefer:
        solver.prefer(l);
        break;
    }
  }
}

Lit SolverTeam::newLit() {
  if (alone()) return members_[0].solver->newLit();
  return renumbered({Step::NewLit});
}

void SolverTeam::addClause(std::span<const Lit> clause) {
  if (alone()) return members_[0].solver->addClause(clause);
  said_.push_back(
      {Step::Clause, 0, static_cast<uint32_t>(saidLiterals_.size()), static_cast<uint32_t>(clause.size())});
  saidLiterals_.insert(saidLiterals_.end(), clause.begin(), clause.end());
}

OrderNode SolverTeam::newOrderNode(Lit on) {
  if (alone())
    members_[0].solver->newOrderNode(on);
  else
    said_.push_back({Step::NewEvent, on});
  return orderNodes_++;
}

void SolverTeam::addEdge(OrderNode a, OrderNode b) {
  if (alone()) return members_[0].solver->addEdge(a, b);
  said_.push_back({Step::Edge, 0, a, b});
}

Lit SolverTeam::before(OrderNode a, OrderNode b) {
  if (alone()) return members_[0].solver->before(a, b);
  const bool swapped = a > b;
  if (swapped) std::swap(a, b);
  uint32_t& v = atoms_[{static_cast<uint64_t>(a) << 32 | b, 0}];
  if (v == 0) {
    const Lit old = members_[0].solver->knownBefore(a, b);
    if (old != 0 && old < firstRenumbered_) v = static_cast<uint32_t>(old);
  }
  if (v == 0) v = static_cast<uint32_t>(renumbered({Step::Before, 0, a, b}));
  return swapped ? -static_cast<Lit>(v) : static_cast<Lit>(v);
}

Lit SolverTeam::condition(Term t) {
  uint32_t& v = conditions_[{t, 0}];
  if (v == 0)
    v = static_cast<uint32_t>(alone() ? members_[0].solver->condition(t)
                                      : renumbered({Step::Condition, 0, t}));
  return static_cast<Lit>(v);
}

void SolverTeam::addEqualityIf(Lit l, Term a, Term b) {
  if (alone()) return members_[0].solver->addEqualityIf(l, a, b);
  said_.push_back({Step::EqualityIf, l, a, b});
}

void SolverTeam::guard(Lit l, Lit g) {
  if (alone()) return members_[0].solver->guard(l, g);
  said_.push_back({Step::Guard, l, static_cast<uint32_t>(g)});
}

void SolverTeam::guardSymbol(Term symbol, Lit g) {
  if (alone()) return members_[0].solver->guardSymbol(symbol, g);
  said_.push_back({Step::GuardSymbol, g, symbol});
}

void SolverTeam::prefer(Lit l) {
  if (alone()) return members_[0].solver->prefer(l);
  said_.push_back({Step::Prefer, l});
}

// --- questions ---

std::vector<Answer> SolverTeam::checkEach(const std::vector<std::vector<Lit>>& questions,
                                          const Budget& budget) {
  const auto start = Budget::Clock::now();
  std::vector<Answer> answers;
  if (questions.size() == 1)
    answers.push_back(check(questions[0], budget));
  else
    answers = runAll(questions, budget);
  const double seconds = std::chrono::duration<double>(Budget::Clock::now() - start).count();
  if (questions.size() > 1)
    for (const Answer answer : answers) count(answer, seconds / static_cast<double>(answers.size()));
  return answers;
}

std::vector<Answer> SolverTeam::runAll(const std::vector<std::vector<Lit>>& questions, const Budget& budget) {
  std::vector<Answer> answers(questions.size(), Answer::Unknown);
  Lockstep lockstep(static_cast<unsigned>(questions.size()), std::max(1U, shape_.threads));
  const Budget share = shareOf(budget);
  const auto work = [&](size_t i) {
    Member& member = members_[i];
    lockstep.begin();
    hear(member);
    std::vector<Lit> assumptions;
    for (const Lit l : questions[i]) assumptions.push_back(literalOf(member, l));
    member.solver->pauseAfter(shape_.slice, [&] { return lockstep.pause(); });
    answers[i] = member.solver->check(assumptions, share);
    member.solver->pauseAfter(0, {});
    lockstep.finish(answers[i] == Answer::Sat);
  };
  {
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < questions.size(); ++i) threads.emplace_back(work, i);
    work(0);
  }
  const bool all = std::all_of(members_.begin(), members_.end(),
                               [&](const Member& member) { return member.heard == said_.size(); });
  if (all) {
    said_.clear();
    saidLiterals_.clear();
    for (Member& member : members_) member.heard = 0;
  }
  return answers;
}

Answer SolverTeam::checkAlone(std::span<const Lit> assumptions, const Budget& budget) {
  Member& member = members_[0];
  const Answer answer = member.solver->check(assumptions, budget);
  if (answer == Answer::Unsat) core_ = member.solver->core();
  return answer;
}

Answer SolverTeam::check(std::span<const Lit> assumptions, const Budget& budget) {
  const auto start = Budget::Clock::now();
  core_.clear();
  shown_ = 0;
  if (alone() && shape_.members > 1 && members_[0].solver->work() >= shape_.joinAfter) join();
  const Answer answer = alone() ? checkAlone(assumptions, budget) : split(assumptions, budget);
  count(answer, std::chrono::duration<double>(Budget::Clock::now() - start).count());
  return answer;
}

Budget SolverTeam::shareOf(const Budget& budget) const {
  Budget share = budget;
  if (budget.memoryLimit() != 0) share.withMemory(budget.memoryLimit() / members_.size());
  return share;
}

Answer SolverTeam::checkFirst(std::span<const Lit> assumptions, const Budget& budget) {
  Member& first = members_[0];
  hear(first);
  std::vector<Lit> own;
  for (const Lit l : assumptions) own.push_back(literalOf(first, l));
  unsigned slices = 0;
  first.solver->pauseAfter(shape_.slice, [&] { return ++slices < shape_.aloneSlices; });
  const Answer answer = first.solver->check(own, shareOf(budget));
  first.solver->pauseAfter(0, {});
  if (answer == Answer::Unsat) takeCore(first, assumptions);
  return answer;
}

Answer SolverTeam::split(std::span<const Lit> assumptions, const Budget& budget) {
  Member& first = members_[0];
  if (shape_.aloneSlices > 0) {
    // Most questions are over before a split would pay.
    const Answer answer = checkFirst(assumptions, budget);
    if (answer != Answer::Unknown) return answer;
  }
  std::vector<Lit> cases;  // of literals that all members know by the same number
  for (size_t parts = 2; parts <= members_.size(); parts *= 2) {
    const Lit l = first.solver->busiest([&](Lit candidate) {
      return candidate < firstRenumbered_ && std::find(cases.begin(), cases.end(), candidate) == cases.end();
    });
    if (l == 0) break;
    cases.push_back(l);
  }
  std::vector<std::vector<Lit>> questions;
  for (size_t i = 0; i < size_t{1} << cases.size(); ++i) {
    questions.emplace_back(assumptions.begin(), assumptions.end());
    for (size_t bit = 0; bit < cases.size(); ++bit)
      questions.back().push_back(i >> bit & 1 ? -cases[bit] : cases[bit]);
  }
  const std::vector<Answer> answers = runAll(questions, budget);
  for (size_t i = 0; i < answers.size(); ++i)
    if (answers[i] == Answer::Sat) {
      shown_ = i;
      return Answer::Sat;
    }
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i] != Answer::Unsat) return answers[i];
    takeCore(members_[i], assumptions);
  }
  return Answer::Unsat;
}

void SolverTeam::takeCore(const Member& member, std::span<const Lit> assumptions) {
  const std::unordered_set<Lit> needed(member.solver->core().begin(), member.solver->core().end());
  for (const Lit l : assumptions)
    if (needed.count(literalOf(member, l)) && std::find(core_.begin(), core_.end(), l) == core_.end())
      core_.push_back(l);
}

bool SolverTeam::modelValue(Lit l) const {
  const Member& member = members_[shown_];
  if (!joined_) return member.solver->modelValue(l);
  const Lit v = std::abs(l);
  const size_t known = static_cast<size_t>(firstRenumbered_) + member.own.size();
  if (static_cast<size_t>(v) < known) return member.solver->modelValue(literalOf(member, l));
  return unheard(member, static_cast<size_t>(v) - known) == (l > 0);
}

bool SolverTeam::unheard(const Member& member, size_t ordinal) const {
  // A new name for what the model may know already.
  for (size_t i = member.heard; i < said_.size(); ++i) {
    const Said& s = said_[i];
    if (s.step != Step::NewLit && s.step != Step::Before && s.step != Step::Condition) continue;
    if (ordinal-- > 0) continue;
    if (s.step == Step::Condition) return member.solver->modelTerm(s.a) & 1;
    return s.step == Step::Before && member.solver->modelPosition(s.a) < member.solver->modelPosition(s.b);
  }
  return false;
}

void SolverTeam::count(Answer answer, double seconds) {
  ++stats_.queries;
  ++(answer == Answer::Sat ? stats_.sat : answer == Answer::Unsat ? stats_.unsat : stats_.unknown);
  stats_.seconds += seconds;
  stats_.conflicts = stats_.orderConflicts = stats_.decisions = stats_.propagations = 0;
  for (const Member& member : members_) {
    const SolverStats& s = member.solver->stats();
    stats_.conflicts += s.conflicts - member.before.conflicts;
    stats_.orderConflicts += s.orderConflicts - member.before.orderConflicts;
    stats_.decisions += s.decisions - member.before.decisions;
    stats_.propagations += s.propagations - member.before.propagations;
  }
  const SolverStats& first = members_[0].solver->stats();
  stats_.variables = first.variables;
  stats_.clauses = first.clauses;
  stats_.orderAtoms = first.orderAtoms;
}

}  // namespace heddle

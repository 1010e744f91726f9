#include "analysis/explore/invariants/invariant_search.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace heddle {

namespace {

constexpr uint64_t kSmall = 64;        // points near 0 are asked for first
constexpr size_t kMostConstants = 16;  // of one width

}  // namespace

InvariantSearch::InvariantSearch(const TransitionSystem& system, TermTable& terms, SolverKind solver,
                                 TemplateDomain::Comparisons comparisons)
    : system_(system), terms_(terms), linear_(terms), kind_(solver) {
  const auto known = constants();
  for (const std::vector<Term>& variables : system_.variables)
    at_.emplace_back(terms_, variables, comparisons, known);
}

/// What the program compares with, and beside it.
std::map<unsigned, std::vector<uint64_t>> InvariantSearch::constants() const {
  std::map<unsigned, std::set<uint64_t>> found;
  std::unordered_set<Term> seen;
  std::vector<Term> open;
  for (const SystemStep& step : system_.steps) open.insert(open.end(), step.when.begin(), step.when.end());
  for (const SystemObligation& o : system_.obligations) open.insert(open.end(), o.when.begin(), o.when.end());
  while (!open.empty()) {
    const Term term = open.back();
    open.pop_back();
    if (!seen.insert(term).second) continue;
    const TermNode& node = terms_.node(term);
    const bool isComparison = node.op >= TermOp::Eq && node.op <= TermOp::Sle;
    for (const Term part : {node.a, node.b, node.c}) {
      if (part == kNoTerm) continue;
      open.push_back(part);
      if (!isComparison || !terms_.isConst(part) || terms_.width(part) == 1) continue;
      const uint64_t value = terms_.constValue(part), mask = widthMask(terms_.width(part));
      for (const uint64_t near : {value - 1, value, value + 1}) found[terms_.width(part)].insert(near & mask);
    }
  }
  std::map<unsigned, std::vector<uint64_t>> result;
  for (const unsigned width : {8u, 16u, 32u, 64u}) {
    std::set<uint64_t>& values = found[width];
    values.insert({0, 1});
    for (const uint64_t value : values)
      if (result[width].size() < kMostConstants) result[width].push_back(value);
  }
  return result;
}

Term InvariantSearch::rewritten(Term root, const std::unordered_map<Term, Term>& by) {
  std::unordered_map<Term, Term> done = by;
  std::vector<Term> open{root};
  while (!open.empty()) {
    const Term term = open.back();
    if (done.contains(term)) {
      open.pop_back();
      continue;
    }
    const TermNode& node = terms_.node(term);
    const size_t before = open.size();
    for (const Term part : {node.a, node.b, node.c})
      if (part != kNoTerm && !done.contains(part)) open.push_back(part);
    if (open.size() != before) continue;
    open.pop_back();
    done[term] = terms_.withOperands(term, [&](Term operand) { return done.at(operand); });
  }
  return linear_.normal(done.at(root));
}

std::optional<std::pair<Term, Term>> InvariantSearch::equationIn(const std::vector<Term>& premises) const {
  const auto isSymbol = [&](Term term) { return terms_.node(term).op == TermOp::Symbol; };
  std::set<std::pair<Term, Term>> signedly, unsignedly;
  for (const Term premise : premises) {
    const TermNode& node = terms_.node(premise);
    bool isEquation = node.op == TermOp::Eq && terms_.width(node.a) > 1;
    if (node.op == TermOp::Sle || node.op == TermOp::Ule) {
      auto& known = node.op == TermOp::Sle ? signedly : unsignedly;
      known.emplace(node.a, node.b);
      isEquation = known.contains({node.b, node.a});
    }
    if (!isEquation) continue;
    for (const auto& [from, to] : {std::pair(node.a, node.b), std::pair(node.b, node.a)})
      if (isSymbol(from) && (isSymbol(to) || terms_.isConst(to))) return std::pair(from, to);
  }
  return std::nullopt;
}

InvariantSearch::Premises InvariantSearch::premisesAt(SystemLocation location,
                                                      const std::vector<Term>& when) {
  const TemplateDomain& at = at_[location];
  Premises premises;
  premises.equations = {at.solved().begin(), at.solved().end()};
  for (std::optional<std::pair<Term, Term>> more;;) {
    premises.terms.clear();
    for (const std::vector<Term>* const terms : {&when, &at.comparisons()})
      for (const Term term : *terms) premises.terms.push_back(rewritten(term, premises.equations));
    std::erase_if(premises.terms, [&](Term t) { return terms_.isConst(t) && terms_.constValue(t) != 0; });
    std::sort(premises.terms.begin(), premises.terms.end());
    premises.terms.erase(std::unique(premises.terms.begin(), premises.terms.end()), premises.terms.end());
    // What is equal here is put in as well: sums are then compared without the solver.
    more = equationIn(premises.terms);
    if (!more) return premises;
    for (auto& [variable, sum] : premises.equations) sum = rewritten(sum, {*more});
    premises.equations.insert(*more);
  }
}

std::vector<Term> InvariantSearch::symbolsOf(const Question& question) const {
  std::unordered_set<Term> seen;
  std::vector<Term> open = question.premises, symbols;
  open.insert(open.end(), question.goals.begin(), question.goals.end());
  open.insert(open.end(), question.values.begin(), question.values.end());
  while (!open.empty()) {
    const Term term = open.back();
    open.pop_back();
    if (!seen.insert(term).second) continue;
    const TermNode& node = terms_.node(term);
    if (node.op == TermOp::Symbol) symbols.push_back(term);
    for (const Term part : {node.a, node.b, node.c})
      if (part != kNoTerm) open.push_back(part);
  }
  std::sort(symbols.begin(), symbols.end());
  return symbols;
}

/// Whether there is an answer; `point`: the target's variables in it. Without goals the premises alone count.
InvariantSearch::Found InvariantSearch::ask(const Question& question, Solver& solver, const Budget& budget,
                                            std::vector<uint64_t>* point) {
  std::vector<Lit> assumed;
  for (const Term premise : question.premises) {
    if (terms_.isConst(premise)) return Found::No;  // those that hold were left out
    assumed.push_back(solver.condition(premise));
  }
  const std::vector<Term> symbols = symbolsOf(question);
  if (!question.goals.empty()) {
    std::vector<Lit> some{-solver.newLit()};
    assumed.push_back(-some.front());
    for (const Term goal : question.goals) some.push_back(-solver.condition(goal));
    solver.addClause(some);
  }
  std::vector<Lit> near = assumed;
  for (const Term symbol : symbols) {
    const unsigned width = terms_.width(symbol);
    if (width < 16) continue;
    const Term moved = terms_.binary(TermOp::Add, symbol, terms_.constant(kSmall, width));
    near.push_back(solver.condition(terms_.binary(TermOp::Ule, moved, terms_.constant(2 * kSmall, width))));
  }
  for (const bool isNear : {true, false}) {
    if (isNear && !point) continue;
    const std::vector<Lit>& literals = isNear ? near : assumed;
    budget.spend();
    ++questions_;
    const Answer answer = solver.check(literals, budget);
    if (answer == Answer::Unsat || (answer != Answer::Sat && isNear)) continue;
    if (answer != Answer::Sat) return Found::Unknown;
    if (!point) return Found::Yes;
    std::vector<uint64_t> values(terms_.symbolCount());
    for (const Term symbol : symbols) values[terms_.node(symbol).value] = solver.modelTerm(symbol);
    point->clear();
    for (const Term value : question.values) point->push_back(terms_.evaluate(value, values));
    return Found::Yes;
  }
  return Found::No;
}

InvariantSearch::Kept InvariantSearch::isKept(const SystemStep& step, Solver& solver, bool learns,
                                              const Budget& budget) {
  const Premises premises = premisesAt(step.from, step.when);
  Question question;
  question.premises = premises.terms;
  for (const Term value : step.values) question.values.push_back(rewritten(value, premises.equations));
  TemplateDomain& target = at_[step.to];
  std::vector<Term> claims;  // by goal
  if (!target.isEmpty()) {
    std::unordered_map<Term, Term> by;
    for (size_t i = 0; i < step.values.size(); ++i) by.emplace(target.variables()[i], question.values[i]);
    for (const Term claim : target.claims()) {
      const Term goal = rewritten(claim, by);
      if (terms_.isConst(goal) && terms_.constValue(goal) != 0) continue;
      if (std::binary_search(question.premises.begin(), question.premises.end(), goal)) continue;
      question.goals.push_back(goal);
      claims.push_back(claim);
    }
    if (claims.empty()) return Kept::Yes;
  }
  std::vector<uint64_t> point;
  Found found = ask(question, solver, budget, learns ? &point : nullptr);
  if (found == Found::Unknown && !claims.empty()) {
    // One at a time; what is too hard is not claimed.
    const std::vector<Term> goals = std::exchange(question.goals, {});
    std::vector<Term> hard;
    found = Found::No;
    for (size_t i = 0; i < goals.size() && found != Found::Yes; ++i) {
      if (budget.check() != StopReason::None) return Kept::Unknown;
      question.goals.assign(1, goals[i]);
      found = ask(question, solver, budget, learns ? &point : nullptr);
      if (found == Found::Unknown) hard.push_back(claims[i]);
    }
    if (!hard.empty() && !learns) return Kept::Unknown;
    for (const Term claim : hard) target.drop(claim);
    if (found == Found::Yes) return target.add(point) || !hard.empty() ? Kept::No : Kept::Unknown;
    return hard.empty() ? Kept::Yes : Kept::No;
  }
  if (found == Found::Unknown) return Kept::Unknown;
  if (found == Found::No) return Kept::Yes;
  if (!learns) return Kept::No;
  return target.add(point) ? Kept::No : Kept::Unknown;
}

InvariantSearch::Kept InvariantSearch::isMet(const SystemObligation& obligation, Solver& solver,
                                             const Budget& budget) {
  if (at_[obligation.at].isEmpty()) return Kept::Yes;
  Question question;
  question.premises = premisesAt(obligation.at, obligation.when).terms;
  const Found found = ask(question, solver, budget, nullptr);
  return found == Found::Unknown ? Kept::Unknown : found == Found::Yes ? Kept::No : Kept::Yes;
}

bool InvariantSearch::keepsAll(const Budget& budget) {
  const std::unique_ptr<Solver> solver = makeSolver(kind_, terms_);
  solver->limitWork(budget.tuning().invariantConfirming);
  for (const SystemStep& step : system_.steps)
    if (!at_[step.from].isEmpty() && isKept(step, *solver, false, budget) != Kept::Yes) return false;
  for (const SystemObligation& obligation : system_.obligations)
    if (isMet(obligation, *solver, budget) != Kept::Yes) return false;
  return !at_[system_.initial].isEmpty();
}

bool InvariantSearch::prove(const Budget& budget) {
  at_[system_.initial].add(std::vector<uint64_t>(system_.variables[system_.initial].size(), 0));
  // An answer sets every variable of its solver. So there is one for each two locations, which knows little
  // more than what is asked.
  std::map<std::pair<SystemLocation, SystemLocation>, std::unique_ptr<Solver>> solvers;
  const auto made = [&] {
    std::unique_ptr<Solver> solver = makeSolver(kind_, terms_);
    solver->limitWork(budget.tuning().invariantLearning);
    return solver;
  };
  const std::unique_ptr<Solver> ofObligations = made();
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    for (const SystemStep& step : system_.steps) {
      if (at_[step.from].isEmpty()) continue;
      std::unique_ptr<Solver>& solver = solvers[{step.from, step.to}];
      if (!solver) solver = made();
      for (Kept kept = Kept::No; kept == Kept::No;) {
        if (budget.check() != StopReason::None) return false;
        kept = isKept(step, *solver, true, budget);
        if (kept == Kept::Unknown) return false;
        goesOn |= kept == Kept::No;
      }
    }
    // Claims only become fewer: what they do not keep away now, they never do.
    for (const SystemObligation& obligation : system_.obligations)
      if (isMet(obligation, *ofObligations, budget) != Kept::Yes) return false;
  }
  return keepsAll(budget);
}

}  // namespace heddle

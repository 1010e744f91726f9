#include "analysis/explore/states/path_conditions.h"

#include <algorithm>

namespace heddle {

namespace {
constexpr uint64_t kMostWork = 20'000'000;  // of the solver for one condition: a few seconds
}  // namespace

PathConditions::PathConditions(TermTable& terms)
    : terms_(terms), solver_(makeSolver(SolverKind::Sat, terms)) {
  solver_->limitWork(kMostWork);
  sets_.emplace_back();
  numbers_[{}] = kAny;
}

bool PathConditions::areFulfilled(const std::vector<Term>& conditions, std::vector<uint64_t>& inputs,
                                  const Budget& budget) {
  std::vector<Lit> literals;
  for (const Term condition : conditions) literals.push_back(solver_->condition(condition));
  budget.spend();
  const Answer answer = solver_->check(literals, budget);
  if (answer == Answer::Unsat) return false;
  if (answer != Answer::Sat) {
    mayGoOn_ = answer == Answer::Timeout || answer == Answer::Interrupted;
    if (problem_.empty()) problem_ = "conditions on inputs that the solver cannot decide";
    return false;
  }
  inputs.clear();
  for (uint32_t symbol = 0; symbol < terms_.symbolCount(); ++symbol)
    inputs.push_back(solver_->modelTerm(terms_.symbolTerm(symbol)));
  return true;
}

ConditionId PathConditions::number(ConditionId from, Term condition, std::vector<uint64_t> inputs,
                                   const Budget& budget) {
  std::vector<Term> all = sets_[from].conditions;
  all.insert(std::lower_bound(all.begin(), all.end(), condition), condition);
  for (size_t i = 0; i < all.size();) {
    if (all[i] == condition) {
      ++i;
      continue;
    }
    std::vector<Term> others = all;
    others[i] = terms_.logicalNot(all[i]);
    std::vector<uint64_t> unused;
    if (areFulfilled(others, unused, budget) || !problem_.empty())
      ++i;
    else
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
  }
  const auto [at, isNew] = numbers_.try_emplace(all, static_cast<ConditionId>(sets_.size()));
  if (isNew) sets_.push_back({std::move(all), std::move(inputs)});
  return at->second;
}

PathConditions::Sides PathConditions::decide(ConditionId from, Term condition, const Budget& budget) {
  const uint64_t key = uint64_t{from} << 32 | condition;
  if (const auto known = decided_.find(key); known != decided_.end()) return known->second;
  const bool held = holds(condition, sets_[from].inputs);
  const Term negation = terms_.logicalNot(condition);
  std::vector<Term> others = sets_[from].conditions;
  others.push_back(held ? negation : condition);
  std::vector<uint64_t> inputs;
  Sides sides;
  if (areFulfilled(others, inputs, budget)) {
    sides.yes = number(from, condition, held ? sets_[from].inputs : inputs, budget);
    sides.no = number(from, negation, held ? inputs : sets_[from].inputs, budget);
  } else {
    (held ? sides.yes : sides.no) = from;
  }
  if (!problem_.empty()) return {};
  decided_[key] = sides;
  return sides;
}

std::optional<ConditionId> PathConditions::with(ConditionId from, Term term, uint64_t value,
                                                const Budget& budget) {
  if (!problem_.empty()) return {};
  const Term equal =
      terms_.width(term) == 1 ? term : terms_.eq(term, terms_.constant(value, terms_.width(term)));
  const bool wanted = terms_.width(term) != 1 || (value & 1) != 0;
  if (terms_.isConst(equal))
    return (terms_.constValue(equal) != 0) == wanted ? std::optional(from) : std::nullopt;
  const Sides sides = decide(from, equal, budget);
  return wanted ? sides.yes : sides.no;
}

std::optional<std::vector<uint64_t>> PathConditions::values(ConditionId of, Term term, size_t most,
                                                            const Budget& budget) {
  std::vector<uint64_t> found;
  std::vector<Term> others = sets_[of].conditions;
  std::vector<uint64_t> inputs = sets_[of].inputs;
  do {
    if (found.size() == most) return std::nullopt;
    found.push_back(terms_.evaluate(term, inputs));
    others.push_back(terms_.logicalNot(terms_.eq(term, terms_.constant(found.back(), terms_.width(term)))));
  } while (areFulfilled(others, inputs, budget));
  if (!problem_.empty()) return std::nullopt;
  return found;
}

}  // namespace heddle

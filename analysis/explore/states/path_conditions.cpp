#include "analysis/explore/states/path_conditions.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace heddle {

namespace {
constexpr uint64_t kMostWork = 20'000'000;  // of the solver for one condition: a few seconds
}  // namespace

PathConditions::PathConditions(TermTable& terms) : terms_(terms), symbols_(terms) {
  sets_.emplace_back();
  numbers_[{}] = kAny;
}

std::vector<Term> PathConditions::relatedTo(Term term, const std::vector<Term>& conditions) {
  std::vector<Term> related = symbols_.related(term, conditions);
  std::sort(related.begin(), related.end());
  return related;
}

bool PathConditions::areFulfilled(std::vector<Term> conditions, std::vector<uint64_t>& inputs,
                                  const Budget& budget) {
  std::sort(conditions.begin(), conditions.end());
  auto known = asked_.find(conditions);
  if (known == asked_.end()) {
    Symbols symbols;
    for (const Term condition : conditions) {
      const Symbols& more = symbols_.of(condition);
      symbols.insert(symbols.end(), more.begin(), more.end());
    }
    std::sort(symbols.begin(), symbols.end());
    symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
    std::unique_ptr<Solver>& solver = solvers_[symbols];
    if (!solver) {
      solver = makeSolver(SolverKind::Sat, terms_);
      solver->limitWork(kMostWork);
    }
    std::vector<Lit> literals;
    for (const Term condition : conditions) literals.push_back(solver->condition(condition));
    budget.spend();
    const Answer answer = solver->check(literals, budget);
    if (answer != Answer::Sat && answer != Answer::Unsat) {
      mayGoOn_ = answer == Answer::Timeout || answer == Answer::Interrupted;
      if (problem_.empty()) problem_ = "conditions on inputs that the solver cannot decide";
      return false;
    }
    std::optional<Model> model;
    if (answer == Answer::Sat) {
      model.emplace();
      for (const uint32_t symbol : symbols)
        model->emplace_back(symbol, solver->modelTerm(terms_.symbolTerm(symbol)));
    }
    known = asked_.emplace(std::move(conditions), std::move(model)).first;
  }
  if (!known->second) return false;
  inputs.resize(std::max<size_t>(inputs.size(), terms_.symbolCount()));
  for (const auto& [symbol, value] : *known->second) inputs[symbol] = value;
  return true;
}

ConditionId PathConditions::number(ConditionId from, Term condition, std::vector<uint64_t> inputs,
                                   const Budget& budget) {
  std::vector<Term> all = sets_[from].conditions;
  all.insert(std::lower_bound(all.begin(), all.end(), condition), condition);
  std::vector<Term> related = relatedTo(condition, all);
  for (size_t i = 0; i < related.size();) {
    const Term old = related[i];
    std::vector<Term> others = related;
    others[i] = terms_.logicalNot(old);
    std::vector<uint64_t> unused;
    if (old == condition || areFulfilled(std::move(others), unused, budget) || !problem_.empty()) {
      ++i;
      continue;
    }
    std::erase(related, old);
    std::erase(all, old);
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
  std::vector<Term> others = relatedTo(condition, sets_[from].conditions);
  others.push_back(held ? negation : condition);
  std::vector<uint64_t> inputs = sets_[from].inputs;
  Sides sides;
  if (areFulfilled(std::move(others), inputs, budget)) {
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
  if (const auto* answer = known(from, term, value)) return *answer;
  const Term equal =
      terms_.width(term) == 1 ? term : terms_.eq(term, terms_.constant(value, terms_.width(term)));
  const bool wanted = terms_.width(term) != 1 || (value & 1) != 0;
  std::optional<ConditionId> answer;
  if (terms_.isConst(equal)) {
    if ((terms_.constValue(equal) != 0) == wanted) answer = from;
  } else {
    const Sides sides = decide(from, equal, budget);
    answer = wanted ? sides.yes : sides.no;
  }
  if (problem_.empty()) answers_[keyOf(from, term, value)] = answer;
  return answer;
}

StateKey PathConditions::keyOf(ConditionId from, Term term, uint64_t value) {
  StateKey key;
  key.add(uint64_t{from} << 32 | term);
  key.add(value);
  return key;
}

const std::optional<ConditionId>* PathConditions::known(ConditionId from, Term term, uint64_t value) const {
  const auto at = answers_.find(keyOf(from, term, value));
  return at == answers_.end() ? nullptr : &at->second;
}

const std::vector<uint64_t>* PathConditions::knownValues(ConditionId of, Term term) const {
  const auto at = values_.find({of, term});
  return at == values_.end() ? nullptr : &at->second;
}

std::optional<std::vector<uint64_t>> PathConditions::values(ConditionId of, Term term, size_t most,
                                                            const Budget& budget) {
  if (const std::vector<uint64_t>* known = knownValues(of, term))
    return known->size() <= most ? std::optional(*known) : std::nullopt;
  std::vector<uint64_t> found;
  std::vector<Term> others = relatedTo(term, sets_[of].conditions);
  std::vector<uint64_t> inputs = sets_[of].inputs;
  do {
    if (found.size() == most) return std::nullopt;
    found.push_back(terms_.evaluate(term, inputs));
    others.push_back(terms_.logicalNot(terms_.eq(term, terms_.constant(found.back(), terms_.width(term)))));
  } while (areFulfilled(others, inputs, budget));
  if (!problem_.empty()) return std::nullopt;
  values_[{of, term}] = found;
  return found;
}

}  // namespace heddle

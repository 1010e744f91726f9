// PathConditions: what is known of the inputs on the way to a joint state: conditions on symbols, numbered.
// Every number stands for conditions that some inputs fulfil, and holds such inputs.
//
// Conditions that follow from the others are left out, so that ways on which the same is known of the inputs
// mostly have the same number. Conditions that share no symbol, not even by way of others, have nothing to do
// with each other: a question is asked of those alone that have to do with it, and once.
//
// Threading: belongs to one search.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/model/state_key.h"
#include "analysis/model/term.h"
#include "analysis/solver/solver.h"

namespace heddle {

using ConditionId = uint32_t;

class PathConditions {
 public:
  static constexpr ConditionId kAny = 0;  // nothing is known: all inputs

  /// `terms` must outlive it.
  explicit PathConditions(TermTable& terms);

  /// Those of `from` and term == value: `from` itself where that follows from it, nothing where no inputs
  /// fulfil both. Nothing as well once there is a problem.
  std::optional<ConditionId> with(ConditionId from, Term term, uint64_t value, const Budget& budget);
  /// All values that the term has where these hold, in any order; nothing if they are more than `most`.
  std::optional<std::vector<uint64_t>> values(ConditionId of, Term term, size_t most, const Budget& budget);

  /// The answers of with() and values() that were given before, without asking anything; null: none was.
  const std::optional<ConditionId>* known(ConditionId from, Term term, uint64_t value) const;
  const std::vector<uint64_t>* knownValues(ConditionId of, Term term) const;
  /// A term of width 1.
  bool isBit(Term term) const { return terms_.width(term) == 1; }

  /// Inputs that fulfil them, by number of symbol; missing ones may be anything.
  const std::vector<uint64_t>& inputs(ConditionId id) const { return sets_[id].inputs; }
  size_t size() const { return sets_.size(); }
  /// Why the last answers are none (the budget, or a condition that is too hard), or empty.
  const std::string& problem() const { return problem_; }
  /// More budget may help.
  bool mayGoOn() const { return mayGoOn_; }
  void forgetProblem() { problem_.clear(); }

 private:
  struct Set {
    std::vector<Term> conditions;  // of width 1, all true; sorted
    std::vector<uint64_t> inputs;
  };
  struct Sides {
    std::optional<ConditionId> yes, no;
  };

  static StateKey keyOf(ConditionId from, Term term, uint64_t value);
  /// With the condition true and with it false.
  Sides decide(ConditionId from, Term condition, const Budget& budget);
  ConditionId number(ConditionId from, Term condition, std::vector<uint64_t> inputs, const Budget& budget);
  /// Whether inputs fulfil all of these; then `inputs` differ by what they need from those given.
  bool areFulfilled(std::vector<Term> conditions, std::vector<uint64_t>& inputs, const Budget& budget);
  /// Of these, what has to do with the term.
  std::vector<Term> relatedTo(Term term, const std::vector<Term>& conditions);
  const std::vector<uint32_t>& symbolsOf(Term term);
  bool holds(Term condition, const std::vector<uint64_t>& inputs) const {
    return terms_.evaluate(condition, inputs) & 1;
  }

  TermTable& terms_;
  using Symbols = std::vector<uint32_t>;  // sorted numbers
  using Model = std::vector<std::pair<uint32_t, uint64_t>>;
  std::unordered_map<Term, Symbols> symbols_;
  std::map<Symbols, std::unique_ptr<Solver>> solvers_;  // a small one for what speaks of the same symbols
  std::map<std::vector<Term>, std::optional<Model>> asked_;
  std::vector<Set> sets_;
  std::map<std::vector<Term>, ConditionId> numbers_;
  std::unordered_map<uint64_t, Sides> decided_;                                     // by set and condition
  std::unordered_map<StateKey, std::optional<ConditionId>, StateKeyHash> answers_;  // of with(), by keyOf()
  std::map<std::pair<ConditionId, Term>, std::vector<uint64_t>> values_;
  std::string problem_;
  bool mayGoOn_ = false;
};

}  // namespace heddle

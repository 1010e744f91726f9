// PathConditions: what is known of the inputs on the way to a joint state, as numbered sets of conditions
// on symbols. Some inputs fulfil the conditions of every number, and such inputs are stored with it.
//
// Conditions that follow from the others are left out, so ways on which the same is known of the inputs
// mostly have the same number. Conditions that share no symbol, not even through other conditions, are
// independent. So a question to the solver has only the conditions that are related to it, and no question
// is asked twice.
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
#include "analysis/model/term_symbols.h"
#include "analysis/solver/solver.h"

namespace heddle {

using ConditionId = uint32_t;

class PathConditions {
 public:
  static constexpr ConditionId kAny = 0;  // nothing is known: all inputs

  /// `terms` must outlive it.
  explicit PathConditions(TermTable& terms);

  /// The conditions of `from` together with term == value. `from` itself if that follows from it; nullopt
  /// if no inputs fulfil both, or if there is a problem.
  std::optional<ConditionId> with(ConditionId from, Term term, uint64_t value, const Budget& budget);
  /// All values that the term can have under these conditions, in any order; nullopt if there are more than
  /// `most`, or if there is a problem.
  std::optional<std::vector<uint64_t>> values(ConditionId of, Term term, size_t most, const Budget& budget);

  /// Earlier answers of with() and values(), without a question to the solver; null: there is no earlier
  /// answer.
  const std::optional<ConditionId>* known(ConditionId from, Term term, uint64_t value) const;
  const std::vector<uint64_t>* knownValues(ConditionId of, Term term) const;
  /// The term has width 1.
  bool isBit(Term term) const { return terms_.width(term) == 1; }

  /// Inputs that fulfil the conditions, by number of symbol; missing ones may have any value.
  const std::vector<uint64_t>& inputs(ConditionId id) const { return sets_[id].inputs; }
  size_t size() const { return sets_.size(); }
  /// Why the last answers are missing (the budget, or a condition that is too hard); empty: there is no
  /// problem.
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
  /// The conditions of `from` with the condition true, and with it false.
  Sides decide(ConditionId from, Term condition, const Budget& budget);
  ConditionId number(ConditionId from, Term condition, std::vector<uint64_t> inputs, const Budget& budget);
  /// Whether some inputs fulfil all these conditions. If so, `inputs` is changed as far as they require.
  bool areFulfilled(std::vector<Term> conditions, std::vector<uint64_t>& inputs, const Budget& budget);
  /// The conditions among these that are related to the term.
  std::vector<Term> relatedTo(Term term, const std::vector<Term>& conditions);
  bool holds(Term condition, const std::vector<uint64_t>& inputs) const {
    return terms_.evaluate(condition, inputs) & 1;
  }

  TermTable& terms_;
  using Symbols = TermSymbols::Symbols;
  using Model = std::vector<std::pair<uint32_t, uint64_t>>;
  TermSymbols symbols_;
  std::map<Symbols, std::unique_ptr<Solver>> solvers_;  // a small solver for each set of symbols
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

// InvariantSearch: what holds at the locations of a transition system: the least element of a domain
// (template_domain.h) that every step preserves. The search asks the solver for a point at which a step
// does not preserve the element, and adds it, until there is none (Reps, Sagiv, Yorsh: Symbolic
// implementation of the best transformer).
//
// Threading: belongs to its caller.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/explore/invariants/template_domain.h"
#include "analysis/explore/invariants/transition_system.h"
#include "analysis/explore/states/linear_terms.h"
#include "analysis/solver/solver.h"
#include "analysis/support/budget.h"

namespace heddle {

class InvariantSearch {
 public:
  /// Both must outlive it.
  InvariantSearch(const TransitionSystem& system, TermTable& terms, SolverKind solver,
                  TemplateDomain::Comparisons comparisons);

  /// True if the search found invariants that rule out the condition of every obligation, and a separate
  /// solver has confirmed that each step preserves them.
  bool prove(const Budget& budget);
  /// What holds at the location; an empty element (TemplateDomain::isEmpty) if no execution reaches it.
  const TemplateDomain& at(SystemLocation location) const { return at_[location]; }
  uint64_t questions() const { return questions_; }

 private:
  struct Question {
    std::vector<Term> premises, goals;  // width 1; the answer fulfils all premises and breaks some goal
    std::vector<Term> values;           // of the target's variables
  };
  enum class Kept : uint8_t { Yes, No, Unknown };
  enum class Found : uint8_t { Yes, No, Unknown };

  bool keepsAll(const Budget& budget);
  Kept isKept(const SystemStep& step, Solver& solver, bool learns, const Budget& budget);
  Kept isMet(const SystemObligation& obligation, Solver& solver, const Budget& budget);
  Found ask(const Question& question, Solver& solver, const Budget& budget, std::vector<uint64_t>* point);
  /// What is known of an execution: terms that hold, and equations for variables and inputs. The equations
  /// are substituted everywhere.
  struct Premises {
    std::vector<Term> terms;
    std::unordered_map<Term, Term> equations;
  };
  Premises premisesAt(SystemLocation location, const std::vector<Term>& when);
  /// A symbol, and the symbol or constant that it must equal.
  std::optional<std::pair<Term, Term>> equationIn(const std::vector<Term>& premises) const;
  /// The term after substitution of `by`.
  Term rewritten(Term term, const std::unordered_map<Term, Term>& by);
  std::map<unsigned, std::vector<uint64_t>> constants() const;
  std::vector<Term> symbolsOf(const Question& question) const;

  const TransitionSystem& system_;
  TermTable& terms_;
  LinearTerms linear_;
  const SolverKind kind_;
  std::vector<TemplateDomain> at_;
  uint64_t questions_ = 0;
};

}  // namespace heddle

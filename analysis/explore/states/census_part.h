// CensusPart: the executions of a census in which the path of one thread ends in some of its positions. It
// has a formula of its own, so what it finds depends on nothing but the forest and what was known before it
// began to ask.
//
// Threading: used by one thread at a time. Several parts may ask at the same time, as long as nobody adds to
// the forest and the forest has no merges.
#pragma once

#include <memory>
#include <vector>

#include "analysis/explore/formula/formula_parts.h"
#include "analysis/explore/states/census.h"
#include "analysis/explore/states/final_states.h"

namespace heddle {

class CensusPart {
 public:
  /// An execution whose combination of paths is new.
  struct Execution {
    GlobalPath path;
    std::vector<NodeId> plan;
    ModelInputs inputs;
  };

  /// All executions. Copies the table of terms; what else `shared` refers to must outlive the part.
  CensusPart(const FormulaParts& shared, CensusOf which);

  /// From now on, only the executions of that share.
  void narrow(const FinalStates::Share& share);
  /// The next executions, at most so many. The first call makes the formula, without the paths in `known`.
  std::vector<Execution> ask(size_t most, const std::vector<GlobalPath>& known, const Budget& budget);
  /// Of the last question. Sat: there may be more executions; Unsat: there are none.
  Answer answer() const { return answer_; }

  /// How the executions are best divided into up to `most` parts. Call after `ask`.
  std::vector<FinalStates::Share> shares(size_t most) const { return states_->shares(most); }
  SolverStats stats() const { return formula_ ? formula_->solver().stats() : SolverStats(); }

 private:
  bool begin(const std::vector<GlobalPath>& known, const Budget& budget);

  const Forest& forest_;
  const std::vector<Term>& initialValues_;
  TermTable terms_;
  const SolverKind solver_;
  const CensusOf which_;
  FinalStates::Share share_;
  std::unique_ptr<ForestFormula> formula_;
  std::unique_ptr<FinalStates> states_;
  Answer answer_ = Answer::Sat;
};

}  // namespace heddle

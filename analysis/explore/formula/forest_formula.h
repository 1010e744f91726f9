// ForestFormula: Ψ over a whole forest, with its own solver. A question under assumptions
// gives a plan or a core. The strategies other than `forest` share this header.
//
// Threading: used by one thread at a time; see FormulaParts.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/explore/formula/encoder.h"
#include "analysis/explore/formula/formula_parts.h"

namespace heddle {

class ForestFormula {
 public:
  explicit ForestFormula(Runner& runner) : ForestFormula(partsOf(runner)) {}
  /// What the parts refer to must outlive the formula.
  explicit ForestFormula(const FormulaParts& parts);

  /// Encodes what the forest has gained; false when the budget ended on the way (then nothing may be asked).
  bool update(const Budget& budget);
  /// Is there an execution within the forest that satisfies the literals?
  Answer ask(std::span<const Lit> literals, const Budget& budget);

  /// After Sat: the events of the model in order, and its inputs.
  std::vector<NodeId> plan(ModelInputs& inputs) const;
  bool holds(Lit lit) const { return solver_->modelValue(lit); }
  /// After Unsat: the literals of the question that were needed, without the guards of the forest's growth.
  std::vector<Lit> core() const;

  Encoder& encoder() { return encoder_; }
  Solver& solver() { return *solver_; }

  /// The thread's path has reached `at`, and may go on from there. kTrue for a thread that need not start.
  Lit reached(Position at);

 private:
  const Forest& forest_;
  std::unique_ptr<Solver> solver_;
  Encoder encoder_;
  std::vector<Lit> asked_;
};

/// Follows a plan, then lets the threads in `first` go on, and after them all others, to quiescence.
/// `problem` is set if the run did not follow the plan.
Runner::Outcome followPlan(Runner& runner, std::vector<NodeId> plan, InputSource& inputs,
                           std::vector<ThreadId> first, const Budget& budget, std::string& problem);

/// Notes in the runner's result why there is no answer.
void noteNoAnswer(Runner& runner, Answer answer, const Budget& budget);

}  // namespace heddle

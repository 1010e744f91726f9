// Con2colicQuestion: whether an interference scenario can be realized (Con2colic testing, section 5.1). The
// answer is a schedule with inputs, or the reads that would have to read from other writes.
//
// An answer depends only on the forest and its terms: other questions, before it or at the same time, do
// not change it. So several threads can answer questions, with the same answers.
//
// Threading: `answerTo` only reads its arguments, except for the table of terms, which must belong to the
// calling thread.
#pragma once

#include <utility>
#include <vector>

#include "analysis/explore/con2colic/con2colic_scenario.h"
#include "analysis/explore/formula/path_formula.h"
#include "analysis/explore/run/exploration.h"

namespace heddle {

struct Con2colicAnswer {
  /// Sat: `plan` and `inputs` are to be run. Unsat: one of `reads` must read from another write. Otherwise
  /// the budget or the memory was not enough for an answer.
  Answer answer = Answer::Unsat;
  std::vector<NodeId> plan;
  ModelInputs inputs;
  std::vector<std::pair<NodeId, LocationId>> reads;
  SolverStats stats;
  /// The question's own budget, so that its end does not depend on the speed of other questions.
  Budget budget;
};

/// `cores`: `reads` has only the reads that an unsatisfiable core needs (section 5.4); otherwise all reads
/// that take values from their own threads.
Con2colicAnswer answerTo(const FormulaParts& parts, const Scenario& scenario, bool cores, Budget budget);

}  // namespace heddle

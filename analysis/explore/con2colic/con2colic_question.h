// Con2colicQuestion: whether an interference scenario can be realized (Con2colic testing, section 5.1): by
// which schedule and inputs, or which reads would have to find other writes.
//
// An answer depends on the forest, on the terms there and on nothing else: what is asked before or beside it
// changes nothing. So several threads may answer, with the same answers.
//
// Threading: `answerTo` only reads what it is given, but for the terms, which must be the thread's own.
#pragma once

#include <utility>
#include <vector>

#include "analysis/explore/con2colic/con2colic_scenario.h"
#include "analysis/explore/formula/path_formula.h"
#include "analysis/explore/run/exploration.h"

namespace heddle {

struct Con2colicAnswer {
  /// Sat: `plan` and `inputs` are to be run. Unsat: one of `reads` must find another write. Else no answer
  /// came, for the budget or memory.
  Answer answer = Answer::Unsat;
  std::vector<NodeId> plan;
  ModelInputs inputs;
  std::vector<std::pair<NodeId, LocationId>> reads;
  SolverStats stats;
  Budget budget;  // that it had, of its own, so that it does not depend on the pace of others when it ends
};

/// `cores`: only the reads that a core needs (section 5.4); else all that find writes of their own threads.
Con2colicAnswer answerTo(const FormulaParts& parts, const Scenario& scenario, bool cores, Budget budget);

}  // namespace heddle

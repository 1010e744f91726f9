// FormulaBase: what all parts of the execution formula share: the forest that the formula describes, the
// solver that receives it, the literals of nodes, the guards of growth, and the budget.
//
// Threading: as the encoder that owns it.
#pragma once

#include "analysis/explore/formula/growth_guards.h"
#include "analysis/explore/formula/node_literals.h"
#include "analysis/explore/formula/update_budget.h"

namespace heddle {

struct FormulaBase {
  FormulaBase(const Forest& f, TermTable& t, Solver& s)
      : forest(f), terms(t), solver(s), nodes(f, t, s), guards(s) {}
  FormulaBase(const FormulaBase&) = delete;
  FormulaBase& operator=(const FormulaBase&) = delete;

  const Forest& forest;
  TermTable& terms;
  Solver& solver;
  NodeLiterals nodes;
  GrowthGuards guards;
  UpdateBudget budget;
};

/// What one kind of node, or one kind of question, adds to the formula. The base outlives it.
class EncoderPart {
 protected:
  explicit EncoderPart(FormulaBase& base)
      : forest_(base.forest),
        terms_(base.terms),
        solver_(base.solver),
        nodes_(base.nodes),
        guards_(base.guards),
        budget_(base.budget) {}

  const Forest& forest_;
  TermTable& terms_;
  Solver& solver_;
  NodeLiterals& nodes_;
  GrowthGuards& guards_;
  UpdateBudget& budget_;
};

}  // namespace heddle

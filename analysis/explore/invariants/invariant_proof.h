// InvariantProof: whether a program keeps its properties in loops without a bound, by invariants of its
// joint locations (docs/invariants.md). It says yes or nothing.
//
// Threading: pure function; spends a step for each location and each question.
#pragma once

#include <set>
#include <string>

#include "analysis/program/program.h"
#include "analysis/property.h"
#include "analysis/solver/solver.h"
#include "analysis/support/budget.h"

namespace heddle {

struct InvariantProof {
  std::set<Property> proven;  // of those asked for
  std::string problem;        // why not all are
  size_t locations = 0;
};

/// Of the properties asked for, all or none are proven. `withoutLoops`: a program is looked at even if no
/// loop has rounds whose number is not known; an exploration decides such a program by itself.
InvariantProof proveByInvariants(const Program& program, FunctionId entry, const std::set<Property>& asked,
                                 SolverKind solver, const Budget& budget, bool withoutLoops = false);

}  // namespace heddle

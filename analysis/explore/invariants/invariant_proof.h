// InvariantProof: whether a program keeps its properties in loops without a bound, by invariants of its
// joint locations (docs/invariants.md). It says yes or nothing.
//
// Threading: pure function; spends a step for each location and each question.
#pragma once

#include <cstdint>
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

/// Which invariants are looked for.
enum class InvariantEffort : uint8_t {
  Least,  // of the simplest domain alone, which takes a small part of the time
  All,
};

/// Either all properties asked for are proven, or none.
InvariantProof proveByInvariants(const Program& program, FunctionId entry, const std::set<Property>& asked,
                                 SolverKind solver, const Budget& budget,
                                 InvariantEffort effort = InvariantEffort::All);

}  // namespace heddle

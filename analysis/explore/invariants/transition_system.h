// TransitionSystem: a program as finitely many joint locations with variables, and steps between them as
// terms. Every execution of the program is an execution of the system, or differs from one only in the
// order of independent steps (docs/invariants.md).
//
// Threading: plain data.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "analysis/model/term.h"
#include "analysis/property.h"

namespace heddle {

using SystemLocation = uint32_t;

/// A step from one location to another; it can be taken where all of `when` hold.
struct SystemStep {
  SystemLocation from = 0, to = 0;
  std::vector<Term> when;    // of width 1
  std::vector<Term> values;  // by variable of `to`; over the variables of `from` and inputs
};

/// No execution may be at a location where all of `when` hold.
struct SystemObligation {
  SystemLocation at = 0;
  std::vector<Term> when;
};

struct TransitionSystem {
  std::vector<std::vector<Term>> variables;  // by location: symbols
  SystemLocation initial = 0;                // the initial location has no variables
  std::vector<SystemStep> steps;
  std::vector<SystemObligation> obligations;
  bool hasLoops = false;        // the rounds of such loops are steps, because their number is not known
  std::set<Property> unproven;  // nothing is claimed about these properties, whatever holds
};

}  // namespace heddle

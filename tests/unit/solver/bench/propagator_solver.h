// The order theory as a user propagator of Z3, for docs/solver.md: the same graph as in our own search,
// Boolean search and bit-vectors by Z3. Only what bench_solver asks: one question, no core, no model.
#pragma once

#include <memory>

#include "analysis/solver/solver.h"

namespace heddle::bench {

/// `implied`: atoms that an edge implies are propagated with their reasons; else only cycles are reported.
std::unique_ptr<Solver> makePropagatorSolver(const TermTable& terms, bool implied);

}  // namespace heddle::bench

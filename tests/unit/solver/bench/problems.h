// Problems of a given size for measuring solvers; each returns the assumptions of the question that is timed.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/solver/solver.h"

namespace heddle::bench {

/// holes + 1 pigeons: unsatisfiable, exponential for resolution.
std::vector<Lit> pigeons(Solver& solver, unsigned holes);

/// Random 3-SAT at the threshold.
std::vector<Lit> random3Sat(Solver& solver, unsigned variables, uint64_t seed);

/// `threads` threads that each add 1 to a shared variable `increments` times (a read, then a write), with
/// reads-from and from-read constraints as the exploration encodes them; asks for the final value `wanted`.
struct Counter {
  unsigned threads, increments;
  bool locked;  // every increment inside one lock
  unsigned wanted;
};
std::vector<Lit> counter(Solver& solver, TermTable& terms, const Counter& shape);

/// Is there a 32-bit x with x * x == value and x odd?
std::vector<Lit> squareRoot(Solver& solver, TermTable& terms, uint64_t value, unsigned width);

}  // namespace heddle::bench

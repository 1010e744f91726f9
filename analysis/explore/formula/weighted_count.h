// How many of some literals are true, as literals.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/solver/solver.h"

namespace heddle {

/// "At least k", for each k from 1 up to the sum of the weights, of the literals that are true.
std::vector<Lit> countWeights(Solver& solver, const std::vector<std::pair<Lit, int64_t>>& weights);

}  // namespace heddle

// Weighted count: literals that say how many of some literals are true.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/solver/solver.h"

namespace heddle {

/// One literal for each k from 1 up to the sum of the weights: "the weights of the true literals sum up to
/// at least k".
std::vector<Lit> countWeights(Solver& solver, const std::vector<std::pair<Lit, int64_t>>& weights);

}  // namespace heddle

// The fast backend: our own search with the order theory inside, data bit-blasted (docs/solver.md).
//
// Threading: as Solver says.
#pragma once

#include <memory>

#include "analysis/solver/sat/options.h"
#include "analysis/solver/solver.h"

namespace heddle {

std::unique_ptr<Solver> makeSatSolver(const TermTable& terms, const sat::Options& options = {});

}  // namespace heddle

// The Z3 backend: the second opinion, and the engine of the papers' strategies.
//
// Order nodes are integers, data are bit-vectors, both in one incremental solver. This folder is the only one
// that includes Z3's headers; no Z3 exception leaves it (a failure becomes the answer of the next check).
//
// Threading: one context per solver, used by the owner's thread; only Z3_interrupt comes from another one.
#pragma once

#include <memory>

#include "analysis/solver/solver.h"

namespace heddle {

std::unique_ptr<Solver> makeZ3Solver(const TermTable& terms);

}  // namespace heddle

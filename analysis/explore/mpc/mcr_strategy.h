// McrStrategy (`mcr`): Maximal Causality Reduction (Huang, PLDI 2015; MPC, section 2.2) for fixed inputs.
//
// A thread's path is the history of the values that it has read. (Data validity: a thread does the same
// again if it reads the same values, no matter from which writes.) Each run aims at a new value for some
// read. The strategy explores the combinations of such histories as `mpc-s2-fixed` explores those of
// branches, so it misses none and runs none twice.
//
// Threading: one thread.
#pragma once

#include "analysis/explore/run/exploration.h"

namespace heddle {

/// Inputs are the constants of the options. Fills the runner's result; the result is complete when every
/// combination of value histories was executed.
void exploreByValues(Runner& runner, const Budget& budget);

}  // namespace heddle

// McrStrategy (`mcr`): Maximal Causality Reduction (Huang, PLDI 2015; MPC, section 2.2) for fixed inputs.
//
// A thread's path is the history of the values that it has read (data validity: to do the same again it must
// read the same values, no matter from which writes), and each run is driven by a new value for some read.
// The combinations of such histories are explored as `mpc-s2-fixed` explores those of branches, so none is
// missed and none is run twice.
//
// Threading: one thread.
#pragma once

#include "analysis/explore/run/exploration.h"

namespace heddle {

/// Inputs are the constants of the options. Fills the runner's result; complete when every combination of
/// value histories was executed.
void exploreByValues(Runner& runner, const Budget& budget);

}  // namespace heddle

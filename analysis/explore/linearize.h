// Linearize: an equivalent order of a planned execution with few context switches, so that people can read
// it.
//
// Two orders are equivalent when they agree on every pair of dependent events (same thread, same location
// with at least one write, same mutex, create and start, end and join); equivalent executions read the same
// values (Mazurkiewicz).
//
// Threading: pure function.
#pragma once

#include <vector>

#include "analysis/explore/forest.h"

namespace heddle {

/// `plan`: event nodes in execution order. Keeps one thread running for as long as its next event depends on
/// nothing that has not happened yet.
std::vector<NodeId> withFewSwitches(const Forest& forest, const std::vector<NodeId>& plan);

}  // namespace heddle

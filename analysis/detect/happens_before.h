// Happens-before in one execution: program order, creates and joins, locks, conditions, synchronization
// objects, atomic accesses and atomic sections, as vector clocks over the executed events.
//
// Two conflicting accesses that it does not order are a data race. The first such pair of an execution needs
// no solver to be shown: everything before the second access is ordered by happens-before where it conflicts,
// so what comes before either of the two can be executed alone, in the order of the execution, and finds the
// same; then both come next (docs/encoding.md, "Races in every run").
//
// Cost: linear in the events, times the threads. Threading: a function of its arguments.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/explore/forest.h"

namespace heddle {

/// Two conflicting accesses of an execution that nothing orders; indices into its events.
struct UnorderedPair {
  size_t first = 0, second = 0;
  /// The events that come before either of them, or before the atomic section that it lies in; ascending.
  std::vector<size_t> before;
};

/// The pair whose second access comes first. `executed`: the events of one run, in their order.
std::optional<UnorderedPair> firstUnordered(const Forest& forest, std::span<const NodeId> executed);

}  // namespace heddle

// Linearize: the order of a model's events, and an equivalent order of a planned execution with few context
// switches, which people can read more easily.
//
// Two orders are equivalent when they agree on every pair of dependent events (same thread, same location
// with at least one write, same mutex, create and start, end and join); equivalent executions read the same
// values (Mazurkiewicz).
//
// Threading: pure function.
#pragma once

#include <functional>
#include <vector>

#include "analysis/explore/forest/forest.h"

namespace heddle {

/// The events of a model in two parts, each in order. An atomic section that its thread does not leave
/// comes last, because no other thread can go on after it. The end of a thread that fails in such a section
/// belongs to that part, too.
struct ModelOrder {
  std::vector<NodeId> before;
  std::vector<NodeId> inOpenSection;

  std::vector<NodeId> whole() const;
};

/// `size`: the number of nodes that the formula knows. `happens` tells of a node whether it happens in the
/// model, `position` gives the position of an event node in the model's order.
ModelOrder orderOfModel(const Forest& forest, size_t size, const std::function<bool(NodeId)>& happens,
                        const std::function<uint64_t(NodeId)>& position);

/// `plan`: event nodes in execution order. The same thread goes on as long as its next event does not
/// depend on an event that has not happened yet.
std::vector<NodeId> withFewSwitches(const Forest& forest, const std::vector<NodeId>& plan);

}  // namespace heddle

// Linearize: the order of a model's events, and an equivalent order of a planned execution with few context
// switches, so that people can read it.
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

/// The events of a model, each part in its order. An atomic section that its thread does not leave comes
/// last, as nobody else can go on then; so does the end of a thread that fails in it.
struct ModelOrder {
  std::vector<NodeId> before;
  std::vector<NodeId> inOpenSection;

  std::vector<NodeId> whole() const;
};

/// `size`: the nodes that the formula knows. `happens` and `position`: of nodes and of event nodes, by the
/// model.
ModelOrder orderOfModel(const Forest& forest, size_t size, const std::function<bool(NodeId)>& happens,
                        const std::function<uint64_t(NodeId)>& position);

/// `plan`: event nodes in execution order. Keeps one thread running for as long as its next event depends on
/// nothing that has not happened yet.
std::vector<NodeId> withFewSwitches(const Forest& forest, const std::vector<NodeId>& plan);

}  // namespace heddle

// StrongerOrders: memory orders that repair a program which fails only because its orders are too weak.
//
// Threading: as analyze().
#pragma once

#include <optional>
#include <string>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

/// True if the program was explored under a model in which stores can be seen late, so that orders and
/// fences matter.
bool isExploredWeakly(const Options& options, const Report& report);

struct StrongerOrders {
  std::string text;  // new text of the snapshot's file
  std::string title;
};

/// nullopt: the program was not explored under a weak memory model, or sequentially consistent orders do
/// not verify it, either. Otherwise each order that became stronger must be stronger, given the others.
std::optional<StrongerOrders> strongerOrders(const Snapshot& snapshot, const Options& options,
                                             const Report& report, const Budget& budget);

}  // namespace heddle

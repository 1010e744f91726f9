// StrongerOrders: memory orders that make a program right which fails only because its orders are too weak.
//
// Threading: as analyze().
#pragma once

#include <optional>
#include <string>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

/// Stores can be seen late in it: orders and fences make a difference.
bool isExploredWeakly(const Options& options, const Report& report);

struct StrongerOrders {
  std::string text;  // of the snapshot's file
  std::string title;
};

/// None: the program was not explored under a weak memory model, or is not verified with its orders
/// sequentially consistent, either. Else each order that is stronger must be, the others being as they are.
std::optional<StrongerOrders> strongerOrders(const Snapshot& snapshot, const Options& options,
                                             const Report& report, const Budget& budget);

}  // namespace heddle

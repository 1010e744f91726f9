// OrderRepairs: what mends a program that fails only because stores are seen late, without a lock: stronger
// orders of atomic operations; fences where these do not help or cost more.
//
// Threading: as analyze().
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct OrderRepair {
  enum class Kind : uint8_t { MemoryOrders, Fences };
  Kind kind = Kind::MemoryOrders;
  std::string title;
  std::map<std::string, std::string> texts;  // by absolute path
  size_t extraCost = 0;                      // in changed lines, over the cheapest
};

/// "memory-orders", "fences"
const char* toString(OrderRepair::Kind kind);

/// Cheapest first, by costOf(). Empty: the program was not explored under a weak memory model, or neither
/// verifies it.
std::vector<OrderRepair> orderRepairs(const Snapshot& snapshot, const Options& options, const Report& report,
                                      const Budget& budget);

}  // namespace heddle

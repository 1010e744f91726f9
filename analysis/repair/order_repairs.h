// OrderRepairs: repairs without a lock for a program that fails only because stores are seen late: stronger
// orders of atomic operations, or fences if those do not help or cost more.
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
  size_t extraCost = 0;                      // extra cost over the cheapest repair, in changed lines
};

/// "memory-orders", "fences"
const char* toString(OrderRepair::Kind kind);

/// The repairs, cheapest first by costOf(). Empty: the program was not explored under a weak memory model,
/// or neither kind of repair verifies it.
std::vector<OrderRepair> orderRepairs(const Snapshot& snapshot, const Options& options, const Report& report,
                                      const Budget& budget);

}  // namespace heddle

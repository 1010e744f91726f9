// MemoryOrders: the memory orders that a C text names, and the weakest ones with which a program is still
// verified. From sequentially consistent orders these are what could be weaker; from orders that are too
// weak, made strong and then weakened no further than they were, these must be stronger: none can stay as it
// was while the others are. Neither need be the smallest set there is.
//
// Executions only become more as an order becomes weaker. So each order is tried once, one after the other
// (several at a time where that goes): what could not be weakened cannot be weakened later, either.
//
// Threading: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/memory_order.h"

namespace heddle {

/// An order as an argument of an atomic operation or a fence.
struct NamedOrder {
  enum class Of : uint8_t { Load, Store, Update, Failure, Fence };
  Of of = Of::Load;           // Failure: of a compare-exchange; stands right behind the order of its success
  size_t begin = 0, end = 0;  // bytes
  uint32_t line = 1;
  bool isBuiltin = false;  // __ATOMIC_ACQUIRE, and not memory_order_acquire
  MemoryOrder order = MemoryOrder::SeqCst;
};

/// In order of places. Orders that are arguments of anything else, or are left out, are not among them.
std::vector<NamedOrder> namedOrders(std::string_view text);

/// As the text names them, one for each of `named`.
std::vector<MemoryOrder> ordersOf(const std::vector<NamedOrder>& named);

/// "memory_order_release"
std::string toString(MemoryOrder order, bool isBuiltin);

/// The text with other orders, one for each of `named`.
std::string withOrders(std::string_view text, const std::vector<NamedOrder>& named,
                       const std::vector<MemoryOrder>& orders);

/// From `orders`, for each of `named`, down to the weakest with which `isGood` holds and which are no weaker
/// than `least`. `isGood` holds for `orders`, which are no weaker than `least`.
std::vector<MemoryOrder> weakestOrders(const std::vector<NamedOrder>& named, std::vector<MemoryOrder> orders,
                                       const std::vector<MemoryOrder>& least,
                                       const std::function<bool(const std::vector<MemoryOrder>&)>& isGood);

/// What orders cost over relaxed ones, in cycles of an uncontended operation on a current processor: no
/// measurement of the program, only good for telling a cheap set from a dear one.
struct OrderCost {
  uint32_t x86 = 0;  // stores that are sequentially consistent, and full fences, wait for the store buffer
  uint32_t arm = 0;  // Armv8: ldar, stlr, dmb
  uint32_t sum() const { return x86 + arm; }
};
OrderCost costOf(const std::vector<NamedOrder>& named);
/// Of one full fence.
OrderCost costOfFence();

}  // namespace heddle

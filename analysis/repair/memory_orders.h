// MemoryOrders: the memory orders that a C text names, and the weakest ones with which a program is still
// verified. For a correct program, the result shows which orders could be weaker. For a program whose
// orders are too weak, all orders are made strong and then weakened, at most to what they were. The orders
// that end up stronger must be stronger: none of them can stay as it was while the others are stronger. In
// both cases, the set of changed orders need not be the best one.
//
// A weaker order only adds executions. So each order is tried once, one after the other (several at a time
// if possible): an order that could not be weakened cannot be weakened later, either.
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
  Of of = Of::Load;           // Failure: of a compare-exchange; it comes right after the order for success
  size_t begin = 0, end = 0;  // bytes
  uint32_t line = 1;
  bool isBuiltin = false;  // written as __ATOMIC_ACQUIRE, not memory_order_acquire
  MemoryOrder order = MemoryOrder::SeqCst;
};

/// The orders that the text names, in order of places. Orders that are arguments of anything else, or that
/// the text leaves out, are not among them.
std::vector<NamedOrder> namedOrders(std::string_view text);

/// The orders as the text names them, one for each of `named`.
std::vector<MemoryOrder> ordersOf(const std::vector<NamedOrder>& named);

/// "memory_order_release"
std::string toString(MemoryOrder order, bool isBuiltin);

/// The text with other orders, one for each of `named`.
std::string withOrders(std::string_view text, const std::vector<NamedOrder>& named,
                       const std::vector<MemoryOrder>& orders);

/// Weakens `orders` as far as `isGood` holds and none becomes weaker than in `least`. There is one order
/// for each of `named`. `isGood` must hold for `orders`, and `orders` must not be weaker than `least`.
std::vector<MemoryOrder> weakestOrders(const std::vector<NamedOrder>& named, std::vector<MemoryOrder> orders,
                                       const std::vector<MemoryOrder>& least,
                                       const std::function<bool(const std::vector<MemoryOrder>&)>& isGood);

/// The extra cost of orders over relaxed ones, in cycles of an uncontended operation on a current
/// processor. It is not a measurement of the program; it only serves to compare sets of orders.
struct OrderCost {
  uint32_t x86 = 0;  // stores that are sequentially consistent, and full fences, wait for the store buffer
  uint32_t arm = 0;  // Armv8: ldar, stlr, dmb
  uint32_t sum() const { return x86 + arm; }
};
OrderCost costOf(const std::vector<NamedOrder>& named);
/// The cost of one full fence.
OrderCost costOfFence();

}  // namespace heddle

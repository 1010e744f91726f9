// WeakerOrders: the weakest memory orders with which a program stays verified or, if it fails, the orders
// that must be stronger. No single order could be weaker; another set may change fewer orders.
//
// Threading: a pure function, except for the explorations in `explore`, which it calls on the calling
// thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "analysis/model/memory_order.h"
#include "analysis/report.h"

namespace heddle {

struct WeakerOrders {
  enum class Outcome : uint8_t {
    Found,            // `text` is verified; it may be the original text
    NoOrders,         // the text names no orders
    OrdersIgnored,    // under sequential consistency all orders could be relaxed, so the result would mean
                      // nothing
    NotVerified,      // the original text is not verified; nothing was tried
    FailsWithStrong,  // it fails, and sequentially consistent orders do not verify it, either
  };
  Outcome outcome = Outcome::NoOrders;
  bool fails = false;             // the original text fails, so orders must be stronger
  size_t changed = 0, named = 0;  // orders
  size_t explorations = 0;
  std::string text;  // the text with the new orders
  Report report;     // report of the original text
};

/// `explore`: the report on a variant of the text under `model`; it is called many times.
WeakerOrders weakerOrders(const std::string& text, MemoryModelKind model,
                          const std::function<Report(const std::string&)>& explore);

/// "2 of 7 memory orders can be weaker"
std::string toString(const WeakerOrders& orders);

}  // namespace heddle

// WeakerOrders: the weakest memory orders with which a program stays verified, or, where it fails, the ones
// that must be stronger. None of them could be weaker alone; another set may be smaller.
//
// Threading: pure but for the explorations that the caller makes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "analysis/model/memory_order.h"
#include "analysis/report.h"

namespace heddle {

struct WeakerOrders {
  enum class Outcome : uint8_t {
    Found,            // `text` is verified; it may be the text as it was
    NoOrders,         // the text names none
    OrdersIgnored,    // under sequential consistency all of them could be relaxed, which says nothing
    NotVerified,      // as it is; nothing was tried
    FailsWithStrong,  // it fails, and is not verified with sequentially consistent orders, either
  };
  Outcome outcome = Outcome::NoOrders;
  bool fails = false;             // as it is: orders must be stronger
  size_t changed = 0, named = 0;  // orders
  size_t explorations = 0;
  std::string text;  // with the orders found
  Report report;     // of the text as it is
};

/// `explore`: what a text like this one is under `model`, as Heddle says; called many times.
WeakerOrders weakerOrders(const std::string& text, MemoryModelKind model,
                          const std::function<Report(const std::string&)>& explore);

/// "2 of 7 memory orders can be weaker"
std::string toString(const WeakerOrders& orders);

}  // namespace heddle

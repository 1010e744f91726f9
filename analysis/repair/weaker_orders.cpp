#include "analysis/repair/weaker_orders.h"

#include "analysis/repair/memory_orders.h"

namespace heddle {

WeakerOrders weakerOrders(const std::string& text, MemoryModelKind model,
                          const std::function<Report(const std::string&)>& explore) {
  WeakerOrders result;
  const std::vector<NamedOrder> named = namedOrders(text);
  result.named = named.size();
  if (named.empty()) return result;
  if (model == MemoryModelKind::Sc) {
    result.outcome = WeakerOrders::Outcome::OrdersIgnored;
    return result;
  }
  const std::vector<MemoryOrder> written = ordersOf(named);
  const auto explored = [&](const std::vector<MemoryOrder>& orders) {
    ++result.explorations;
    return explore(withOrders(text, named, orders));
  };
  const auto isVerified = [&](const std::vector<MemoryOrder>& orders) {
    return explored(orders).verdict == Verdict::Verified;
  };
  result.report = explored(written);
  result.fails = result.report.verdict == Verdict::Violated;
  result.outcome = WeakerOrders::Outcome::NotVerified;
  if (!result.fails && result.report.verdict != Verdict::Verified) return result;
  std::vector<MemoryOrder> from = written, least(named.size(), MemoryOrder::Relaxed);
  if (result.fails) {
    from.assign(named.size(), MemoryOrder::SeqCst);
    least = written;
    result.outcome = WeakerOrders::Outcome::FailsWithStrong;
    if (!isVerified(from)) return result;
  }
  const std::vector<MemoryOrder> found = weakestOrders(named, from, least, isVerified);
  for (size_t i = 0; i < found.size(); ++i) result.changed += found[i] != written[i] ? 1 : 0;
  result.text = withOrders(text, named, found);
  result.outcome = WeakerOrders::Outcome::Found;
  return result;
}

std::string toString(const WeakerOrders& orders) {
  return std::to_string(orders.changed) + " of " + std::to_string(orders.named) + " memory orders " +
         (orders.fails ? "must be stronger" : "can be weaker");
}

}  // namespace heddle

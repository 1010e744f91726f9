#include "analysis/repair/stronger_orders.h"

#include "analysis/repair/memory_orders.h"

namespace heddle {

namespace {

/// "strengthen memory orders: memory_order_release at line 12, memory_order_acquire at line 20"
std::string titleOfStronger(const std::vector<NamedOrder>& named, const std::vector<MemoryOrder>& orders) {
  std::string list;
  size_t count = 0;
  for (size_t i = 0; i < named.size(); ++i) {
    if (orders[i] == named[i].order) continue;
    list += (count++ == 0 ? "" : ", ") + toString(orders[i], named[i].isBuiltin) + " at line " +
            std::to_string(named[i].line);
  }
  return std::string(count == 1 ? "strengthen a memory order: " : "strengthen memory orders: ") + list;
}

}  // namespace

bool isExploredWeakly(const Options& options, const Report& report) {
  // Under C11 a program without weaker operations is explored under sequential consistency.
  return options.memoryModel != MemoryModelKind::Sc && report.memory.find("suffices") == std::string::npos;
}

std::optional<StrongerOrders> strongerOrders(const Snapshot& snapshot, const Options& options,
                                             const Report& report, const Budget& budget) {
  if (report.findings.empty() || !isExploredWeakly(options, report)) return std::nullopt;
  const std::vector<NamedOrder> named = namedOrders(snapshot.text);
  const std::vector<MemoryOrder> written = ordersOf(named);
  const std::vector<MemoryOrder> strong(named.size(), MemoryOrder::SeqCst);
  if (written == strong) return std::nullopt;
  Options quick = options;
  quick.diagnose = quick.smallWitnesses = quick.summarizeAccesses = false;
  const auto isVerified = [&](const std::vector<MemoryOrder>& orders) {
    Snapshot changed = snapshot;
    changed.text = withOrders(snapshot.text, named, orders);
    return analyze(changed, quick, budget).verdict == Verdict::Verified;
  };
  if (!isVerified(strong)) return std::nullopt;
  const std::vector<MemoryOrder> found = weakestOrders(named, strong, written, isVerified);
  // Without time to ask, orders stay stronger than they must be.
  if (budget.check() != StopReason::None) return std::nullopt;
  return StrongerOrders{withOrders(snapshot.text, named, found), titleOfStronger(named, found)};
}

}  // namespace heddle

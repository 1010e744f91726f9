#include "analysis/repair/order_repairs.h"

#include "analysis/repair/fences.h"
#include "analysis/repair/memory_orders.h"
#include "analysis/repair/realize.h"
#include "analysis/repair/stronger_orders.h"

namespace heddle {
namespace {

constexpr uint32_t kCyclesOfALine = 10;  // a changed line more is worth it

/// In cycles, over all architectures.
uint32_t costOfChange(const Snapshot& snapshot, const std::map<std::string, std::string>& texts) {
  uint32_t before = 0, after = 0;
  for (const auto& [path, text] : texts) {
    before += costOf(namedOrders(textIn(snapshot, path))).sum();
    after += costOf(namedOrders(text)).sum();
  }
  return after > before ? after - before : 0;
}

/// A fence that is there already is better than one more.
bool strengthensFence(const std::string& before, const std::string& after) {
  const std::vector<NamedOrder> old = namedOrders(before), fresh = namedOrders(after);
  for (size_t i = 0; i < old.size() && i < fresh.size(); ++i)
    if (old[i].of == NamedOrder::Of::Fence && old[i].order != fresh[i].order) return true;
  return false;
}

}  // namespace

const char* toString(OrderRepair::Kind kind) {
  return kind == OrderRepair::Kind::MemoryOrders ? "memory-orders" : "fences";
}

std::vector<OrderRepair> orderRepairs(const Snapshot& snapshot, const Options& options, const Report& report,
                                      const Budget& budget) {
  std::vector<OrderRepair> found;
  if (!isExploredWeakly(options, report)) return found;
  uint32_t costOfOrders = 0;
  if (const auto stronger = strongerOrders(snapshot, options, report, budget)) {
    found.push_back({OrderRepair::Kind::MemoryOrders, stronger->title, {{snapshot.path, stronger->text}}, 0});
    costOfOrders = costOfChange(snapshot, found.front().texts);
    if (costOfOrders <= costOfFence().sum() || strengthensFence(snapshot.text, stronger->text)) return found;
  }
  const auto fences = fencesFor(snapshot, options, report, budget);
  if (!fences) return found;
  const uint32_t cost = costOfChange(snapshot, fences->texts);
  if (!found.empty() && cost >= costOfOrders) return found;
  for (OrderRepair& dearer : found) dearer.extraCost = (costOfOrders - cost) / kCyclesOfALine + 1;
  found.insert(found.begin(), {OrderRepair::Kind::Fences, fences->title, fences->texts, 0});
  return found;
}

}  // namespace heddle

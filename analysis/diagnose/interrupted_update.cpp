#include "analysis/diagnose/interrupted_update.h"

#include <algorithm>
#include <map>

namespace heddle {

namespace {

struct LastUse {
  NodeId node = kNone;
  bool interrupted = false;  // another thread has written since
};

RepairPlan planOf(const SourceView& view, NodeId first, NodeId second) {
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::AtomicUpdate;
  plan.regions = {{view.access(first), view.access(second)}};
  plan.objects = {view.object(second)};
  plan.cost = 2;
  plan.coversCores = 1;
  plan.why = {"another thread changes `" + plan.objects[0] + "` between line " +
              std::to_string(view.place(first).line) + " and line " +
              std::to_string(view.place(second).line)};
  return plan;
}

}  // namespace

std::vector<RepairPlan> interruptedUpdates(const SourceView& view, const RecordedExecution& execution) {
  const Forest& forest = view.forest();
  std::map<LocationId, std::map<ThreadId, LastUse>> uses;
  std::vector<RepairPlan> plans;
  for (const NodeId node : execution.order) {
    const Node& n = forest[node];
    if (!isMemoryAccess(n) || n.rule != nullptr || n.cells.size() != 1) continue;
    std::map<ThreadId, LastUse>& threads = uses[n.cells[0].location];
    const auto own = threads.find(n.thread);
    if (own != threads.end() && own->second.interrupted) {
      const NodeId first = own->second.node;
      const bool changes = isMemoryWrite(forest[first]) || isMemoryWrite(n);
      const bool isAtomic = forest[first].atomic || n.atomic;
      if (changes && isAtomic && view.place(first).function == view.place(node).function) {
        RepairPlan plan = planOf(view, first, node);
        if (std::find(plans.begin(), plans.end(), plan) == plans.end())
          plans.insert(plans.begin(), std::move(plan));
      }
    }
    if (isMemoryWrite(n))
      for (auto& [thread, use] : threads) use.interrupted = true;
    threads[n.thread] = {node, false};
  }
  return plans;
}

}  // namespace heddle

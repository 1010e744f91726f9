// Plans for threads that wait for ever: one order of mutexes, a loop around a wait.
#include <algorithm>
#include <set>

#include "analysis/diagnose/plans.h"

namespace heddle {

std::vector<RepairPlan> PlanMaker::forWaits(const std::vector<NodeId>& path) const {
  const Forest& forest = view_.forest();
  std::vector<RepairPlan> plans;
  for (const NodeId node : path) {
    if (forest[node].event != EventKind::Wait) continue;
    RepairPlan plan;
    plan.kind = RepairPlan::Kind::LoopAroundWait;
    plan.regions = {{view_.access(node)}};
    plan.objects = {view_.object(node)};
    plan.cost = 1;
    plan.why = {"a thread may wake, or a signal may come, when the condition does not hold"};
    if (std::find(plans.begin(), plans.end(), plan) != plans.end()) continue;
    plans.push_back(plan);
    // The program's own flag may be reset, or be for something else.
    plan.newFlag = true;
    plan.cost = 2;
    plans.push_back(std::move(plan));
  }
  return plans;
}

namespace {

/// "lock" of "from->lock", "fork" of "fork[2]".
std::string lastName(const std::string& object) {
  const std::string name = object.substr(0, object.find('['));
  const size_t at = name.find_last_of(".>");
  return at == std::string::npos ? name : name.substr(at + 1);
}

}  // namespace

std::vector<RepairPlan> PlanMaker::forDeadlock(const std::vector<NodeId>& waiting) const {
  const Forest& forest = view_.forest();
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::LockOrder;
  std::set<std::string> mutexes;
  std::vector<Region> acquiring;
  for (const NodeId node : waiting) {
    if (forest[node].event != EventKind::Lock || forest[node].held.empty()) return {};
    acquiring.push_back({forest[node].held.front(), node});
    std::vector<SourceAccess> acquisitions;
    for (const NodeId held : forest[node].held) {
      acquisitions.push_back(view_.access(held));
      mutexes.insert(acquisitions.back().object);
    }
    acquisitions.push_back(view_.access(node));
    mutexes.insert(acquisitions.back().object);
    if (std::find(plan.regions.begin(), plan.regions.end(), acquisitions) == plan.regions.end())
      plan.regions.push_back(std::move(acquisitions));
  }
  if (waiting.size() < 2 || mutexes.size() < 2) return {};
  // The order that the first thread has already, so that it need not change.
  for (const std::vector<SourceAccess>& region : plan.regions)
    for (const SourceAccess& access : region)
      if (std::find(plan.lockOrder.begin(), plan.lockOrder.end(), access.object) == plan.lockOrder.end())
        plan.lockOrder.push_back(access.object);
  plan.objects = plan.lockOrder;
  plan.cost = static_cast<uint32_t>(plan.regions.size() - 1);
  plan.coversCores = 1;
  plan.why.push_back("every thread that needs " + listOf(plan.lockOrder) +
                     " must lock them in the same order");
  // Where no order has names, as in an array of mutexes: that of their addresses.
  RepairPlan byAddress = plan;
  byAddress.kind = RepairPlan::Kind::LockByAddress;
  byAddress.lockOrder.clear();
  byAddress.cost = static_cast<uint32_t>(2 * plan.regions.size());
  byAddress.why = {"two threads that lock " + listOf(plan.objects) + " need one order"};
  // Or one thread at a time acquires what it needs.
  std::optional<RepairPlan> oneAtATime = newMutex(acquiring);
  const bool isOneKind = std::all_of(mutexes.begin(), mutexes.end(), [&](const std::string& name) {
    return lastName(name) == lastName(*mutexes.begin());
  });
  if (isOneKind) std::swap(plan, byAddress);
  if (!oneAtATime) return {plan, byAddress};
  oneAtATime->objects = plan.objects;
  oneAtATime->coversCores = 1;
  oneAtATime->why = {"only one thread at a time may acquire " + listOf(plan.objects)};
  return {plan, byAddress, *oneAtATime};
}

}  // namespace heddle

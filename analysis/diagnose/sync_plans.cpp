// Plans that mend how the program uses its own synchronization objects: a lock that is never released, a
// change that nobody announces, a try whose failure is ignored, a wrong initial count.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "analysis/diagnose/kept_lock.h"
#include "analysis/diagnose/plans.h"

namespace heddle {

namespace {

bool isDataWrite(const Node& n) {
  return isMemoryWrite(n) && !n.rule;
}

void addNew(std::vector<RepairPlan>& plans, RepairPlan plan) {
  plan.coversCores = 1;
  if (std::find(plans.begin(), plans.end(), plan) == plans.end()) plans.push_back(std::move(plan));
}

}  // namespace

std::vector<RepairPlan> PlanMaker::forSynchronization(const RecordedExecution& execution,
                                                      const std::vector<NodeId>& waiting) const {
  std::vector<RepairPlan> plans;
  for (const NodeId node : waiting) {
    if (std::optional<RepairPlan> plan = releaseLock(execution, node)) addNew(plans, std::move(*plan));
    for (RepairPlan& plan : announceChange(execution, node)) addNew(plans, std::move(plan));
  }
  if (std::optional<RepairPlan> plan = releaseFirst(execution, waiting)) addNew(plans, std::move(*plan));
  for (RepairPlan& plan : waitOutside(waiting)) addNew(plans, std::move(plan));
  for (RepairPlan& plan : initialCounts(execution, waiting)) addNew(plans, std::move(plan));
  if (std::optional<RepairPlan> plan = blockingCalls(execution)) addNew(plans, std::move(*plan));
  if (std::optional<RepairPlan> plan = writeLocks(execution)) addNew(plans, std::move(*plan));
  return plans;
}

std::optional<RepairPlan> PlanMaker::releaseLock(const RecordedExecution& execution, NodeId waiting) const {
  const Forest& forest = view_.forest();
  if (!acquires(forest[waiting])) return std::nullopt;
  const LocationId lock = forest[waiting].cells[0].location;
  NodeId kept = keptLock(forest, execution.order, lock);
  // Who waits for the end of a thread in another function than the one that took the lock has come back from
  // that one with it.
  for (const NodeId node : execution.blocked)
    for (const NodeId held : forest[node].held)
      if (kept == kNone && forest[node].event == EventKind::Join && cellAt(forest[held], lock) &&
          view_.place(held).function != view_.place(node).function)
        kept = held;
  if (kept == kNone) return std::nullopt;
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::ReleaseLock;
  plan.regions = {{view_.access(kept)}};
  plan.objects = {view_.object(kept)};
  plan.cost = 1;
  plan.why = {view_.thread(kept) + " goes on and still has `" + plan.objects[0] + "`"};
  return plan;
}

std::vector<RepairPlan> PlanMaker::announceChange(const RecordedExecution& execution, NodeId waiting) const {
  const Forest& forest = view_.forest();
  const NodeId wait = forest[waiting].acquire;
  if (forest[waiting].event != EventKind::Wake || wait == kNone || forest[wait].held.empty()) return {};
  // What the thread has looked at since it took the mutex is what it waits for, but not what it looked at
  // only to change it (a count of who waits).
  std::set<LocationId> condition, changedLater;
  for (NodeId node = wait; node != kNone && node != forest[wait].held.back(); node = forest[node].lastEvent)
    for (const NodeCell& cell : forest[node].cells) {
      if (isDataWrite(forest[node]))
        changedLater.insert(cell.location);
      else if (isMemoryRead(forest[node]) && !forest[node].rule && !changedLater.contains(cell.location))
        condition.insert(cell.location);
    }
  std::vector<SourceAccess> changes;
  for (const bool ownCode : {false, true}) {
    for (NodeId id = 0; id < forest.size() && !condition.empty(); ++id) {
      const Node& n = forest[id];
      if (!n.executed || !isDataWrite(n) || precedence_.always(id, wait)) continue;
      // Who runs the waiting code changes the condition for others, if anybody else does.
      if ((view_.threadFunction(id) == view_.threadFunction(wait)) != ownCode) continue;
      const SourceAccess access = view_.access(id);
      const bool isOfCondition = std::any_of(n.cells.begin(), n.cells.end(), [&](const NodeCell& cell) {
        return condition.count(cell.location) != 0;
      });
      if (isOfCondition && std::find(changes.begin(), changes.end(), access) == changes.end())
        changes.push_back(access);
    }
    if (!changes.empty()) break;
  }
  // What this execution did last should have woken the thread.
  const auto lastAt = [&](const SourceAccess& change) {
    size_t at = 0;
    for (size_t i = 0; i < execution.order.size(); ++i)
      if (isDataWrite(forest[execution.order[i]]) && view_.access(execution.order[i]) == change) at = i + 1;
    return at;
  };
  std::stable_sort(changes.begin(), changes.end(),
                   [&](const SourceAccess& a, const SourceAccess& b) { return lastAt(a) > lastAt(b); });
  std::vector<RepairPlan> plans;
  RepairPlan plan;
  plan.objects = {view_.object(waiting)};
  plan.cost = static_cast<uint32_t>(changes.size());
  if (!changes.empty()) {
    plan.kind = RepairPlan::Kind::AnnounceChange;
    for (const SourceAccess& change : changes) plan.orders.push_back({change, view_.access(wait), 1});
    plan.why = {"who waits for `" + plan.objects[0] + "` must hear of each change of its condition"};
    plans.push_back(plan);
  }
  RepairPlan toAll;
  toAll.kind = RepairPlan::Kind::StrongerCall;
  toAll.objects = plan.objects;
  bool waits = false;
  for (const NodeId node : execution.order) {
    const Node& n = forest[node];
    waits |= node == wait;
    // What was signalled before the wait would be lost by any call.
    if (!waits || n.event != EventKind::Signal || !cellAt(n, forest[waiting].cells[0].location)) continue;
    const std::vector<SourceAccess> call = {view_.access(node)};
    if (std::find(toAll.regions.begin(), toAll.regions.end(), call) == toAll.regions.end())
      toAll.regions.push_back(call);
  }
  toAll.cost = static_cast<uint32_t>(toAll.regions.size());
  toAll.why = {"a signal wakes one thread, and more may wait"};
  if (!toAll.regions.empty()) plans.insert(plans.begin(), std::move(toAll));
  return plans;
}

std::vector<RepairPlan> PlanMaker::initialCounts(const RecordedExecution& execution,
                                                 const std::vector<NodeId>& waiting) const {
  const Forest& forest = view_.forest();
  std::vector<RepairPlan> plans;
  const bool allAtOne = !waiting.empty() && std::all_of(waiting.begin(), waiting.end(), [&](NodeId node) {
    return isRule(forest[node], "barrier", "pass") &&
           forest[node].cells[0].location == forest[waiting[0]].cells[0].location;
  });
  // The initialization itself is no event when no other thread exists yet; its text will be looked for.
  std::set<LocationId> semaphores;
  for (const NodeId node : allAtOne ? waiting : execution.order) {
    const Node& n = forest[node];
    RepairPlan plan;
    plan.kind = RepairPlan::Kind::InitialCount;
    plan.regions = {{view_.access(node)}};
    plan.objects = {view_.object(node)};
    plan.cost = 1;
    if (allAtOne) {
      plan.count = static_cast<uint32_t>(waiting.size());
      plan.why = {std::to_string(waiting.size()) + " threads come to `" + plan.objects[0] + "`"};
      plans.push_back(std::move(plan));
      break;
    }
    if (!waiting.empty() || !isRule(n, "semaphore", "wait") || !semaphores.insert(n.cells[0].location).second)
      continue;
    plan.why = {"`" + plan.objects[0] + "` lets too many threads pass at first"};
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::optional<RepairPlan> PlanMaker::strongerCalls(const std::vector<NodeId>& calls) const {
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::StrongerCall;
  for (const NodeId node : calls) {
    const std::vector<SourceAccess> call = {view_.access(node)};
    if (std::find(plan.regions.begin(), plan.regions.end(), call) == plan.regions.end())
      plan.regions.push_back(call);
    const std::string object = view_.object(node);
    if (std::find(plan.objects.begin(), plan.objects.end(), object) == plan.objects.end())
      plan.objects.push_back(object);
  }
  if (plan.regions.empty()) return std::nullopt;
  plan.cost = static_cast<uint32_t>(plan.regions.size());
  return plan;
}

std::optional<RepairPlan> PlanMaker::blockingCalls(const RecordedExecution& execution) const {
  const Forest& forest = view_.forest();
  std::vector<NodeId> tries;
  for (const NodeId node : execution.order) {
    const Node& n = forest[node];
    if (n.event == EventKind::LockBusy || (n.rule && std::string_view(n.rule->verb).starts_with("try")))
      tries.push_back(node);
  }
  std::optional<RepairPlan> plan = strongerCalls(tries);
  if (plan) plan->why = {"the thread goes on without " + listOf(plan->objects)};
  return plan;
}

std::vector<RepairPlan> PlanMaker::waitOutside(const std::vector<NodeId>& waiting) const {
  const Forest& forest = view_.forest();
  std::vector<RepairPlan> plans;
  for (const NodeId node : waiting) {
    const Node& n = forest[node];
    const bool isJoin = n.event == EventKind::Join;
    const bool waits = isJoin || isRule(n, "semaphore", "wait") || isRule(n, "barrier", "pass");
    if (!waits || n.held.empty()) continue;
    RepairPlan plan;
    plan.kind = RepairPlan::Kind::WaitOutside;
    plan.regions = {{view_.access(n.held.back()), view_.access(node)}};
    plan.objects = {view_.object(node)};
    plan.cost = 2;
    plan.why = {view_.thread(node) + " waits for `" + plan.objects[0] + "` and holds `" +
                view_.object(n.held.back()) + "` meanwhile"};
    addNew(plans, plan);
    // What it joins may need what it writes under the lock; what a semaphore stands for is used under it.
    plan.count = 1;
    if (isJoin) addNew(plans, plan);
  }
  return plans;
}

std::optional<RepairPlan> PlanMaker::releaseFirst(const RecordedExecution& execution,
                                                  const std::vector<NodeId>& waiting) const {
  const Forest& forest = view_.forest();
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::ReleaseFirst;
  for (const NodeId node : waiting) {
    if (!isRule(forest[node], "read-write lock", "write-lock")) continue;
    const LocationId lock = forest[node].cells[0].location;
    bool reads = false;
    for (const NodeId before : execution.order) {
      const Node& n = forest[before];
      if (n.thread != forest[node].thread || n.cells.empty() || n.cells[0].location != lock) continue;
      if (isRule(n, "read-write lock", "read-lock")) reads = true;
      if (isRule(n, "read-write lock", "read-unlock")) reads = false;
    }
    const std::vector<SourceAccess> call = {view_.access(node)};
    if (!reads || std::find(plan.regions.begin(), plan.regions.end(), call) != plan.regions.end()) continue;
    plan.regions.push_back(call);
    plan.objects = {view_.object(node)};
  }
  if (plan.regions.empty()) return std::nullopt;
  plan.cost = static_cast<uint32_t>(plan.regions.size());
  plan.why = {"the thread holds `" + plan.objects[0] + "` for reading, and waits for itself"};
  return plan;
}

std::optional<RepairPlan> PlanMaker::writeLocks(const RecordedExecution& execution) const {
  const Forest& forest = view_.forest();
  std::map<std::pair<ThreadId, LocationId>, NodeId> reading;
  std::vector<NodeId> locks;
  for (const NodeId node : execution.order) {
    const Node& n = forest[node];
    if (isRule(n, "read-write lock", "read-lock")) reading[{n.thread, n.cells[0].location}] = node;
    if (isRule(n, "read-write lock", "read-unlock")) reading.erase({n.thread, n.cells[0].location});
    if (!isDataWrite(n)) continue;
    for (const auto& [where, lock] : reading)
      if (where.first == n.thread) locks.push_back(lock);
  }
  std::optional<RepairPlan> plan = strongerCalls(locks);
  if (plan) plan->why = {listOf(plan->objects) + " is held for reading only, and the thread writes"};
  return plan;
}

}  // namespace heddle

// Plans that force an order of two threads: signal and wait, or an access that moves to before the create.
#include <algorithm>
#include <map>

#include "analysis/diagnose/plans.h"

namespace heddle {

namespace {

/// The same statements, as far as lines tell.
bool sameLines(const PlannedOrder& a, const PlannedOrder& b) {
  return a.before.place.line == b.before.place.line && a.after.place.line == b.after.place.line &&
         a.before.place.file == b.before.place.file && a.after.place.file == b.after.place.file;
}

/// One statement may touch another element of an array each time.
}  // namespace

NodeId PlanMaker::createOf(ThreadId thread) const {
  const Forest& forest = view_.forest();
  for (NodeId id = 0; id < forest.size(); ++id)
    if (forest[id].kind == NodeKind::Event && forest[id].event == EventKind::Create &&
        forest[id].other == thread)
      return id;
  return kNone;
}

bool PlanMaker::createdBetween(NodeId first, NodeId second) const {
  const NodeId create = createOf(view_.forest()[second].thread);
  return create != kNone && view_.forest()[create].thread == view_.forest()[first].thread &&
         view_.forest().isAncestor(create, first);
}

std::optional<RepairPlan> PlanMaker::moveBeforeCreate(const std::vector<Ordering>& orderings,
                                                      const std::vector<Core>& cores) const {
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::MoveBeforeCreate;
  for (const Ordering& ordering : orderings) {
    const NodeId before = nodeOf(ordering.before, cores), after = nodeOf(ordering.after, cores);
    if (!isMemoryWrite(view_.forest()[before]) || !createdBetween(before, after)) return std::nullopt;
    const SourceAccess create = view_.access(createOf(view_.forest()[after].thread));
    if (plan.create && *plan.create != create) return std::nullopt;
    plan.create = create;
    plan.orders.push_back({view_.access(before), view_.access(after), 1});
    plan.objects = {view_.object(before)};
    plan.why = {"`" + plan.objects[0] + "` is set only after " + view_.thread(after) +
                ", which uses it, was created"};
  }
  plan.cost = 1;
  if (plan.orders.empty()) return std::nullopt;
  return plan;
}

bool PlanMaker::isJoined(ThreadId thread) const {
  const Forest& forest = view_.forest();
  for (NodeId id = 0; id < forest.size(); ++id)
    if (forest[id].kind == NodeKind::Event && forest[id].event == EventKind::Join &&
        forest[id].other == thread)
      return true;
  return false;
}

bool PlanMaker::isCreatedBefore(NodeId use, ThreadId created) const {
  const NodeId create = createOf(created);
  return create != kNone && view_.forest()[create].thread == view_.forest()[use].thread &&
         view_.forest().isAncestor(create, use);
}

NodeId PlanMaker::joinAfter(NodeId use, ThreadId joined) const {
  const Forest& forest = view_.forest();
  for (NodeId id = 0; id < forest.size(); ++id)
    if (forest[id].kind == NodeKind::Event && forest[id].event == EventKind::Join &&
        forest[id].other == joined && forest[id].thread == forest[use].thread && forest.isAncestor(use, id))
      return id;
  return kNone;
}

std::optional<RepairPlan> PlanMaker::moveJoin(const std::vector<Ordering>& orderings,
                                              const std::vector<Core>& cores) const {
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::MoveJoin;
  for (const Ordering& ordering : orderings) {
    const NodeId before = nodeOf(ordering.before, cores), after = nodeOf(ordering.after, cores);
    // Where nobody joins the thread, its create says which one is to be joined.
    NodeId join = joinAfter(after, view_.forest()[before].thread);
    if (join == kNone && !isJoined(view_.forest()[before].thread) &&
        isCreatedBefore(after, view_.forest()[before].thread))
      join = createOf(view_.forest()[before].thread);
    if (join == kNone) return std::nullopt;
    const SourceAccess at = view_.access(join);
    if (plan.create && *plan.create != at) return std::nullopt;
    plan.create = at;
    plan.orders.push_back({view_.access(before), view_.access(after), 1});
    plan.objects = {view_.object(after)};
    plan.why = {"`" + plan.objects[0] + "` is used before " + view_.thread(before) +
                ", which sets it, has been joined"};
  }
  plan.cost = 1;
  if (plan.orders.empty()) return std::nullopt;
  return plan;
}

std::vector<RepairPlan> PlanMaker::forLife(const RecordedExecution& execution,
                                           const std::vector<NodeId>& failing) const {
  const Forest& forest = view_.forest();
  std::vector<RepairPlan> plans;
  std::set<ThreadId> threads;
  for (const NodeId node : failing) threads.insert(forest[node].thread);
  for (const NodeId node : execution.order) threads.insert(forest[node].thread);
  for (const ThreadId thread : threads) {
    const NodeId create = createOf(thread);
    // Also what it was about to do when the execution ended.
    std::vector<NodeId> own = execution.order;
    own.insert(own.end(), failing.begin(), failing.end());
    const auto first = std::find_if(own.begin(), own.end(), [&](NodeId node) {
      const Node& n = forest[node];
      return n.thread == thread && (n.event == EventKind::Lock || isMemoryWrite(n) ||
                                    std::find(failing.begin(), failing.end(), node) != failing.end());
    });
    if (create == kNone || first == own.end()) continue;
    // It begins with a call.
    if (view_.place(*first).function == view_.threadFunction(*first)) continue;
    RepairPlan& plan = plans.emplace_back();
    plan.kind = RepairPlan::Kind::RetainEarlier;
    plan.regions = {{view_.access(*first)}};
    plan.create = view_.access(create);
    plan.objects = {view_.object(*first)};
    plan.cost = 2;
    plan.coversCores = 1;
    plan.why = {"until " + view_.thread(*first) + " has run, nothing holds its object for it"};
  }
  return plans;
}

std::vector<RepairPlan> PlanMaker::joinBeforeCreate(const std::vector<Ordering>& orderings,
                                                    const std::vector<Core>& cores) const {
  const Forest& forest = view_.forest();
  std::vector<RepairPlan> plans;
  std::set<std::pair<ThreadId, ThreadId>> known;
  for (const Ordering& ordering : orderings) {
    NodeId first = nodeOf(ordering.before, cores), then = nodeOf(ordering.after, cores);
    const NodeId created = createOf(forest[first].thread), next = createOf(forest[then].thread);
    if (created == kNone || next == kNone || created == next) continue;
    if (forest[created].thread != forest[next].thread) continue;
    if (!forest.isAncestor(created, next)) std::swap(first, then);
    const ThreadId early = forest[first].thread, late = forest[then].thread;
    if (!isCreatedBefore(createOf(late), early) || !known.emplace(early, late).second) continue;
    NodeId join = joinAfter(createOf(late), early);
    if (join == kNone && !isJoined(early)) join = createOf(early);
    if (join == kNone) continue;
    RepairPlan& plan = plans.emplace_back();
    plan.kind = RepairPlan::Kind::MoveJoin;
    plan.create = view_.access(join);
    plan.orders.push_back({view_.access(first), view_.access(createOf(late)), 1});
    plan.objects = {view_.object(first)};
    plan.why = {"two threads that never run at once cannot get into each other's way"};
    plan.cost = 1;
    plan.permissive = false;
    plan.fixedOrderings = 1;
    for (const Core& core : cores) {
      const auto eventsOf = [&](ThreadId thread) {
        return std::count_if(core.failing.order.begin(), core.failing.order.end(),
                             [&](NodeId node) { return forest[node].thread == thread; });
      };
      const auto all = static_cast<uint32_t>(eventsOf(early) * eventsOf(late));
      plan.fixedOrderings = std::max(plan.fixedOrderings, all);
    }
  }
  return plans;
}

NodeId PlanMaker::waitingPlace(NodeId node) const {
  const auto& held = view_.forest()[node].held;
  return held.empty() ? node : held.front();
}

RepairPlan PlanMaker::signalWait(const std::vector<Ordering>& orderings,
                                 const std::vector<Core>& cores) const {
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::SignalWait;
  plan.permissive = false;
  // Orderings with the same two places become one pair of signal and wait that counts.
  std::vector<std::map<SourceEventId, std::map<ThreadId, uint32_t>>> counts;
  for (const Ordering& ordering : orderings) {
    PlannedOrder order{view_.access(nodeOf(ordering.before, cores)),
                       view_.access(waitingPlace(nodeOf(ordering.after, cores))), 1};
    order.before.threadFunction = view_.threadFunction(nodeOf(ordering.before, cores));
    const auto known = std::find_if(plan.orders.begin(), plan.orders.end(), [&](const PlannedOrder& other) {
      return isSameText(other.before, order.before) && isSameText(other.after, order.after);
    });
    const size_t at = static_cast<size_t>(known - plan.orders.begin());
    if (known == plan.orders.end()) {
      plan.orders.push_back(order);
      counts.emplace_back();
    }
    const SourceEvent& before = events_[ordering.before];
    uint32_t& executed = counts[at][ordering.after][before.thread];
    executed = std::max(executed, before.ordinal + 1);
  }
  for (size_t i = 0; i < plan.orders.size(); ++i) {
    for (auto& [after, perThread] : counts[i]) {
      uint32_t signals = 0;
      for (const auto& [thread, executed] : perThread) signals += executed;
      // The waiting thread's own executions of the same code count as well.
      const ThreadId waiting = events_[after].thread;
      if (!perThread.count(waiting))
        for (size_t id = 0; id < events_.size(); ++id) {
          const SourceEvent& own = events_[static_cast<SourceEventId>(id)];
          const bool sameCode = own.thread == waiting && own.ordinal == 0 &&
                                isSameText(view_.access(own.nodes.front()), plan.orders[i].before);
          if (sameCode && view_.forest().isAncestor(own.nodes.front(), waitingPlace(nodeOf(after, cores))))
            ++signals;
        }
      plan.orders[i].signals = std::max(plan.orders[i].signals, signals);
    }
    plan.why.push_back(view_.object(nodeOf(orderings[0].before, cores)).empty()
                           ? "this order excludes the failure"
                           : "`" + plan.orders[i].before.object + "` must be done with at line " +
                                 std::to_string(plan.orders[i].before.place.line) + " before line " +
                                 std::to_string(plan.orders[i].after.place.line) + " goes on");
    plan.objects.push_back(plan.orders[i].before.object);
  }
  plan.cost = static_cast<uint32_t>(3 + 2 * plan.orders.size());
  plan.fixedOrderings = fixedBy(orderings, cores);
  return plan;
}

uint32_t PlanMaker::fixedBy(const std::vector<Ordering>& orderings, const std::vector<Core>& cores) const {
  const Forest& forest = view_.forest();
  std::set<std::pair<SourceEventId, SourceEventId>> fixed;
  for (const Ordering& ordering : orderings)
    for (const Core& core : cores) {
      const std::vector<NodeId>& order = core.failing.order;
      const ThreadId early = events_[ordering.before].thread, late = events_[ordering.after].thread;
      std::vector<SourceEventId> upTo, from;
      bool before = true, after = false;
      for (const NodeId node : order) {
        const SourceEventId event = events_.of(node);
        if (forest[node].thread == early && before) upTo.push_back(event);
        before = before && event != ordering.before;
        after = after || event == ordering.after;
        if (forest[node].thread == late && after) from.push_back(event);
      }
      if (before || !after) continue;  // not both happen in it
      for (const SourceEventId a : upTo)
        for (const SourceEventId b : from) fixed.emplace(a, b);
      break;
    }
  return static_cast<uint32_t>(fixed.size());
}

std::vector<RepairPlan> PlanMaker::orderPlans(const CoverSet& covers, const std::vector<Core>& cores,
                                              const PlanOptions& options) const {
  struct Ranked {
    RepairPlan plan;
    int64_t reach = 0;  // how much of the waiting threads comes after how much of the others
  };
  std::vector<Ranked> ranked;
  for (const Cover& cover : covers.covers) {
    Ranked& one = ranked.emplace_back(Ranked{signalWait(cover.orderings, cores), 0});
    for (const Ordering& o : cover.orderings)
      one.reach += static_cast<int64_t>(view_.forest()[nodeOf(o.before, cores)].depth) -
                   static_cast<int64_t>(view_.forest()[nodeOf(o.after, cores)].depth);
  }
  // Fewer edits first; of equal ones a wait before the thread's first access after the other's last one,
  // which holds for every execution of the two.
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return std::pair(a.plan.cost, -a.reach) < std::pair(b.plan.cost, -b.reach);
  });
  std::vector<RepairPlan> plans;
  for (Ranked& one : ranked) {
    if (plans.size() == options.maxOrderPlans) break;
    const bool known = std::any_of(plans.begin(), plans.end(), [&](const RepairPlan& other) {
      return std::equal(one.plan.orders.begin(), one.plan.orders.end(), other.orders.begin(),
                        other.orders.end(), sameLines);
    });
    if (!known) plans.push_back(std::move(one.plan));
  }
  return plans;
}

}  // namespace heddle

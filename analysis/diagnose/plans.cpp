#include "analysis/diagnose/plans.h"

#include <algorithm>
#include <map>

#include "analysis/detect/location_name.h"
#include "analysis/diagnose/extended_section.h"

namespace heddle {

namespace {

/// Regions that share code are one piece of text, whichever threads run it: the text must hold both.
void addRegion(std::vector<std::vector<SourceAccess>>& regions, std::vector<SourceAccess> added) {
  for (size_t i = 0; i < regions.size();) {
    const bool meets = std::any_of(added.begin(), added.end(), [&](const SourceAccess& a) {
      return std::any_of(regions[i].begin(), regions[i].end(),
                         [&](const SourceAccess& b) { return isSameText(a, b); });
    });
    if (!meets) {
      ++i;
      continue;
    }
    std::vector<SourceAccess> merged = std::move(regions[i]);
    regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(i));
    // What only the new one has goes before or after what they share, as it does there.
    size_t at = 0;
    for (SourceAccess& access : added) {
      const auto known = std::find_if(merged.begin(), merged.end(),
                                      [&](const SourceAccess& b) { return isSameText(access, b); });
      if (known != merged.end()) {
        at = static_cast<size_t>(known - merged.begin()) + 1;
      } else {
        merged.insert(merged.begin() + static_cast<std::ptrdiff_t>(at), std::move(access));
        ++at;
      }
    }
    added = std::move(merged);
    i = 0;
  }
  regions.push_back(std::move(added));
}

}  // namespace

std::string listOf(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + ("`" + names[i] + "`");
  return text;
}

NodeId PlanMaker::nodeOf(SourceEventId event, const std::vector<Core>& cores) const {
  for (const Core& core : cores)
    for (const auto* list : {&core.failing.order, &core.failing.blocked})
      for (const NodeId node : *list)
        if (events_.of(node) == event) return node;
  return events_[event].nodes.front();
}

std::vector<SourceAccess> PlanMaker::accesses(const Region& region) const {
  std::vector<SourceAccess> list;
  for (const NodeId node : region) {
    SourceAccess access = view_.access(node);
    if (std::find(list.begin(), list.end(), access) == list.end()) list.push_back(std::move(access));
  }
  return list;
}

std::set<ObjectId> PlanMaker::objectsOf(const std::vector<Region>& regions) const {
  std::set<ObjectId> objects;
  for (const Region& region : regions)
    for (const NodeId node : region)
      if (isMemoryAccess(view_.forest()[node]))
        for (const NodeCell& cell : view_.forest()[node].cells)
          objects.insert(view_.runner().locations().cell(cell.location).object);
  return objects;
}

void PlanMaker::joinNeighbours(std::vector<Region>& regions, std::vector<std::vector<NodeId>>& paths) const {
  const Forest& forest = view_.forest();
  constexpr size_t kNear = 6;
  for (size_t i = 0; i < regions.size(); ++i)
    for (size_t j = 0; j < regions.size(); ++j) {
      if (i == j || forest[regions[i].front()].thread != forest[regions[j].front()].thread) continue;
      const std::vector<NodeId>& path = paths[i];
      const auto from = std::find(path.begin(), path.end(), regions[i].back());
      const auto to = std::find(from, path.end(), regions[j].front());
      if (from == path.end() || to == path.end() || static_cast<size_t>(to - from) > kNear) continue;
      if (!std::all_of(from, to, [&](NodeId node) { return isMemoryAccess(forest[node]); })) continue;
      const auto first = std::find(path.begin(), path.end(), regions[i].front());
      const auto last = std::find(to, path.end(), regions[j].back());
      // A region of another path of the thread has no place in this one.
      if (first > from || last == path.end()) continue;
      regions[i] = Region(first, last + 1);
      regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(j));
      paths.erase(paths.begin() + static_cast<std::ptrdiff_t>(j));
      joinNeighbours(regions, paths);
      return;
    }
}

void PlanMaker::outerLocksFirst(std::vector<Region>& regions,
                                const std::vector<std::vector<NodeId>>& paths) const {
  const Forest& forest = view_.forest();
  std::set<LocationId> inside;
  for (const Region& region : regions)
    for (const NodeId node : region)
      if (forest[node].event == EventKind::Lock) inside.insert(forest[node].cells[0].location);
  for (size_t i = 0; i < regions.size(); ++i) {
    const std::vector<NodeId>& path = paths[i];
    NodeId outermost = kNone;
    for (const NodeId lock : forest[regions[i].front()].held)
      if (outermost == kNone && inside.count(forest[lock].cells[0].location)) outermost = lock;
    if (outermost == kNone) continue;
    const auto first = std::find(path.begin(), path.end(), outermost);
    auto last = std::find(path.begin(), path.end(), regions[i].back());
    const auto unlock = std::find_if(first, path.end(), [&](NodeId node) {
      return forest[node].event == EventKind::Unlock && forest[node].acquire == outermost;
    });
    if (unlock != path.end() && unlock > last) last = unlock;
    regions[i] = Region(first, last + 1);
  }
}

std::vector<Region> PlanMaker::regionsOf(const std::vector<Stretch>& stretches,
                                         const std::vector<Core>& cores) const {
  const Forest& forest = view_.forest();
  std::vector<Region> regions;
  std::vector<std::vector<NodeId>> paths;
  for (const Stretch& stretch : stretches) {
    const ThreadId thread = events_[stretch.first].thread;
    // The execution in which the whole stretch happens.
    for (const Core& core : cores) {
      std::vector<NodeId> own;
      for (const auto* list : {&core.failing.order, &core.failing.blocked})
        for (const NodeId node : *list)
          if (forest[node].thread == thread) own.push_back(node);
      // A place that the thread passes again counts where it comes after the first one.
      const auto at = [&](auto from, SourceEventId event) {
        return std::find_if(from, own.end(), [&](NodeId n) { return events_.of(n) == event; });
      };
      const auto first = at(own.begin(), stretch.first), last = at(first, stretch.last);
      if (first == own.end() || last == own.end()) continue;
      regions.emplace_back(first, last + 1);
      paths.push_back(std::move(own));
      break;
    }
  }
  joinNeighbours(regions, paths);
  outerLocksFirst(regions, paths);
  return regions;
}

std::optional<RepairPlan> PlanMaker::newMutex(const std::vector<Region>& regions) const {
  const Forest& forest = view_.forest();
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::CriticalSections;
  for (const ObjectId object : objectsOf(regions)) {
    const ObjectName& name = view_.runner().names().info(object).name;
    if (name.kind != ObjectKind::Heap) {
      plan.objects.push_back(view_.program().describe(name));
      continue;
    }
    // Its members are what the text has names for.
    for (const Region& region : regions)
      for (const NodeId node : region) {
        if (forest[node].cells.empty() || view_.cellObject(node) != object) continue;
        std::string member = withoutIndices(view_.object(node));
        if (std::find(plan.objects.begin(), plan.objects.end(), member) == plan.objects.end())
          plan.objects.push_back(std::move(member));
      }
  }
  for (const Region& region : regions) {
    // Waiting for a thread inside a critical section that the thread wants too would never end.
    for (const NodeId node : region)
      if (forest[node].event == EventKind::Join || forest[node].event == EventKind::Create) return {};
    std::set<std::pair<PlaceId, EventKind>> once;
    for (const NodeId node : region)
      // Each access to a heap object looks first whether it is alive, several times in one expression.
      if (forest[node].cells.empty() || !view_.isLife(forest[node].cells[0].location))
        plan.acrossIterations |= !once.emplace(forest[node].place, forest[node].event).second;
    addRegion(plan.regions, accesses(region));
  }
  plan.cost = static_cast<uint32_t>(2 * plan.regions.size() + 1);
  plan.why.push_back(plan.regions.size() == 1 ? "this code must not run in two threads at once"
                                              : "these stretches of code must not overlap");
  return plan;
}

std::optional<RepairPlan> PlanMaker::criticalSections(std::vector<Region> regions) const {
  std::optional<RepairPlan> plan = newMutex(regions);
  if (!plan) return plan;
  const std::optional<GuardingLock> lock =
      findGuardingLock(view_.runner(), objectsOf(regions), precedence_, regions);
  if (!lock) return plan;
  std::optional<RepairPlan> guarded = newMutex(lock->regions);
  if (!guarded) return plan;
  guarded->objects = plan->objects;
  guarded->existingLock = view_.object(lock->acquisition);
  guarded->existingLockAt = view_.access(lock->acquisition);
  guarded->cost = static_cast<uint32_t>(2 * guarded->regions.size());
  guarded->why.push_back("`" + guarded->existingLock + "` already guards " + listOf(plan->objects) +
                         " elsewhere");
  return guarded;
}

std::optional<RepairPlan> PlanMaker::atomic(const std::vector<Region>& regions) const {
  const Forest& forest = view_.forest();
  bool updates = false;
  std::set<LocationId> cells;
  for (const Region& region : regions) {
    const bool readModifyWrite = isReadModifyWrite(forest, region, view_.program());
    if (!readModifyWrite && region.size() != 1) return std::nullopt;
    updates |= readModifyWrite;
    for (const NodeId node : region) {
      const Node& n = forest[node];
      if (!isMemoryAccess(n) || n.cells.size() != 1 || view_.isLife(n.cells[0].location)) return std::nullopt;
      cells.insert(n.cells[0].location);
    }
  }
  if (cells.size() != 1) return std::nullopt;
  std::optional<RepairPlan> plan = newMutex(regions);
  if (!plan) return plan;
  plan->kind = RepairPlan::Kind::AtomicAccess;
  plan->objects = {view_.object(regions.front().front())};
  plan->cost = static_cast<uint32_t>(plan->regions.size());
  plan->why = {updates ? "each change of `" + plan->objects[0] + "` is one read-modify-write"
                       : "`" + plan->objects[0] + "` is only read and written as a whole"};
  return plan;
}

std::vector<RepairPlan> PlanMaker::forCovers(const CoverSet& covers, const std::vector<Core>& cores,
                                             const PlanOptions& options) const {
  std::vector<RepairPlan> plans, late;
  const auto add = [&](std::optional<RepairPlan> plan) {
    if (!plan || std::find(plans.begin(), plans.end(), *plan) != plans.end()) return;
    plan->coversCores = static_cast<uint32_t>(cores.size());
    plans.push_back(std::move(*plan));
  };
  std::vector<NodeId> ordered, checked;
  for (const Core& core : cores)
    for (const Ordering& ordering : core.orderings)
      for (const SourceEventId event : {ordering.before, ordering.after}) {
        const NodeId node = nodeOf(event, cores);
        if (!isMemoryAccess(view_.forest()[node])) continue;
        const SourcePlace at = view_.place(node);
        const bool isOfCheck =
            options.check && options.check->line == at.line && options.check->file == at.file;
        (isOfCheck ? checked : ordered).push_back(node);
      }
  for (const RepairPlan& plan : extendedSections(view_, ordered)) add(plan);
  // What a driver asserts is seldom the one use of what was looked up.
  for (RepairPlan& plan : extendedSections(view_, checked)) {
    plan.isForCheck = true;
    late.push_back(std::move(plan));
  }
  if (!covers.exclusive.empty()) {
    std::vector<Region> regions = regionsOf(covers.exclusive, cores);
    const std::optional<RepairPlan> sections = criticalSections(regions);
    const bool existing = sections && !sections->existingLock.empty();
    for (const std::optional<RepairPlan>& plan : {existing ? sections : std::nullopt, atomic(regions),
                                                  sections, existing ? newMutex(regions) : std::nullopt})
      if (plan && plan->acrossIterations)
        late.push_back(*plan);
      else
        add(plan);
  }
  for (const Cover& cover : covers.covers) {
    add(moveBeforeCreate(cover.orderings, cores));
    add(moveJoin(cover.orderings, cores));
  }
  for (const RepairPlan& plan : orderPlans(covers, cores, options)) add(plan);
  for (const RepairPlan& plan : late) add(plan);
  for (const Core& core : cores)
    for (const RepairPlan& plan : joinBeforeCreate(core.orderings, cores)) add(plan);
  return plans;
}

std::vector<RepairPlan> PlanMaker::forRace(NodeId first, NodeId second, LocationId location) const {
  std::vector<RepairPlan> plans;
  const auto add = [&](std::optional<RepairPlan> plan) {
    if (!plan || std::find(plans.begin(), plans.end(), *plan) != plans.end()) return;
    plan->coversCores = 1;
    plans.push_back(std::move(*plan));
  };
  const Forest& forest = view_.forest();
  const ObjectId object = view_.runner().locations().cell(location).object;
  std::vector<Region> regions = heddle::regionsOf(view_.runner(), precedence_, object);
  const std::optional<RepairPlan> sections = criticalSections(regions);
  const bool existing = sections && !sections->existingLock.empty();
  const auto initialization = [&](NodeId write, NodeId use) -> std::optional<RepairPlan> {
    if (!isMemoryWrite(forest[write]) || !createdBetween(write, use)) return std::nullopt;
    const Ordering ordering{events_.of(write), events_.of(use)};
    return moveBeforeCreate({ordering}, {});
  };
  if (existing) add(sections);
  for (const RepairPlan& plan : extendedSections(view_, {first, second})) add(plan);
  add(initialization(first, second));
  add(initialization(second, first));
  const auto joined = [&](NodeId access, NodeId use) -> std::optional<RepairPlan> {
    const Ordering ordering{events_.of(access), events_.of(use)};
    return moveJoin({ordering}, {});
  };
  add(joined(first, second));
  add(joined(second, first));
  add(atomic(regions));
  add(sections);
  if (existing) add(newMutex(regions));
  for (const RepairPlan& plan : joinBeforeCreate({{events_.of(first), events_.of(second)}}, {})) add(plan);
  return plans;
}

}  // namespace heddle

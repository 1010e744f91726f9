#include "analysis/diagnose/extended_section.h"

#include <algorithm>
#include <optional>

namespace heddle {

namespace {

struct Extension {
  NodeId lock = kNone;
  NodeId use = kNone;
};

/// That mutex, by the same acquisition of the text: the function may have been called before.
bool isHeld(const Forest& forest, NodeId node, NodeId lock) {
  const LocationId mutex = forest[lock].cells[0].location;
  const std::vector<NodeId>& held = forest[node].held;
  return std::any_of(held.begin(), held.end(), [&](NodeId other) {
    return forest[other].cells[0].location == mutex && forest[other].place == forest[lock].place;
  });
}

std::optional<Extension> extensionTo(const SourceView& view, NodeId use) {
  const Forest& forest = view.forest();
  // What is taken down was kept for others: that nobody uses it any more, no section says.
  if (isMemoryWrite(forest[use]) && !forest[use].cells.empty() && view.isLife(forest[use].cells[0].location))
    return std::nullopt;
  const std::string function = view.place(use).function;
  for (NodeId node = forest[use].lastEvent; node != kNone; node = forest[node].lastEvent) {
    const Node& n = forest[node];
    if (n.kind != NodeKind::Event || n.event != EventKind::Unlock || n.acquire == kNone) continue;
    if (view.place(node).function != function || view.place(n.acquire).function != function) continue;
    if (isHeld(forest, use, n.acquire)) return std::nullopt;
    return Extension{n.acquire, use};
  }
  return std::nullopt;
}

RepairPlan planOf(const SourceView& view, const std::vector<Extension>& extensions) {
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::CriticalSections;
  const NodeId lock = extensions.front().lock;
  plan.existingLock = view.object(lock);
  plan.existingLockAt = view.access(lock);
  for (const Extension& one : extensions) {
    const std::vector<SourceAccess> region = {view.access(one.lock), view.access(one.use)};
    if (std::find(plan.regions.begin(), plan.regions.end(), region) == plan.regions.end())
      plan.regions.push_back(region);
    const std::string object = view.object(one.use);
    if (std::find(plan.objects.begin(), plan.objects.end(), object) == plan.objects.end())
      plan.objects.push_back(object);
  }
  plan.cost = static_cast<uint32_t>(2 * plan.regions.size());
  plan.coversCores = 1;
  plan.why = {"what `" + plan.existingLock + "` keeps is used after the lock was given back"};
  return plan;
}

}  // namespace

std::vector<RepairPlan> extendedSections(const SourceView& view, const std::vector<NodeId>& uses) {
  constexpr size_t kMost = 3;
  std::vector<Extension> all;
  std::vector<RepairPlan> plans;
  for (const NodeId use : uses) {
    const std::optional<Extension> one = extensionTo(view, use);
    if (!one) continue;
    RepairPlan plan = planOf(view, {*one});
    if (std::find(plans.begin(), plans.end(), plan) != plans.end() || plans.size() == kMost) continue;
    // One mutex for all: that of the first.
    const bool isOfFirst = all.empty() || view.object(all.front().lock) == view.object(one->lock);
    if (isOfFirst) all.push_back(*one);
    plans.push_back(std::move(plan));
  }
  if (all.size() > 1) plans.push_back(planOf(view, all));
  return plans;
}

}  // namespace heddle

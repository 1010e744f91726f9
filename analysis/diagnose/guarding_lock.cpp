#include "analysis/diagnose/guarding_lock.h"

#include <algorithm>
#include <map>

namespace heddle {

namespace {

NodeId heldAs(const Forest& forest, NodeId node, LocationId mutex) {
  for (const NodeId lock : forest[node].held)
    if (forest[lock].cells[0].location == mutex) return lock;
  return kNone;
}

enum class Guarded : uint8_t { Fully, Not, Partly };

Guarded guarded(const Forest& forest, const Region& region, LocationId mutex) {
  const NodeId section = heldAs(forest, region.front(), mutex);
  for (const NodeId node : region)
    if (heldAs(forest, node, mutex) != section) return Guarded::Partly;
  if (section != kNone) return Guarded::Fully;
  // Between the first and the last access the thread must not take it either.
  for (NodeId node = region.back(); node != kNone && node != region.front(); node = forest[node].parent) {
    const Node& n = forest[node];
    if (n.kind == NodeKind::Event && n.event == EventKind::Lock && n.cells[0].location == mutex)
      return Guarded::Partly;
  }
  return Guarded::Not;
}

}  // namespace

bool meetsOthers(const Forest& forest, const Precedence& precedence, const std::vector<NodeId>& accesses,
                 NodeId node) {
  const Node& n = forest[node];
  return std::any_of(accesses.begin(), accesses.end(), [&](NodeId other) {
    const Node& o = forest[other];
    if (o.thread == n.thread || (!isMemoryWrite(o) && !isMemoryWrite(n))) return false;
    const bool sameCell = std::any_of(n.cells.begin(), n.cells.end(), [&](const NodeCell& cell) {
      return cellAt(o, cell.location) != nullptr;
    });
    return sameCell && !precedence.always(node, other) && !precedence.always(other, node);
  });
}

std::vector<NodeId> executedAccesses(const Forest& forest) {
  std::vector<NodeId> accesses;
  for (NodeId id = 0; id < forest.size(); ++id)
    if (forest[id].executed && (isMemoryRead(forest[id]) || isMemoryWrite(forest[id])))
      accesses.push_back(id);
  return accesses;
}

std::optional<GuardingLock> findGuardingLock(Runner& runner, const std::set<ObjectId>& objects,
                                             const Precedence& precedence,
                                             const std::vector<Region>& regions) {
  const Forest& forest = runner.forest();
  const std::vector<NodeId> accesses = executedAccesses(forest);
  std::set<PlaceId> places;
  std::map<LocationId, std::set<PlaceId>> holding;
  std::map<LocationId, NodeId> acquisition;
  for (NodeId id = 0; id < forest.size(); ++id) {
    const Node& n = forest[id];
    if (!n.executed || (!isMemoryRead(n) && !isMemoryWrite(n))) continue;
    const bool touches = std::any_of(n.cells.begin(), n.cells.end(), [&](const NodeCell& cell) {
      return objects.count(runner.locations().cell(cell.location).object) != 0;
    });
    if (!touches || !meetsOthers(forest, precedence, accesses, id)) continue;
    places.insert(n.place);
    for (const NodeId lock : n.held) {
      const LocationId mutex = forest[lock].cells[0].location;
      holding[mutex].insert(n.place);
      acquisition.try_emplace(mutex, lock);
    }
  }
  std::optional<GuardingLock> best;
  size_t most = 0;
  for (const auto& [mutex, at] : holding) {
    if (at.size() <= most || 2 * at.size() < places.size()) continue;
    GuardingLock lock{mutex, acquisition[mutex], {}};
    bool usable = true;
    for (const Region& region : regions) {
      const Guarded state = guarded(forest, region, mutex);
      usable &= state != Guarded::Partly;
      if (state == Guarded::Not) lock.regions.push_back(region);
    }
    if (!usable || lock.regions.empty()) continue;
    best = std::move(lock);
    most = at.size();
  }
  return best;
}

}  // namespace heddle

#include "analysis/explore/formula/lock_encoder.h"

#include <algorithm>

namespace heddle {

void LockEncoder::encodeLock(NodeId id) {
  const Node& n = forest_[id];
  const Lit on = nodes_.on(id);
  const LocationId location = n.cells[0].location;
  Mutex& mutex = mutexes_[location];
  if (mutex.group == kNone) mutex.group = guards_.newGroup();

  // A thread that holds the mutex already waits for itself for ever.
  for (const NodeId held : n.held)
    if (forest_[held].cells[0].location == location) solver_.addClause({-on});

  Acquisition acquisition;
  acquisition.node = id;
  acquisition.release = solver_.newOrderNode(on);
  solver_.addEdge(nodes_.order(id), acquisition.release);
  acquisition.guard = guards_.newGuard(mutex.group, on);
  acquisition.released = solver_.newLit();
  solver_.guard(acquisition.released, on);
  solver_.addClause({-acquisition.released, guards_.lit(acquisition.guard)});
  for (const Acquisition& other : mutex.acquisitions) {
    if (budget_.stopped()) return;
    excludeOverlap(acquisition, other);
  }
  for (BusyTry& busy : mutex.busy) addHolder(busy, acquisition);
  mutex.acquisitions.push_back(std::move(acquisition));
}

void LockEncoder::excludeOverlap(const Acquisition& a, const Acquisition& b) {
  const Node& x = forest_[a.node];
  const Node& y = forest_[b.node];
  if (x.thread == y.thread) return;
  const Lit bothOn[] = {-nodes_.on(a.node), -nodes_.on(b.node)};
  auto firstThen = [&](const Acquisition& first, const Acquisition& second) {
    const Lit lit = solver_.newLit();
    solver_.guard(lit, nodes_.on(first.node));
    solver_.addClause({-lit, solver_.before(first.release, nodes_.order(second.node))});
    solver_.addClause({-lit, first.released});
    return lit;
  };
  std::vector<Lit> clause(std::begin(bothOn), std::end(bothOn));
  if (!precedence_.always(b.node, a.node)) clause.push_back(firstThen(a, b));
  if (!precedence_.always(a.node, b.node)) clause.push_back(firstThen(b, a));
  solver_.addClause(clause);
}

void LockEncoder::encodeUnlock(NodeId id) {
  const Node& n = forest_[id];
  if (n.acquire == kNone) return;
  Mutex& mutex = mutexes_[n.cells[0].location];
  for (Acquisition& acquisition : mutex.acquisitions) {
    if (acquisition.node != n.acquire) continue;
    solver_.addEdge(nodes_.order(id), acquisition.release);
    acquisition.unlocks.push_back(id);
    Lit released = nodes_.on(id);
    if (n.section != kNone) {
      released = solver_.newLit();
      solver_.addClause({-released, nodes_.on(id)});
      solver_.addClause({-released, sections_.done(id)});
    }
    guards_.grow(acquisition.guard, released);
  }
  for (const BusyTry& busy : mutex.busy)
    for (const auto& [holder, lit] : busy.holders)
      if (holder == n.acquire) solver_.addClause({-lit, -nodes_.on(id), sections_.before(busy.node, id)});
}

void LockEncoder::mayLetGo(NodeId lock, Lit letsGo) {
  const std::span<const Acquisition> all = acquisitions(forest_[lock].cells[0].location);
  const auto acquisition =
      std::find_if(all.begin(), all.end(), [&](const Acquisition& a) { return a.node == lock; });
  if (acquisition == all.end()) return;  // the forest has grown since the last update
  guards_.grow(acquisition->guard, letsGo);
  for (const BusyTry& busy : mutexes_.at(forest_[lock].cells[0].location).busy)
    for (const auto& [holder, lit] : busy.holders)
      if (holder == lock)
        solver_.addClause({-lit, -letsGo, solver_.before(nodes_.order(busy.node), acquisition->release)});
}

void LockEncoder::encodeBusy(NodeId id) {
  const Lit on = nodes_.on(id);
  Mutex& mutex = mutexes_[forest_[id].cells[0].location];
  if (mutex.group == kNone) mutex.group = guards_.newGroup();
  // A thread's own acquisition makes the mutex busy as well.
  for (const NodeId held : forest_[id].held)
    if (forest_[held].cells[0].location == forest_[id].cells[0].location) return;
  BusyTry busy;
  busy.node = id;
  busy.guard = guards_.newGuard(mutex.group, on);
  solver_.addClause({-on, guards_.lit(busy.guard)});
  for (const Acquisition& acquisition : mutex.acquisitions) addHolder(busy, acquisition);
  mutex.busy.push_back(std::move(busy));
}

void LockEncoder::addHolder(BusyTry& busy, const Acquisition& acquisition) {
  if (forest_[acquisition.node].thread == forest_[busy.node].thread) return;
  const Lit lit = solver_.newLit();
  solver_.guard(lit, nodes_.on(busy.node));
  solver_.addClause({-lit, nodes_.on(acquisition.node)});
  solver_.addClause({-lit, sections_.before(acquisition.node, busy.node)});
  for (const NodeId unlock : acquisition.unlocks)
    solver_.addClause({-lit, -nodes_.on(unlock), sections_.before(busy.node, unlock)});
  busy.holders.emplace_back(acquisition.node, lit);
  guards_.grow(busy.guard, lit);
}

std::span<const LockEncoder::Acquisition> LockEncoder::acquisitions(LocationId mutex) const {
  const auto it = mutexes_.find(mutex);
  return it == mutexes_.end() ? std::span<const Acquisition>() : it->second.acquisitions;
}

}  // namespace heddle

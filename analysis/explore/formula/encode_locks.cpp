// Locks: critical sections of one mutex do not overlap. Each acquisition has a virtual event for the end of
// its critical section, after every unlock that may end it; another thread's acquisition comes after that
// event, and only if some unlock happens.
#include <algorithm>

#include "analysis/explore/formula/encoder.h"

namespace heddle {

void Encoder::encodeLock(NodeId id) {
  const Node& n = forest_[id];
  const Lit on = encoded_[id].on;
  const LocationId location = n.cells[0].location;
  MutexState& state = mutex(location);
  if (state.group == kNone) state.group = newGroup();

  // A thread that holds the mutex already waits for itself for ever.
  for (const NodeId held : n.held)
    if (forest_[held].cells[0].location == location) solver_.addClause({-on});

  Acquisition acquisition;
  acquisition.node = id;
  acquisition.release = solver_.newOrderNode(on);
  solver_.addEdge(encoded_[id].order, acquisition.release);
  acquisition.guard = newGuard(state.group, on);
  acquisition.released = solver_.newLit();
  solver_.guard(acquisition.released, on);
  solver_.addClause({-acquisition.released, guardLit(acquisition.guard)});
  for (const Acquisition& other : state.acquisitions) {
    if (stopped()) return;
    excludeOverlap(acquisition, other);
  }
  for (BusyTry& busy : state.busy) addHolder(busy, acquisition);
  state.acquisitions.push_back(std::move(acquisition));
}

void Encoder::excludeOverlap(const Acquisition& a, const Acquisition& b) {
  const Node& x = forest_[a.node];
  const Node& y = forest_[b.node];
  if (x.thread == y.thread) return;
  const Lit bothOn[] = {-encoded_[a.node].on, -encoded_[b.node].on};
  auto firstThen = [&](const Acquisition& first, const Acquisition& second) {
    const Lit lit = solver_.newLit();
    solver_.guard(lit, encoded_[first.node].on);
    solver_.addClause({-lit, solver_.before(first.release, encoded_[second.node].order)});
    solver_.addClause({-lit, first.released});
    return lit;
  };
  std::vector<Lit> clause(std::begin(bothOn), std::end(bothOn));
  if (!precedence_.always(b.node, a.node)) clause.push_back(firstThen(a, b));
  if (!precedence_.always(a.node, b.node)) clause.push_back(firstThen(b, a));
  solver_.addClause(clause);
}

void Encoder::encodeUnlock(NodeId id) {
  const Node& n = forest_[id];
  if (n.acquire == kNone) return;
  MutexState& state = mutex(n.cells[0].location);
  for (Acquisition& acquisition : state.acquisitions) {
    if (acquisition.node != n.acquire) continue;
    solver_.addEdge(encoded_[id].order, acquisition.release);
    acquisition.unlocks.push_back(id);
    Lit released = encoded_[id].on;
    if (n.section != kNone) {
      released = solver_.newLit();
      solver_.addClause({-released, encoded_[id].on});
      solver_.addClause({-released, sectionDone(id)});
    }
    grow(acquisition.guard, released);
  }
  for (const BusyTry& busy : state.busy)
    for (const auto& [holder, lit] : busy.holders)
      if (holder == n.acquire) solver_.addClause({-lit, -encoded_[id].on, before(busy.node, id)});
}

void Encoder::encodeBusy(NodeId id) {
  const Lit on = encoded_[id].on;
  MutexState& state = mutex(forest_[id].cells[0].location);
  if (state.group == kNone) state.group = newGroup();
  // A thread's own acquisition makes the mutex busy as well.
  for (const NodeId held : forest_[id].held)
    if (forest_[held].cells[0].location == forest_[id].cells[0].location) return;
  BusyTry busy;
  busy.node = id;
  busy.guard = newGuard(state.group, on);
  solver_.addClause({-on, guardLit(busy.guard)});
  for (const Acquisition& acquisition : state.acquisitions) addHolder(busy, acquisition);
  state.busy.push_back(std::move(busy));
}

void Encoder::addHolder(BusyTry& busy, const Acquisition& acquisition) {
  if (forest_[acquisition.node].thread == forest_[busy.node].thread) return;
  const Lit lit = solver_.newLit();
  solver_.guard(lit, encoded_[busy.node].on);
  solver_.addClause({-lit, encoded_[acquisition.node].on});
  solver_.addClause({-lit, before(acquisition.node, busy.node)});
  for (const NodeId unlock : acquisition.unlocks)
    solver_.addClause({-lit, -encoded_[unlock].on, before(busy.node, unlock)});
  busy.holders.emplace_back(acquisition.node, lit);
  grow(busy.guard, lit);
}

}  // namespace heddle

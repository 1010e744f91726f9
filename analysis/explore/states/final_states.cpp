#include "analysis/explore/states/final_states.h"

#include <algorithm>

namespace heddle {

FinalStates::FinalStates(const Forest& forest, ForestFormula& formula)
    : forest_(forest), formula_(formula), solver_(formula.solver()) {
  for (NodeId id = 0; id < forest_.size(); ++id) {
    const Node& n = forest_[id];
    if (n.kind != NodeKind::Event) continue;
    if (n.event == EventKind::Lock) locks_[n.cells[0].location].push_back(id);
    if (n.event == EventKind::Unlock && n.acquire != kNone) unlocks_[n.acquire].push_back(id);
    if (n.event == EventKind::End && !n.endsProcess) returns_[n.thread].push_back(id);
  }
  for (NodeId id = 0; id < forest_.size(); ++id) restrictNode(id);
}

void FinalStates::addEnd(ThreadId thread, Position at, std::vector<Lit> literals, bool waits) {
  if (thread >= ends_.size()) ends_.resize(thread + 1);
  ends_[thread][at] = {std::move(literals), waits};
}

void FinalStates::restrictNode(NodeId id) {
  const Node& n = forest_[id];
  Encoder& encoder = formula_.encoder();
  if (n.kind == NodeKind::Event) {
    if (n.parent == kNone) {
      if (n.thread != kMainThread) addEnd(n.thread, {}, {-encoder.on(id)});
    } else {
      restrictEvent(id, encoder.reach(n.parent, n.slot));
    }
    if (n.event == EventKind::Create) {
      // Nothing keeps a created thread from starting.
      const NodeId root = forest_.root(n.other);
      if (root == kNone)
        solver_.addClause({-encoder.on(id)});
      else
        solver_.addClause({-encoder.on(id), encoder.on(root)});
    }
    if (n.executed && n.children.empty()) addEnd(n.thread, {id, 0}, {encoder.on(id)});
    return;
  }
  if (n.kind == NodeKind::Input) {
    if (n.children.empty()) addEnd(n.thread, {id, 0}, {encoder.on(id)});
    return;
  }
  // A thread that gets to a fork goes on at once, through a side that some run took.
  std::vector<Lit> goesOn{-encoder.on(id)};
  for (const uint64_t slot : n.sides) {
    if (isDeadEnd(n, slot)) continue;
    const Lit side = encoder.side(id, slot);
    goesOn.push_back(side);
    if (forest_.child(id, slot) == kNone) addEnd(n.thread, {id, slot}, {side});
  }
  solver_.addClause(goesOn);
  if (n.kind == NodeKind::Choice) return;
  for (const uint64_t slot : {0, 1})
    if (!forest_.sideTaken(id, slot)) solver_.addClause({-encoder.side(id, slot)});
}

void FinalStates::restrictEvent(NodeId id, Lit reach) {
  const Node& n = forest_[id];
  const Lit on = formula_.encoder().on(id);
  if (!n.executed) solver_.addClause({-on});
  const bool tried = forest_[n.parent].kind == NodeKind::TryLock;
  if (!tried && (n.event == EventKind::Lock || n.event == EventKind::Join)) {
    solver_.addClause({-reach, on, waitsForEver(id)});
    addEnd(n.thread, {n.parent, n.slot}, {reach, -on}, true);
  } else {
    solver_.addClause({-reach, on});
  }
}

Lit FinalStates::waitsForEver(NodeId id) {
  const Node& n = forest_[id];
  const Lit waits = solver_.newLit();
  if (n.event == EventKind::Join) {
    const auto returns = returns_.find(n.other);
    if (returns != returns_.end())
      for (const NodeId end : returns->second) solver_.addClause({-waits, -formula_.encoder().on(end)});
    return waits;
  }
  const LocationId mutex = n.cells[0].location;
  for (const NodeId held : n.held)
    if (forest_[held].cells[0].location == mutex) return waits;  // for itself
  std::vector<Lit> someoneHolds{-waits};
  for (const NodeId lock : locks_[mutex])
    if (forest_[lock].thread != n.thread) someoneHolds.push_back(staysHeld(lock));
  solver_.addClause(someoneHolds);
  return waits;
}

Lit FinalStates::staysHeld(NodeId lock) {
  Lit& held = held_[lock];
  if (held != 0) return held;
  held = solver_.newLit();
  solver_.addClause({-held, formula_.encoder().on(lock)});
  Encoder& encoder = formula_.encoder();
  for (const NodeId unlock : unlocks_[lock]) solver_.addClause({-held, -encoder.on(unlock)});
  // A thread that goes round releases it again and again.
  for (const Forest::Await& await : forest_.awaits()) {
    if (std::find(await.released.begin(), await.released.end(), lock) == await.released.end()) continue;
    std::vector<Lit> goesOn{-held, -encoder.reach(await.node, await.slot)};
    const NodeId child = forest_.child(await.node, await.slot);
    if (child != kNone) goesOn.push_back(encoder.on(child));
    solver_.addClause(goesOn);
  }
  return held;
}

GlobalPath FinalStates::path() const {
  GlobalPath path(ends_.size());
  for (ThreadId t = 0; t < ends_.size(); ++t)
    for (const auto& [at, end] : ends_[t]) {
      bool all = true;
      for (const Lit lit : end.literals) all = all && formula_.holds(lit);
      if (all) path[t] = at;
    }
  while (!path.empty() && path.back().node == kNone) path.pop_back();
  return path;
}

void FinalStates::exclude(const GlobalPath& path) {
  std::vector<Lit> clause;
  for (ThreadId t = 0; t < ends_.size(); ++t) {
    if (ends_[t].size() < 2) continue;  // decides nothing
    const auto end = ends_[t].find(t < path.size() ? path[t] : Position{});
    if (end == ends_[t].end()) return;  // not among the complete executions of this formula
    for (const Lit lit : end->second.literals) clause.push_back(-lit);
  }
  solver_.addClause(clause);
}

void FinalStates::requireWaiting() {
  std::vector<Lit> clause;
  for (const auto& ends : ends_)
    for (const auto& [at, end] : ends) {
      if (!end.waits) continue;
      const Lit there = solver_.newLit();
      for (const Lit lit : end.literals) solver_.addClause({-there, lit});
      clause.push_back(there);
    }
  solver_.addClause(clause);
}

std::vector<FinalStates::Share> FinalStates::shares(size_t most) const {
  const auto widest = std::max_element(ends_.begin(), ends_.end(),
                                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const size_t ends = widest == ends_.end() ? 0 : widest->size();
  const size_t count = std::clamp<size_t>(ends, 1, most);
  std::vector<Share> shares;
  for (size_t i = 0; i < count; ++i)
    shares.push_back(
        {static_cast<ThreadId>(widest - ends_.begin()), i * ends / count, (i + 1) * ends / count});
  return shares;
}

void FinalStates::keepOnly(const Share& share) {
  if (share.thread >= ends_.size()) return;
  size_t number = 0;
  for (const auto& [at, end] : ends_[share.thread]) {
    const bool isKept = share.first <= number && number < share.behind;
    ++number;
    if (isKept) continue;
    std::vector<Lit> clause;
    for (const Lit lit : end.literals) clause.push_back(-lit);
    solver_.addClause(clause);
  }
}

}  // namespace heddle

// Stuck states: executions after which no thread can go on, although some have not ended.
//
// The literals say something about the final state: which locks are held, what state a semaphore, read-write
// lock or barrier is left in (the value of the last write), which signals are still for somebody. They are
// made anew for each question, because a larger forest knows more releases, writes and signals.
#include <algorithm>

#include "analysis/explore/formula/encoder.h"

namespace heddle {

struct Encoder::FinalState {
  std::map<LocationId, std::pair<Term, Lit>> values;  // of a location, and the literal that makes it so
  std::map<NodeId, Lit> usedUp;                       // by Signal
  std::map<NodeId, std::vector<Lit>> released;        // by Lock: awaits in whose rounds others get the mutex
};

Encoder::Stuck Encoder::stuck() {
  Stuck result;
  FinalState state;
  result.all = solver_.newLit();
  std::map<ThreadId, std::vector<Lit>> outcomes;
  std::vector<Lit> someWaits{-result.all};
  std::vector<std::pair<const Forest::Await*, Lit>> awaits;
  struct JoinInVain {
    NodeId node;
    Lit waits, inVain;  // inVain: also the joined thread waits for ever
  };
  std::vector<JoinInVain> joins;
  for (const Forest::Await& await : forest_.awaits()) {
    if (await.how == GoesRound::MayLeave) continue;
    awaits.emplace_back(&await, solver_.newLit());
    for (const NodeId lock : await.released) state.released[lock].push_back(awaits.back().second);
  }
  for (NodeId id = 0; id < forest_.size() && !stopped(); ++id) {
    const Node& n = forest_[id];
    if (n.kind != NodeKind::Event) continue;
    std::vector<Lit>& outcome = outcomes[n.thread];
    if (n.event == EventKind::End) {
      // A thread that takes the process with it ends all waiting.
      if (n.endsProcess)
        solver_.addClause({-result.all, -encoded_[id].on});
      else
        outcome.push_back(encoded_[id].on);
      continue;
    }
    const bool tried = n.parent != kNone && forest_[n.parent].kind == NodeKind::TryLock;
    const bool mayWait = !n.timed && ((n.event == EventKind::Lock && !tried) || n.event == EventKind::Join ||
                                      n.event == EventKind::Wake || (n.rule && n.rule->guard));
    // Within an atomic section nothing waits: the execution does not count.
    if (!mayWait || (n.section != kNone && n.section != id)) continue;
    const Lit waits = waitsForEver(id, state);
    outcome.push_back(waits);
    result.waiting.emplace_back(id, waits);
    if (n.event == EventKind::Join)
      joins.push_back({id, waits, solver_.newLit()});
    else
      someWaits.push_back(waits);
  }
  for (const auto& [await, spins] : awaits) {
    spinsForEver(spins, *await, state);
    outcomes[await->thread].push_back(spins);
    // A thread that waits for nobody may go round as long as it wants.
    if (await->how == GoesRound::Idle) continue;
    someWaits.push_back(spins);
    if (!await->reads.empty()) result.waiting.emplace_back(await->reads.front(), spins);
  }
  for (const JoinInVain& join : joins) {
    someWaits.push_back(join.inVain);
    solver_.addClause({-join.inVain, join.waits});
    // A thread that goes round for ever without waiting for anything keeps nobody from going on.
    const ThreadId joined = forest_[join.node].other;
    for (const auto& [await, spins] : awaits)
      if (await->thread == joined && await->how == GoesRound::Idle) solver_.addClause({-join.inVain, -spins});
    for (const JoinInVain& next : joins)
      if (forest_[next.node].thread == joined) solver_.addClause({-join.inVain, -next.waits, next.inVain});
  }
  solver_.addClause(someWaits);
  for (auto& [id, outcome] : outcomes) {
    if (id != kMainThread) {
      const Lit notCreated = solver_.newLit();
      for (const NodeId create : thread(id).creates) solver_.addClause({-notCreated, -encoded_[create].on});
      outcome.push_back(notCreated);
    }
    outcome.push_back(-result.all);
    solver_.addClause(outcome);
  }
  return result;
}

Lit Encoder::waitsForEver(NodeId id, FinalState& state) {
  const Node& n = forest_[id];
  const Lit waits = solver_.newLit();
  solver_.addClause({-waits, reach(n.parent, n.slot)});
  solver_.addClause({-waits, -encoded_[id].on});
  if (n.event == EventKind::Lock) lockIsHeld(waits, id, state);
  if (n.event == EventKind::Join)
    for (const NodeId end : thread(n.other).ends) solver_.addClause({-waits, -encoded_[end].on});
  if (n.event == EventKind::Wake) noSignalIsLeft(waits, id, state);
  if (n.rule) stateForbids(waits, id, state);
  return waits;
}

void Encoder::spinsForEver(Lit spins, const Forest::Await& await, const FinalState& state) {
  solver_.addClause({-spins, reach(await.node, await.slot)});
  for (const NodeId read : await.reads) {
    const Node& n = forest_[read];
    solver_.addClause({-spins, encoded_[read].on});
    if (n.event == EventKind::LockBusy) {
      lockIsHeld(spins, read, state);
      continue;
    }
    // What it reads is the last that anyone writes there; its own writes all come before.
    for (const NodeCell& cell : n.cells)
      for (const NodeId write : location(cell.location).writes) {
        if (stopped()) return;
        if (forest_[write].thread == n.thread || write == read) continue;
        // An update that changes nothing, as of another thread that tries in vain, is none.
        std::vector<Lit> clause{-spins, -encoded_[write].on, before(write, read)};
        const NodeCell& written = *cellAt(forest_[write], cell.location);
        if (forest_[write].event == EventKind::Update)
          clause.push_back(solver_.condition(terms_.eq(written.value, written.symbol)));
        solver_.addClause(clause);
      }
  }
}

void Encoder::lockIsHeld(Lit waits, NodeId id, const FinalState& state) {
  std::vector<Lit> held{-waits};
  for (const Acquisition& acquisition : mutex(forest_[id].cells[0].location).acquisitions) {
    if (acquisition.node == id) continue;
    const Lit holds = solver_.newLit();
    solver_.addClause({-holds, encoded_[acquisition.node].on});
    for (const NodeId unlock : acquisition.unlocks) solver_.addClause({-holds, -encoded_[unlock].on});
    const auto released = state.released.find(acquisition.node);
    if (released != state.released.end())
      for (const Lit spins : released->second) solver_.addClause({-holds, -spins});
    held.push_back(holds);
  }
  solver_.addClause(held);
}

void Encoder::stateForbids(Lit waits, NodeId id, FinalState& state) {
  const Node& n = forest_[id];
  Lit known = 0;
  const Term value = finalValue(n.cells[0].location, state, known);
  solver_.addClause({-waits, known});
  solver_.addClause({-waits, -solver_.condition(n.rule->guard(terms_, value, n.operand))});
}

Term Encoder::finalValue(LocationId id, FinalState& state, Lit& known) {
  const auto [it, isNew] = state.values.try_emplace(id, kNoTerm, 0);
  if (!isNew) {
    known = it->second.second;
    return it->second.first;
  }
  known = solver_.newLit();
  const Term value = terms_.symbol(kSyncBits);
  it->second = {value, known};
  const std::vector<NodeId>& writes = location(id).writes;
  std::vector<Lit> alternatives{-known};
  const Lit untouched = solver_.newLit();
  for (const NodeId write : writes) solver_.addClause({-untouched, -encoded_[write].on});
  Term initial = id < initial_.size() ? initial_[id] : kNoTerm;
  if (initial == kNoTerm) initial = terms_.constant(0, kSyncBits);
  solver_.addEqualityIf(untouched, value, initial);
  alternatives.push_back(untouched);
  for (const NodeId last : writes) {
    if (stopped()) break;
    const Lit chosen = solver_.newLit();
    solver_.addClause({-chosen, encoded_[last].on});
    solver_.addEqualityIf(chosen, value, cellAt(forest_[last], id)->value);
    for (const NodeId other : writes) {
      if (other == last) continue;
      if (forest_[other].thread != forest_[last].thread)
        solver_.addClause({-chosen, -encoded_[other].on, before(other, last)});
      else if (!forest_.reaches(other, last))
        solver_.addClause({-chosen, -encoded_[other].on});
    }
    alternatives.push_back(chosen);
  }
  solver_.addClause(alternatives);
  return value;
}

void Encoder::noSignalIsLeft(Lit waits, NodeId id, FinalState& state) {
  const Node& n = forest_[id];
  for (const NodeId signal : conditions_[n.cells[0].location].signals) {
    if (forest_[signal].thread == n.thread) continue;
    const Lit since = before(n.acquire, signal);
    if (forest_[signal].event == EventKind::Broadcast)
      solver_.addClause({-waits, -encoded_[signal].on, -since});
    else
      solver_.addClause({-waits, -encoded_[signal].on, -since, usedUp(signal, state)});
  }
}

/// The signal woke a thread that no other signal and no broadcast could have woken, apart from signals that
/// are used up in the same way: then no other division of the signals leaves this one free.
Lit Encoder::usedUp(NodeId signal, FinalState& state) {
  const auto [it, isNew] = state.usedUp.try_emplace(signal, 0);
  if (!isNew) return it->second;
  const Lit used = it->second = solver_.newLit();
  const ConditionState& condition = conditions_[forest_[signal].cells[0].location];
  std::vector<Lit> alternatives{-used};
  for (const Waker& waker : condition.wakers) {
    const auto own = std::find_if(waker.chosen.begin(), waker.chosen.end(),
                                  [&](const auto& c) { return c.first == signal; });
    if (own == waker.chosen.end() || stopped()) continue;
    const Lit woke = solver_.newLit();
    solver_.addClause({-woke, own->second});
    solver_.addClause({-woke, encoded_[waker.node].on});
    alternatives.push_back(woke);
    const NodeId wait = forest_[waker.node].acquire;
    for (const auto& [other, lit] : waker.chosen) {
      if (other == signal) continue;
      // It took this one, and could not have taken another that is free.
      solver_.addClause({-woke, -lit});
      std::vector<Lit> clause{-woke, -encoded_[other].on, -before(wait, other), -before(other, waker.node)};
      if (forest_[other].event == EventKind::Signal) clause.push_back(usedUp(other, state));
      solver_.addClause(clause);
    }
  }
  solver_.addClause(alternatives);
  return used;
}

}  // namespace heddle

#include "analysis/explore/formula/stuck_question.h"

#include <algorithm>

#include "analysis/explore/formula/round_terms.h"

namespace heddle {

StuckLiterals StuckQuestion::ask() {
  result_.all = solver_.newLit();
  result_.onlySureWays = solver_.newLit();
  someWaits_ = {-result_.all};
  addAwaits();
  for (NodeId id = 0; id < forest_.size() && !budget_.stopped(); ++id)
    if (forest_[id].kind == NodeKind::Event) addEvent(id);
  addSpins();
  addInputRounds();
  addJoinsInVain();
  solver_.addClause(someWaits_);
  addOutcomes();
  return std::move(result_);
}

void StuckQuestion::addAwaits() {
  for (const Forest::Await& await : forest_.awaits()) {
    if (takesMore(await.how)) continue;
    spins_.push_back({&await, solver_.newLit()});
    result_.spinning.emplace_back(&await, spins_.back().spins);
    if (!await.released.empty()) addLettingGo(spins_.back());
  }
  guards_.close();
}

void StuckQuestion::addLettingGo(const Spin& spin) {
  const Lit letsGo = solver_.newLit();
  solver_.addClause({-letsGo, spin.spins});
  solver_.addClause({-letsGo, result_.all});
  for (const NodeId lock : spin.await->released) {
    released_[lock].push_back(spin.spins);
    locks_.mayLetGo(lock, letsGo);
  }
  result_.lettingGo.emplace_back(spin.await->released.front(), letsGo);
}

void StuckQuestion::addEvent(NodeId id) {
  const Node& n = forest_[id];
  std::vector<Lit>& outcome = outcomes_[n.thread];
  if (n.event == EventKind::End) {
    // A thread that takes the process with it ends all waiting.
    if (n.endsProcess)
      solver_.addClause({-result_.all, -nodes_.on(id)});
    else
      outcome.push_back(nodes_.on(id));
    return;
  }
  const bool tried = n.parent != kNone && forest_[n.parent].kind == NodeKind::TryLock;
  const bool mayWait = !n.timed && ((n.event == EventKind::Lock && !tried) || n.event == EventKind::Join ||
                                    n.event == EventKind::Wake || (n.rule && n.rule->guard));
  // Within an atomic section nothing waits: the execution does not count.
  if (!mayWait || (n.section != kNone && n.section != id)) return;
  const Lit waits = waitsForEver(id);
  outcome.push_back(waits);
  result_.waiting.emplace_back(id, waits);
  if (n.event == EventKind::Join)
    joins_.push_back({id, waits, solver_.newLit()});
  else
    someWaits_.push_back(waits);
}

void StuckQuestion::addSpins() {
  for (const Spin& spin : spins_) {
    const Forest::Await& await = *spin.await;
    spinsForEver(spin);
    outcomes_[await.thread].push_back(spin.spins);
    // A thread that waits for nobody may go round as long as it wants.
    if (await.how == GoesRound::Idle) {
      working_.emplace_back(await.thread, spin.spins);
      continue;
    }
    someWaits_.push_back(spin.spins);
    if (!await.reads.empty()) result_.waiting.emplace_back(await.reads.front(), spin.spins);
  }
}

void StuckQuestion::addInputRounds() {
  for (const InputRounds& rounds : inputRounds(forest_)) {
    if (budget_.stopped()) return;
    const Lit stays = solver_.newLit();
    solver_.addClause({-stays, nodes_.reach(rounds.head, rounds.headSlot)});
    for (const NodeId event : rounds.firstEvents) solver_.addClause({-stays, -nodes_.on(event)});
    solver_.addClause({-stays, result_.all});
    addRound(rounds, stays);
    outcomes_[rounds.thread].push_back(stays);
    result_.takingInputs.push_back(stays);
    // Without a read it waits for nobody.
    if (rounds.reads.empty()) {
      working_.emplace_back(rounds.thread, stays);
      continue;
    }
    someWaits_.push_back(stays);
    for (const NodeId read : rounds.reads) result_.waiting.emplace_back(read, stays);
  }
}

NodeId StuckQuestion::lockOf(const InputRounds::Way& way) const {
  const auto isLock = [&](NodeId id) {
    return id != kNone && forest_[id].kind == NodeKind::Event && forest_[id].event == EventKind::Lock;
  };
  if (isLock(way.from)) return way.from;
  const NodeId child = forest_.child(way.from, way.slot);
  return forest_[way.from].kind == NodeKind::TryLock && isLock(child) ? child : kNone;
}

void StuckQuestion::addRound(const InputRounds& rounds, Lit stays) {
  RoundTerms terms(forest_, terms_, rounds);
  for (const NodeId id : rounds.reads)
    for (const NodeCell& cell : forest_[id].cells) {
      if (cell.symbol == kNoTerm) continue;
      Lit known = 0;
      terms.set(cell.symbol, finalValue(cell.location, terms_.width(cell.symbol), known));
      solver_.addClause({-stays, known});
    }
  std::map<NodeId, Lit> comesTo;
  for (const NodeId id : rounds.nodes) comesTo[id] = solver_.newLit();
  solver_.addClause({-stays, comesTo[rounds.start]});
  for (const InputRounds::Way& way : rounds.ways) {
    const Node& n = forest_[way.from];
    std::vector<Lit> clause{-comesTo[way.from]};
    // Where the next round's inputs decide, it may go any way.
    const bool decides = n.kind == NodeKind::Branch || n.kind == NodeKind::Choice;
    const Term term = decides ? terms.of(n.term) : kNoTerm;
    if (term != kNoTerm)
      clause.push_back(-solver_.condition(terms_.eq(term, terms_.constant(way.slot, terms_.width(term)))));
    // Whether the inputs can be like that is not asked.
    if (way.isCut || (decides && term == kNoTerm && !terms.isFree(n.term))) {
      clause.push_back(result_.onlySureWays);
      result_.hasUnsureWays = true;
    }
    if (const NodeId lock = lockOf(way); lock != kNone) {
      // It stays outside of what another thread holds for ever.
      clause.push_back(solver_.newLit());
      lockIsHeld(clause.back(), lock);
    }
    if (way.to != kNone) clause.push_back(comesTo[way.to]);
    solver_.addClause(clause);
  }
}

void StuckQuestion::addJoinsInVain() {
  for (const JoinInVain& join : joins_) {
    someWaits_.push_back(join.inVain);
    solver_.addClause({-join.inVain, join.waits});
    // A thread that goes round for ever without waiting for anything keeps nobody from going on.
    const ThreadId joined = forest_[join.node].other;
    for (const auto& [thread, works] : working_)
      if (thread == joined) solver_.addClause({-join.inVain, -works});
    for (const JoinInVain& next : joins_)
      if (forest_[next.node].thread == joined) solver_.addClause({-join.inVain, -next.waits, next.inVain});
  }
}

void StuckQuestion::addOutcomes() {
  for (auto& [id, outcome] : outcomes_) {
    if (id != kMainThread) {
      const Lit notCreated = solver_.newLit();
      for (const NodeId create : threads_.creates(id)) solver_.addClause({-notCreated, -nodes_.on(create)});
      outcome.push_back(notCreated);
    }
    outcome.push_back(-result_.all);
    solver_.addClause(outcome);
  }
}

Lit StuckQuestion::waitsForEver(NodeId id) {
  const Node& n = forest_[id];
  const Lit waits = solver_.newLit();
  solver_.addClause({-waits, nodes_.reach(n.parent, n.slot)});
  solver_.addClause({-waits, -nodes_.on(id)});
  if (n.event == EventKind::Lock) lockIsHeld(waits, id);
  if (n.event == EventKind::Join)
    for (const NodeId end : threads_.ends(n.other)) solver_.addClause({-waits, -nodes_.on(end)});
  if (n.event == EventKind::Wake) noSignalIsLeft(waits, id);
  if (n.rule) stateForbids(waits, id);
  return waits;
}

void StuckQuestion::spinsForEver(const Spin& spin) {
  const Forest::Await& await = *spin.await;
  const Lit spins = spin.spins;
  solver_.addClause({-spins, nodes_.reach(await.node, await.slot)});
  for (const NodeId read : await.reads) {
    const Node& n = forest_[read];
    solver_.addClause({-spins, nodes_.on(read)});
    if (n.event == EventKind::LockBusy) {
      lockIsHeld(spins, read);
      continue;
    }
    // What it reads is the last that anyone writes there; its own writes all come before.
    for (const NodeCell& cell : n.cells)
      for (const NodeId write : reads_.writes(cell.location)) {
        if (budget_.stopped()) return;
        if (forest_[write].thread == n.thread || write == read) continue;
        // An update that changes nothing, as of another thread that tries in vain, is none.
        std::vector<Lit> clause{-spins, -nodes_.on(write), sections_.before(write, read)};
        const NodeCell& written = *cellAt(forest_[write], cell.location);
        if (forest_[write].event == EventKind::Update)
          clause.push_back(solver_.condition(terms_.eq(written.value, written.symbol)));
        solver_.addClause(clause);
      }
  }
}

void StuckQuestion::lockIsHeld(Lit waits, NodeId id) {
  std::vector<Lit> held{-waits};
  for (const LockEncoder::Acquisition& acquisition : locks_.acquisitions(forest_[id].cells[0].location)) {
    if (acquisition.node == id) continue;
    const Lit holds = solver_.newLit();
    solver_.addClause({-holds, nodes_.on(acquisition.node)});
    for (const NodeId unlock : acquisition.unlocks) solver_.addClause({-holds, -nodes_.on(unlock)});
    const auto released = released_.find(acquisition.node);
    if (released != released_.end())
      for (const Lit spins : released->second) solver_.addClause({-holds, -spins});
    held.push_back(holds);
  }
  solver_.addClause(held);
}

void StuckQuestion::stateForbids(Lit waits, NodeId id) {
  const Node& n = forest_[id];
  Lit known = 0;
  const Term value = finalValue(n.cells[0].location, kSyncBits, known);
  solver_.addClause({-waits, known});
  solver_.addClause({-waits, -solver_.condition(n.rule->guard(terms_, value, n.operand))});
}

Term StuckQuestion::finalValue(LocationId id, unsigned width, Lit& known) {
  const auto [it, isNew] = values_.try_emplace(id, kNoTerm, 0);
  if (!isNew) {
    known = it->second.second;
    return it->second.first;
  }
  known = solver_.newLit();
  const Term value = terms_.symbol(width);
  it->second = {value, known};
  const std::span<const NodeId> writes = reads_.writes(id);
  std::vector<Lit> alternatives{-known};
  const Lit untouched = solver_.newLit();
  for (const NodeId write : writes) solver_.addClause({-untouched, -nodes_.on(write)});
  solver_.addEqualityIf(untouched, value, reads_.initialValue(id, width));
  alternatives.push_back(untouched);
  for (const NodeId last : writes) {
    if (budget_.stopped()) break;
    const Lit chosen = solver_.newLit();
    solver_.addClause({-chosen, nodes_.on(last)});
    // What is not known is not the last value.
    const Term written = cellAt(forest_[last], id)->value;
    if (written == kNoTerm)
      solver_.addClause({-chosen});
    else
      solver_.addEqualityIf(chosen, value, written);
    for (const NodeId other : writes) {
      if (other == last) continue;
      if (forest_[other].thread != forest_[last].thread)
        solver_.addClause({-chosen, -nodes_.on(other), sections_.before(other, last)});
      else if (!forest_.reaches(other, last))
        solver_.addClause({-chosen, -nodes_.on(other)});
    }
    alternatives.push_back(chosen);
  }
  solver_.addClause(alternatives);
  return value;
}

void StuckQuestion::noSignalIsLeft(Lit waits, NodeId id) {
  const Node& n = forest_[id];
  for (const NodeId signal : conditions_.signals(n.cells[0].location)) {
    if (forest_[signal].thread == n.thread) continue;
    const Lit since = sections_.before(n.acquire, signal);
    if (forest_[signal].event == EventKind::Broadcast)
      solver_.addClause({-waits, -nodes_.on(signal), -since});
    else
      solver_.addClause({-waits, -nodes_.on(signal), -since, usedUp(signal)});
  }
}

Lit StuckQuestion::usedUp(NodeId signal) {
  const auto [it, isNew] = usedUp_.try_emplace(signal, 0);
  if (!isNew) return it->second;
  const Lit used = it->second = solver_.newLit();
  std::vector<Lit> alternatives{-used};
  for (const ConditionEncoder::Waker& waker : conditions_.wakers(forest_[signal].cells[0].location)) {
    const auto own = std::find_if(waker.chosen.begin(), waker.chosen.end(),
                                  [&](const auto& c) { return c.first == signal; });
    if (own == waker.chosen.end() || budget_.stopped()) continue;
    const Lit woke = solver_.newLit();
    solver_.addClause({-woke, own->second});
    solver_.addClause({-woke, nodes_.on(waker.node)});
    alternatives.push_back(woke);
    const NodeId wait = forest_[waker.node].acquire;
    for (const auto& [other, lit] : waker.chosen) {
      if (other == signal) continue;
      // It took this one, and could not have taken another that is free.
      solver_.addClause({-woke, -lit});
      std::vector<Lit> clause{-woke, -nodes_.on(other), -sections_.before(wait, other),
                              -sections_.before(other, waker.node)};
      if (forest_[other].event == EventKind::Signal) clause.push_back(usedUp(other));
      solver_.addClause(clause);
    }
  }
  solver_.addClause(alternatives);
  return used;
}

}  // namespace heddle

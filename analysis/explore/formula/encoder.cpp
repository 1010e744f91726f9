#include "analysis/explore/formula/encoder.h"

#include <algorithm>

namespace heddle {

bool Encoder::stopped() {
  constexpr uint64_t kBetweenLooks = 512;
  if (!stopped_ && ++work_ % kBetweenLooks == 0) stopped_ = budget_->check() != StopReason::None;
  return stopped_;
}

bool Encoder::update(const Budget& budget) {
  budget_ = &budget;
  while (encoded_.size() < forest_.size() && !stopped()) {
    encoded_.emplace_back();
    encode(static_cast<NodeId>(encoded_.size() - 1));
  }
  if (stopped_) return false;  // what follows speaks of all nodes
  for (const NodeId choice : choices_) encodeChoiceSides(choice);
  for (; mergeEdges_ < forest_.mergeEdges().size(); ++mergeEdges_)
    encodeMergeEdge(forest_.mergeEdges()[mergeEdges_]);
  updateOwnWrites();
  if (stopped_) return false;
  closeGrowth();
  boundReaders();
  countWrites();
  relateEqualReads();
  return !stopped_;
}

void Encoder::encode(NodeId id) {
  const Node& n = forest_[id];
  switch (n.kind) {
    case NodeKind::Event:
      encodeEvent(id);
      break;
    case NodeKind::Branch:
      encodeBranch(id);
      break;
    case NodeKind::Choice:
      encoded_[id].on = reach(n.parent, n.slot);
      encoded_[id].other = encoded_[id].on;
      choices_.push_back(id);
      encodeChoiceSides(id);
      break;
    case NodeKind::Input:
      encoded_[id].on = reach(n.parent, n.slot);
      solver_.guardSymbol(n.term, encoded_[id].on);
      break;
    case NodeKind::SectionEnd:
      encodeSectionEnd(id);
      break;
    case NodeKind::Merge:
      encodeMerge(id);
      break;
    case NodeKind::TryLock: {
      const Lit here = encoded_[id].on = reach(n.parent, n.slot);
      const Lit busy = solver_.newLit(), acquired = solver_.newLit();
      solver_.addClause({-busy, here});
      solver_.addClause({-acquired, here});
      solver_.addClause({-busy, -acquired});
      encoded_[id].sides = {{0, busy}, {1, acquired}};
      break;
    }
  }
}

Lit Encoder::reach(NodeId parent, uint64_t slot) {
  const Node& p = forest_[parent];
  const bool forks = isFork(p.kind);
  return forks ? side(parent, slot) : encoded_[parent].on;
}

Lit Encoder::side(NodeId node, uint64_t slot) {
  for (const auto& [s, lit] : encoded_[node].sides)
    if (s == slot) return lit;
  // Only a choice gets sides later than itself.
  encodeChoiceSides(node);
  for (const auto& [s, lit] : encoded_[node].sides)
    if (s == slot) return lit;
  return -Solver::kTrue;
}

void Encoder::encodeBranch(NodeId id) {
  const Node& n = forest_[id];
  const Lit here = encoded_[id].on = reach(n.parent, n.slot);
  const Lit condition = solver_.condition(n.term);
  noteCompared(n.term);
  for (const uint64_t slot : {0, 1}) {
    const Lit lit = solver_.newLit();
    solver_.addClause({-lit, here});
    solver_.addClause({-lit, slot == 1 ? condition : -condition});
    encoded_[id].sides.emplace_back(slot, lit);
  }
}

void Encoder::encodeChoiceSides(NodeId id) {
  const Node& n = forest_[id];
  for (const uint64_t value : n.sides) {
    auto& sides = encoded_[id].sides;
    if (std::any_of(sides.begin(), sides.end(), [&](const auto& s) { return s.first == value; })) continue;
    const Lit equal = solver_.condition(terms_.eq(n.term, terms_.constant(value, terms_.width(n.term))));
    const Lit lit = solver_.newLit();
    solver_.addClause({-lit, encoded_[id].on});
    solver_.addClause({-lit, equal});
    sides.emplace_back(value, lit);
    const Lit other = solver_.newLit();
    solver_.addClause({-other, encoded_[id].other});
    solver_.addClause({-other, -equal});
    encoded_[id].other = other;
  }
}

void Encoder::encodeEvent(NodeId id) {
  const Node& n = forest_[id];
  if (n.parent == kNone) {
    encodeStart(id);
    return;
  }
  const Lit on = encoded_[id].on = solver_.newLit();
  solver_.addClause({-on, reach(n.parent, n.slot)});
  // The events of an atomic section are one in the order.
  const bool goesOn = n.section != kNone && n.section != id;
  encoded_[id].order = goesOn ? encoded_[n.section].order : solver_.newOrderNode(on);
  if (!goesOn) solver_.addEdge(encoded_[n.lastEvent].order, encoded_[id].order);
  if (n.section == id) encodeSection(id);
  if (n.rule && n.rule->guard)
    solver_.addClause({-on, solver_.condition(n.rule->guard(terms_, n.cells[0].symbol, n.operand))});
  switch (n.event) {
    case EventKind::Read:
      encodeReads(id);
      break;
    case EventKind::Write:
      encodeWrites(id);
      break;
    case EventKind::Update:
      encodeReads(id);
      encodeWrites(id);
      break;
    case EventKind::Lock:
      encodeLock(id);
      break;
    case EventKind::Unlock:
      encodeUnlock(id);
      break;
    case EventKind::LockBusy:
      encodeBusy(id);
      break;
    case EventKind::Create:
      encodeCreate(id);
      break;
    case EventKind::Join:
      encodeJoin(id);
      break;
    case EventKind::End:
      encodeEnd(id);
      break;
    case EventKind::Signal:
    case EventKind::Broadcast:
      encodeSignal(id);
      break;
    case EventKind::Wake:
      encodeWake(id);
      break;
    case EventKind::Start:
    case EventKind::Wait:
      break;
  }
}

// --- merges ---

void Encoder::encodeMerge(NodeId id) {
  const Lit on = encoded_[id].on = solver_.newLit();
  encoded_[id].order = solver_.newOrderNode(on);
  ThreadState& t = thread(forest_[id].thread);
  if (t.mergeGroup == kNone) t.mergeGroup = newGroup();
  const uint32_t guard = mergeGuards_[id] = newGuard(t.mergeGroup, on);
  solver_.addClause({-on, guardLit(guard)});
}

void Encoder::encodeMergeEdge(const Forest::MergeEdge& edge) {
  const NodeId last = isOrdered(forest_[edge.from]) ? edge.from : forest_[edge.from].lastEvent;
  // Whichever path is taken, an event that leads to the merge on some path comes before it.
  solver_.addEdge(encoded_[last].order, encoded_[edge.to].order);
  const Lit taken = solver_.newLit();
  solver_.guard(taken, encoded_[edge.to].on);
  solver_.addClause({-taken, reach(edge.from, edge.slot)});
  grow(mergeGuards_.at(edge.to), taken);
}

// --- threads ---

void Encoder::encodeStart(NodeId id) {
  const Node& n = forest_[id];
  const bool isMain = n.thread == kMainThread;
  const Lit on = encoded_[id].on = isMain ? Solver::kTrue : solver_.newLit();
  encoded_[id].order = solver_.newOrderNode(on);
  if (isMain) return;
  if (n.term != kNoTerm) solver_.guardSymbol(n.term, on);
  ThreadState& t = thread(n.thread);
  if (t.createGroup == kNone) t.createGroup = newGroup();
  t.startGuard = newGuard(t.createGroup, on);
  solver_.addClause({-on, guardLit(t.startGuard)});
  for (const NodeId create : t.creates) {
    solver_.addEdge(encoded_[create].order, encoded_[id].order);
    const Lit chosen = solver_.newLit();
    solver_.addClause({-chosen, encoded_[create].on});
    solver_.addClause({-chosen, sectionDone(create)});
    if (n.term != kNoTerm) solver_.addEqualityIf(chosen, n.term, forest_[create].term);
    grow(t.startGuard, chosen);
  }
}

void Encoder::encodeCreate(NodeId id) {
  const Node& n = forest_[id];
  precedence_.addCreate(id);
  ThreadState& t = thread(n.other);
  t.creates.push_back(id);
  const NodeId root = forest_.root(n.other);
  if (t.startGuard == kNone || root == kNone) return;
  solver_.addEdge(encoded_[id].order, encoded_[root].order);
  const Lit chosen = solver_.newLit();
  solver_.addClause({-chosen, encoded_[id].on});
  solver_.addClause({-chosen, sectionDone(id)});
  if (forest_[root].term != kNoTerm) solver_.addEqualityIf(chosen, forest_[root].term, n.term);
  grow(t.startGuard, chosen);
}

void Encoder::encodeEnd(NodeId id) {
  // Nobody joins a thread that took the process with it.
  if (forest_[id].endsProcess) return;
  ThreadState& t = thread(forest_[id].thread);
  t.ends.push_back(id);
  for (const auto& [join, guard] : t.joins) addJoinEnd(join, guard, id);
}

void Encoder::encodeJoin(NodeId id) {
  const Lit on = encoded_[id].on;
  ThreadState& t = thread(forest_[id].other);
  if (t.endGroup == kNone) t.endGroup = newGroup();
  const uint32_t guard = newGuard(t.endGroup, on);
  solver_.addClause({-on, guardLit(guard)});
  t.joins.emplace_back(id, guard);
  for (const NodeId end : t.ends) addJoinEnd(id, guard, end);
}

void Encoder::addJoinEnd(NodeId join, uint32_t guard, NodeId end) {
  // The order is conditional: an unconditional edge out of an end that does not happen could reach, through
  // the joins on its path, events that do.
  const Lit chosen = solver_.newLit();
  solver_.guard(chosen, encoded_[join].on);
  solver_.addClause({-chosen, encoded_[end].on});
  solver_.addClause({-chosen, before(end, join)});
  grow(guard, chosen);
}

// --- growth ---

uint32_t Encoder::newGroup(bool ofReads) {
  groups_.push_back({solver_.newLit(), 0, false, ofReads, {}});
  return static_cast<uint32_t>(groups_.size() - 1);
}

uint32_t Encoder::newGuard(uint32_t group, Lit owner) {
  const Lit lit = solver_.newLit();
  solver_.guard(lit, owner);
  solver_.addClause({-lit, groups_[group].guard});
  guards_.push_back({lit, group, owner, {}});
  const uint32_t id = static_cast<uint32_t>(guards_.size() - 1);
  groups_[group].members.push_back(id);
  return id;
}

void Encoder::grow(uint32_t guard, Lit alternative) {
  guards_[guard].pending.push_back(alternative);
  groups_[guards_[guard].group].grown = true;
}

void Encoder::closeGrowth() {
  std::vector<Lit> clause;
  for (Group& group : groups_) {
    if (!group.grown) continue;
    group.grown = false;
    ++group.version;
    group.guard = solver_.newLit();
    for (const uint32_t id : group.members) {
      Guard& guard = guards_[id];
      if (!guard.pending.empty()) {
        clause.assign({-guard.lit});
        clause.insert(clause.end(), guard.pending.begin(), guard.pending.end());
        guard.pending.clear();
        guard.lit = solver_.newLit();
        solver_.guard(guard.lit, guard.owner);
        clause.push_back(guard.lit);
        solver_.addClause(clause);
      }
      solver_.addClause({-guard.lit, group.guard});
    }
  }
}

Encoder::LocationState& Encoder::location(LocationId id) {
  if (id >= locations_.size()) locations_.resize(id + 1);
  return locations_[id];
}

Encoder::MutexState& Encoder::mutex(LocationId id) {
  return mutexes_[id];
}

Encoder::ThreadState& Encoder::thread(ThreadId id) {
  if (id >= threads_.size()) threads_.resize(id + 1);
  return threads_[id];
}

Lit Encoder::comesLast(NodeId event, NodeId except) {
  const NodeId first = forest_[event].section == kNone ? event : forest_[event].section;
  const Lit isLast = solver_.newLit();
  for (NodeId id = 0; id < encoded_.size(); ++id)
    if (id != except && isOrdered(forest_[id]) && forest_[id].thread != forest_[event].thread)
      solver_.addClause({-isLast, -encoded_[id].on, before(id, first)});
  return isLast;
}

Lit Encoder::writes(NodeId update) {
  const Term condition = forest_[update].writesIf;
  return condition == kNoTerm ? Solver::kTrue : solver_.condition(condition);
}

Lit Encoder::leftOrEnds(NodeId event) {
  const NodeId section = forest_[event].section;
  if (section == kNone) return Solver::kTrue;
  const Lit leaves = solver_.newLit();
  std::vector<Lit> ways{-leaves, sectionDone(event)};
  for (NodeId id = 0; id < encoded_.size(); ++id) {
    const Node& n = forest_[id];
    if (n.kind == NodeKind::Event && n.event == EventKind::End && n.endsProcess &&
        sectionAround(forest_, id) == section)
      ways.push_back(encoded_[id].on);
  }
  solver_.addClause(ways);
  return leaves;
}

std::vector<Lit> Encoder::nextBesideLast(NodeId last, NodeId other) {
  const Node& o = forest_[other];
  return {comesLast(last, kNone), encoded_[last].on,       leftOrEnds(last),
          writes(last),           reach(o.parent, o.slot), -encoded_[other].on};
}

std::vector<Lit> Encoder::rightBefore(NodeId inside, NodeId other) {
  const NodeId first = forest_[inside].section, previous = forest_[first].lastEvent;
  const Lit isNext = solver_.newLit();
  for (NodeId id = 0; id < encoded_.size(); ++id) {
    if (id == other || !isOrdered(forest_[id]) || forest_[id].thread == forest_[inside].thread) continue;
    if (forest_[id].thread != forest_[other].thread)
      solver_.addClause({-isNext, -encoded_[id].on, before(id, other)});
    else if (forest_.reaches(other, id))
      solver_.addClause({-isNext, -encoded_[id].on});
  }
  if (previous != kNone) solver_.addClause({-isNext, before(previous, other)});
  return {
      isNext,        comesLast(inside, kNone), encoded_[inside].on, leftOrEnds(inside), encoded_[other].on,
      writes(other), before(other, first)};
}

std::vector<Lit> Encoder::rightAfter(NodeId inside, NodeId exchange) {
  return {comesLast(inside, exchange), encoded_[inside].on,
          leftOrEnds(inside),          before(forest_[inside].section, exchange),
          encoded_[exchange].on,       writes(exchange)};
}

std::vector<Lit> Encoder::bothNext(NodeId a, NodeId b) {
  const Node& x = forest_[a];
  const Node& y = forest_[b];
  return {reach(x.parent, x.slot), -encoded_[a].on, reach(y.parent, y.slot), -encoded_[b].on};
}

std::vector<Lit> Encoder::inOrder(NodeId first, NodeId between, NodeId last) {
  return {encoded_[first].on, encoded_[between].on,   writes(between),
          encoded_[last].on,  before(first, between), before(between, last)};
}

}  // namespace heddle

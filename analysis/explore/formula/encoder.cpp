#include "analysis/explore/formula/encoder.h"

#include <cassert>

namespace heddle {

bool Encoder::update(const Budget& budget) {
  assert(base_.nodes.size() <= base_.forest.size() && "the forest was emptied: make a new encoder");
  base_.budget.begin(budget);
  while (base_.nodes.size() < base_.forest.size() && !base_.budget.stopped()) encode(base_.nodes.add());
  if (base_.budget.hasStopped()) return false;  // what follows speaks of all nodes
  base_.nodes.updateChoices();
  merges_.updateEdges();
  reads_.updateOwnWrites();
  if (base_.budget.hasStopped()) return false;
  base_.guards.close();
  ranges_.update();
  counting_.update();
  equalReads_.update();
  return !base_.budget.hasStopped();
}

void Encoder::encode(NodeId id) {
  const Node& n = base_.forest[id];
  switch (n.kind) {
    case NodeKind::Event:
      encodeEvent(id);
      break;
    case NodeKind::Branch:
      base_.nodes.encodeBranch(id);
      equalReads_.noteCompared(n.term);
      break;
    case NodeKind::Choice:
      base_.nodes.encodeChoice(id);
      break;
    case NodeKind::Input:
      base_.solver.guardSymbol(n.term, base_.nodes.encodeReached(id));
      break;
    case NodeKind::SectionEnd:
      sections_.encodeEnd(id);
      break;
    case NodeKind::Merge:
      merges_.encode(id);
      break;
    case NodeKind::TryLock:
      base_.nodes.encodeTryLock(id);
      break;
  }
}

void Encoder::encodeEvent(NodeId id) {
  const Node& n = base_.forest[id];
  if (n.parent == kNone)
    threads_.encodeStart(id);
  else {
    encodePlace(id);
    encodeEffect(id);
  }
}

void Encoder::encodePlace(NodeId id) {
  NodeLiterals& nodes = base_.nodes;
  Solver& solver = base_.solver;
  const Node& n = base_.forest[id];
  const Lit on = solver.newLit();
  nodes.setOn(id, on);
  solver.addClause({-on, nodes.reach(n.parent, n.slot)});
  // The events of an atomic section are one in the order.
  const bool goesOn = n.section != kNone && n.section != id;
  nodes.setOrder(id, goesOn ? nodes.order(n.section) : solver.newOrderNode(on));
  if (!goesOn) solver.addEdge(nodes.order(n.lastEvent), nodes.order(id));
  if (n.section == id) sections_.encode(id);
  if (n.rule && n.rule->guard)
    solver.addClause({-on, solver.condition(n.rule->guard(base_.terms, n.cells[0].symbol, n.operand))});
}

void Encoder::encodeEffect(NodeId id) {
  switch (base_.forest[id].event) {
    case EventKind::Read:
      reads_.encodeReads(id);
      break;
    case EventKind::Write:
      encodeWrites(id);
      break;
    case EventKind::Update:
      reads_.encodeReads(id);
      encodeWrites(id);
      break;
    case EventKind::Lock:
      locks_.encodeLock(id);
      break;
    case EventKind::Unlock:
      locks_.encodeUnlock(id);
      break;
    case EventKind::LockBusy:
      locks_.encodeBusy(id);
      break;
    case EventKind::Create:
      threads_.encodeCreate(id);
      break;
    case EventKind::Join:
      threads_.encodeJoin(id);
      break;
    case EventKind::End:
      threads_.encodeEnd(id);
      break;
    case EventKind::Signal:
    case EventKind::Broadcast:
      conditions_.encodeSignal(id);
      break;
    case EventKind::Wake:
      conditions_.encodeWake(id);
      break;
    case EventKind::Start:
    case EventKind::Wait:
      break;
  }
}

void Encoder::encodeWrites(NodeId id) {
  reads_.encodeWrites(id);
  ranges_.note(id);
  counting_.note(id);
}

StuckLiterals Encoder::stuck() {
  return StuckQuestion(base_, sections_, threads_, locks_, conditions_, reads_).ask();
}

}  // namespace heddle

#include "analysis/explore/forest/forest_builder.h"

#include <algorithm>

namespace heddle {

namespace {
// Slots of a try-lock's continuations.
constexpr uint64_t kBusy = 0;
constexpr uint64_t kAcquired = 1;

bool sameCells(const std::vector<NodeCell>& cells, const std::vector<LocationId>& locations) {
  return std::equal(cells.begin(), cells.end(), locations.begin(), locations.end(),
                    [](const NodeCell& a, LocationId b) { return a.location == b; });
}
}  // namespace

void ForestBuilder::begin(InputSource& inputs) {
  inputs_ = &inputs;
  cursors_.clear();
  lastExecuted_ = kNone;
  executed_.clear();
  assumptionFailed_ = false;
}

GlobalPath ForestBuilder::positions() const {
  GlobalPath path;
  for (const Cursor& c : cursors_) path.push_back({c.node, c.slot});
  return path;
}

bool ForestBuilder::finish() {
  if (assumptionFailed_) return false;
  if (merging_) {
    StateKey path;
    for (const Cursor& c : cursors_) {
      path.add(c.path.low);
      path.add(c.path.high);
      path.add(c.slot);
    }
    return pathKeys_.insert(path).second;
  }
  GlobalPath path = positions();
  while (!path.empty() && path.back().node == kNone) path.pop_back();
  return paths_.insert(std::move(path)).second;
}

void ForestBuilder::reset() {
  forest_.clear();
  initial_.clear();
  paths_.clear();
  pathKeys_.clear();
  merges_.clear();
  failurePoints_.clear();
  failedEnds_.clear();
  cursors_.clear();
}

ForestBuilder::Cursor& ForestBuilder::cursor(ThreadId thread) {
  if (thread >= cursors_.size()) cursors_.resize(thread + 1);
  return cursors_[thread];
}

NodeId ForestBuilder::lastEvent(ThreadId thread) const {
  return thread < cursors_.size() ? cursors_[thread].lastEvent : kNone;
}

NodeId ForestBuilder::position(ThreadId thread) const {
  return thread < cursors_.size() ? cursors_[thread].node : kNone;
}

NodeId ForestBuilder::pending(ThreadId thread) const {
  const NodeId at = position(thread);
  return at == kNone ? kNone : forest_.child(at, cursors_[thread].slot);
}

void ForestBuilder::diverge(const std::string& what) {
  constexpr size_t kEnough = 20;
  if (divergences_.size() < kEnough) divergences_.push_back(what);
}

Term ForestBuilder::termOf(const Value& value, unsigned width) const {
  return value.term != kNoTerm ? value.term : tables_.terms.constant(value.bits, width);
}

NodeId ForestBuilder::step(Cursor& c, Node expected) {
  NodeId id = c.node == kNone ? forest_.root(expected.thread) : forest_.child(c.node, c.slot);
  if (id == kNone) {
    expected.parent = c.node;
    expected.slot = c.slot;
    expected.executed = true;
    expected.held = c.held;
    id = forest_.add(std::move(expected));
  } else {
    Node& known = forest_.at(id);
    if (known.kind != expected.kind || known.event != expected.event || known.place != expected.place ||
        known.other != expected.other || known.rule != expected.rule || known.operand != expected.operand ||
        (known.kind != NodeKind::Event && known.term != expected.term && known.kind != NodeKind::Input))
      diverge("thread " + tables_.names.label(expected.thread) + ": expected " + toString(known.event) +
              ", got " + toString(expected.event));
    known.executed = true;
  }
  const NodeKind kind = forest_[id].kind;
  c.forked |= isFork(kind);
  c.path.add(c.slot);
  c.path.add(id);
  c.node = id;
  c.slot = 0;
  return id;
}

Node ForestBuilder::shapeOf(const Event& event, const Cursor& c) const {
  Node node;
  node.kind = NodeKind::Event;
  node.event = event.kind;
  node.thread = event.thread;
  node.place = event.place;
  node.atomic = event.atomic;
  node.isVolatile = event.isVolatile;
  node.inHandler = event.inHandler;
  node.other = event.other;
  node.timed = event.timed;
  if (event.kind == EventKind::Wake) node.acquire = c.wait;
  node.rule = event.rule;
  if (event.rule) node.operand = termOf(event.operand, kSyncBits);
  for (const LocationId location : event.cells) {
    NodeCell cell{location, kNoTerm, kNoTerm, kNone};
    const auto own = c.writes.find(location);
    if (own != c.writes.end()) cell.ownWrite = own->second;
    node.cells.push_back(cell);
  }
  return node;
}

NodeId ForestBuilder::stepEvent(const Event& event, Term term, Node* shape) {
  Cursor& c = cursor(event.thread);
  Node node = shape ? std::move(*shape) : shapeOf(event, c);
  node.term = term;
  const NodeId id = step(c, std::move(node));
  if (!sameCells(forest_[id].cells, event.cells))
    diverge("thread " + tables_.names.label(event.thread) + ": an access touches other cells than before");
  noteSection(c, event, id, true);
  c.lastEvent = id;
  lastExecuted_ = id;
  executed_.push_back(id);
  return id;
}

void ForestBuilder::noteSection(Cursor& c, const Event& event, NodeId node, bool reached) {
  const bool goesOn = event.section != 0 && event.section == c.section;
  if (event.section != 0) forest_.at(node).section = goesOn ? c.sectionNode : node;
  if (!reached) return;
  if (!goesOn) c.sectionNode = node;
  c.section = event.section;
}

void ForestBuilder::start(const Event& event, Value& argument) {
  const bool known = tables_.names.threadName(event.thread).argumentKnown;
  const NodeId existing = forest_.root(event.thread);
  Term symbol = kNoTerm;
  if (!known) symbol = existing != kNone ? forest_[existing].term : tables_.terms.symbol(64);
  stepEvent(event, symbol);
  if (symbol != kNoTerm) argument.term = symbol;
}

void ForestBuilder::end(const Event& event) {
  const NodeId id = stepEvent(event);
  forest_.at(id).failed = cursor(event.thread).failed;
  forest_.at(id).endsProcess = event.endsProcess;
  if (cursor(event.thread).failed) failedEnds_.try_emplace(id, cursor(event.thread).failure);
}

void ForestBuilder::read(const Event& event, std::span<Value> values) {
  readCells(event, values);
  if (!valueForks_ || event.rule) return;
  const NodeId id = cursor(event.thread).node;
  for (size_t i = 0; i < values.size(); ++i) {
    forkOnValue(event, id, i, values[i].bits);
    values[i].term = kNoTerm;
  }
}

void ForestBuilder::forkOnValue(const Event& event, NodeId read, size_t cell, uint64_t bits) {
  choice(event.thread, event.place, forest_[read].cells[cell].symbol, bits);
}

void ForestBuilder::readCells(const Event& event, std::span<Value> values) {
  const NodeId id = stepEvent(event);
  cursor(event.thread).reads.push_back(id);
  Node& node = forest_.at(id);
  for (size_t i = 0; i < values.size() && i < node.cells.size(); ++i) {
    NodeCell& cell = node.cells[i];
    if (cell.symbol == kNoTerm) cell.symbol = tables_.terms.symbol(cellBits(cell.location));
    values[i].term = cell.symbol;
  }
}

void ForestBuilder::write(const Event& event, std::span<const Value> values) {
  Cursor& c = cursor(event.thread);
  const NodeId id = stepEvent(event);
  Node& node = forest_.at(id);
  for (size_t i = 0; i < values.size() && i < node.cells.size(); ++i) {
    NodeCell& cell = node.cells[i];
    const Term value = termOf(values[i], cellBits(cell.location));
    if (cell.value != kNoTerm && cell.value != value) diverge("a write has another value than before");
    cell.value = value;
    c.writes[cell.location] = id;
  }
}

void ForestBuilder::beginUpdate(const Event& event, std::span<Value> old) {
  readCells(event, old);
  updated_.clear();
  for (const Value& value : old) updated_.push_back(value.bits);
}

void ForestBuilder::endUpdate(const Event& event, std::span<const Value> updated) {
  Cursor& c = cursor(event.thread);
  Node& node = forest_.at(c.node);
  for (size_t i = 0; i < updated.size() && i < node.cells.size(); ++i) {
    NodeCell& cell = node.cells[i];
    const Term value = termOf(updated[i], cellBits(cell.location));
    if (cell.value != kNoTerm && cell.value != value) diverge("an update has another value than before");
    cell.value = value;
    c.writes[cell.location] = c.node;
  }
  node.writesIf = event.wrote.term != kNoTerm || !hasWritten(event) ? termOf(event.wrote, 1) : kNoTerm;
  if (!valueForks_ || event.rule) return;
  const NodeId id = c.node;
  for (size_t i = 0; i < updated_.size(); ++i) forkOnValue(event, id, i, updated_[i]);
}

void ForestBuilder::lock(const Event& event) {
  const NodeId id = stepEvent(event);
  acquired(cursor(event.thread), id);
}

void ForestBuilder::unlock(const Event& event) {
  Cursor& c = cursor(event.thread);
  NodeId acquire = kNone;
  for (size_t i = c.held.size(); i-- > 0;)
    if (!event.cells.empty() && cellAt(forest_[c.held[i]], event.cells[0])) {
      acquire = c.held[i];
      c.held.erase(c.held.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  Node shape = shapeOf(event, c);
  shape.acquire = acquire;
  stepEvent(event, kNoTerm, &shape);
}

void ForestBuilder::tryLock(const Event& event, bool gotIt) {
  Cursor& c = cursor(event.thread);
  Node fork;
  fork.kind = NodeKind::TryLock;
  fork.thread = event.thread;
  fork.place = event.place;
  const NodeId id = step(c, std::move(fork));
  // Both outcomes are known continuations from the start; the one that did not happen is pending.
  Event outcome = event;
  for (const uint64_t slot : {kBusy, kAcquired}) {
    if (forest_.child(id, slot) != kNone) continue;
    outcome.kind = slot == kAcquired ? EventKind::Lock : EventKind::LockBusy;
    Node pending = shapeOf(outcome, c);
    pending.parent = id;
    pending.slot = slot;
    pending.held = c.held;
    noteSection(c, event, forest_.add(std::move(pending)), false);
  }
  takeSide(c, id, gotIt ? kAcquired : kBusy);
  outcome.kind = gotIt ? EventKind::Lock : EventKind::LockBusy;
  const NodeId reached = stepEvent(outcome);
  if (!gotIt) c.reads.push_back(reached);
  if (gotIt) acquired(c, reached);
}

void ForestBuilder::condition(const Event& event) {
  const NodeId id = stepEvent(event);
  if (event.kind == EventKind::Wait) cursor(event.thread).wait = id;
}

void ForestBuilder::sectionEnd(ThreadId thread) {
  Cursor& c = cursor(thread);
  if (c.section == 0) return;
  Node end;
  end.kind = NodeKind::SectionEnd;
  end.thread = thread;
  end.section = c.sectionNode;
  step(c, std::move(end));
  c.section = 0;
}

void ForestBuilder::create(const Event& event, const Value& argument) {
  stepEvent(event, termOf(argument, 64));
}

void ForestBuilder::join(const Event& event) {
  stepEvent(event);
  std::vector<ThreadId>& joined = cursor(event.thread).joined;
  const auto at = std::lower_bound(joined.begin(), joined.end(), event.other);
  if (at == joined.end() || *at != event.other) joined.insert(at, event.other);
}

Value ForestBuilder::input(const InputRequest& request) {
  ++cursor(request.thread).inputs;
  if (!inputs_->symbolic()) return {inputs_->value(request, kNone) & widthMask(request.width), kNoTerm};
  Cursor& c = cursor(request.thread);
  Node node;
  node.kind = NodeKind::Input;
  node.thread = request.thread;
  node.place = request.place;
  const NodeId id = step(c, std::move(node));
  Node& known = forest_.at(id);
  if (known.term == kNoTerm) known.term = tables_.terms.symbol(request.width);
  return {inputs_->value(request, id) & widthMask(request.width), known.term};
}

void ForestBuilder::takeSide(Cursor& c, NodeId node, uint64_t slot) {
  if (!forest_.sideTaken(node, slot)) forest_.at(node).sides.push_back(slot);
  c.slot = slot;
}

void ForestBuilder::branch(const BranchInfo& info) {
  Cursor& c = cursor(info.thread);
  Node node;
  node.kind = NodeKind::Branch;
  node.thread = info.thread;
  node.place = info.place;
  node.term = info.condition;
  node.role = info.role;
  node.errorSide = info.errorSide;
  if (info.role == BranchRole::Assume && !info.taken) assumptionFailed_ = true;
  takeSide(c, step(c, std::move(node)), info.taken ? 1 : 0);
}

void ForestBuilder::choice(ThreadId thread, PlaceId place, Term term, uint64_t bits) {
  Cursor& c = cursor(thread);
  Node node;
  node.kind = NodeKind::Choice;
  node.thread = thread;
  node.place = place;
  node.term = term;
  takeSide(c, step(c, std::move(node)), bits);
}

void ForestBuilder::failure(const Failure& failure) {
  Cursor& c = cursor(failure.thread);
  c.failed = true;
  c.failure = failure;
  if (c.node != kNone) failurePoints_.insert(c.node);
}

void ForestBuilder::blocked(const Event& event) {
  Cursor& c = cursor(event.thread);
  if (c.node == kNone || forest_.child(c.node, c.slot) != kNone) return;
  if (!event.rule && event.kind != EventKind::Lock && event.kind != EventKind::Join &&
      event.kind != EventKind::Wake)
    return;
  addPending(event, c);
}

NodeId ForestBuilder::notePending(const Event& event) {
  if (event.kind == EventKind::Start || event.kind == EventKind::LockBusy) return kNone;
  Cursor& c = cursor(event.thread);
  if (c.node == kNone) return kNone;
  const NodeId known = forest_.child(c.node, c.slot);
  if (known != kNone) return known;
  if (event.kind == EventKind::Update && !event.rule) return kNone;
  return addPending(event, c);
}

NodeId ForestBuilder::addPending(const Event& event, const Cursor& c) {
  Node pending = shapeOf(event, c);
  pending.parent = c.node;
  pending.slot = c.slot;
  pending.held = c.held;
  for (NodeCell& cell : pending.cells) {
    if (!event.rule && event.kind != EventKind::Read) break;
    // The formula must know what it would do, to say when it can.
    cell.symbol = tables_.terms.symbol(cellBits(cell.location));
    if (event.rule && event.rule->next)
      cell.value = event.rule->next(tables_.terms, cell.symbol, pending.operand);
  }
  const NodeId id = forest_.add(std::move(pending));
  noteSection(cursors_[event.thread], event, id, false);
  return id;
}

void ForestBuilder::initialValue(LocationId location, const Value& value) {
  if (location >= initial_.size()) initial_.resize(location + 1, kNoTerm);
  const Term term = termOf(value, cellBits(location));
  if (initial_[location] != kNoTerm && initial_[location] != term)
    diverge("a location has another initial value than before");
  initial_[location] = term;
}

}  // namespace heddle

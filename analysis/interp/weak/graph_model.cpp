#include "analysis/interp/weak/graph_model.h"

#include <algorithm>

namespace heddle {

namespace {

/// What is hashed of an event beside its kind.
enum class Mark : uint64_t { Fence = 100, Input = 110, Fork, Plain, Open };

}  // namespace

bool GraphModel::isOfProgram(const Event& event) const {
  return !event.rule && names_.info(locations_.cell(event.cells[0]).object).name.kind != ObjectKind::Library;
}

bool GraphModel::isOpen(const Event& event) const {
  return (event.atomic || graph_.axioms().coversPlainAccesses()) && isOfProgram(event);
}

uint64_t GraphModel::nameOf(GraphEventId id) const {
  const GraphEvent& event = graph_[id];
  return event.thread == kNone ? 0 : (uint64_t{graph_.threadId(event.thread)} + 1) << 32 | event.index;
}

void GraphModel::note(ThreadId thread, uint64_t what, LocationId location, GraphEventId source) {
  StateKey& history = histories_[thread];
  history.add(what << 32 | location);
  if (source != kNone) history.add(nameOf(source));
}

void GraphModel::synchronize(const Event& event, bool acquired) {
  const uint32_t thread = graph_.threadNumber(event.thread);
  const LocationId cell = event.cells.empty() ? kNone : event.cells[0];
  bool acquires = false, releases = false;
  switch (event.kind) {
    case EventKind::Lock:
    case EventKind::Wake:
      acquires = true;
      break;
    case EventKind::LockBusy:
      acquires = acquired;
      break;
    case EventKind::Unlock:
    case EventKind::Signal:
    case EventKind::Broadcast:
      releases = true;
      break;
    case EventKind::Join:
      graph_.order(graph_.threadNumber(event.other), thread);
      break;
    default:
      break;
  }
  const GraphEventId id = graph_.synchronize(thread, event.operation, cell, acquires, releases);
  if (event.kind == EventKind::Create) graph_.order(thread, graph_.threadNumber(event.other));
  note(event.thread, static_cast<uint64_t>(event.kind) + (acquired ? 50 : 0), cell, kNone);
  if (cell == kNone) return;
  // Who came first decides, of locks and of who is woken.
  histories_[event.thread].add(orders_[cell].low);
  orders_[cell].add(nameOf(id));
}

void GraphModel::fence(ThreadId thread, MemoryOrder order) {
  graph_.fence(graph_.threadNumber(thread), order);
  note(thread, static_cast<uint64_t>(Mark::Fence) + static_cast<uint64_t>(order), kNone, kNone);
}

void GraphModel::input(ThreadId thread, const Value& given) {
  note(thread, static_cast<uint64_t>(Mark::Input), kNone, kNone);
  if (given.term == kNoTerm) histories_[thread].add(given.bits);
}

void GraphModel::forked(ThreadId thread, uint64_t value) {
  note(thread, static_cast<uint64_t>(Mark::Fork), kNone, kNone);
  histories_[thread].add(value);
}

void GraphModel::access(const Event& event, std::span<const Value> before, std::span<const Value> after) {
  const uint32_t thread = graph_.threadNumber(event.thread);
  for (size_t i = 0; i < event.cells.size(); ++i) {
    const LocationId cell = event.cells[i];
    const bool writes = !after.empty() && hasWritten(event);
    GraphEventId id = kNone;
    if (event.rule) {
      id = graph_.synchronize(thread, event.operation, cell, true, writes);
    } else {
      graph_.begin(cell, before[i]);
      const GraphEventKind kind = isOfProgram(event) ? GraphEventKind::Plain : GraphEventKind::Hidden;
      id = graph_.plain(kind, thread, event.operation, cell, writes ? &after[i] : nullptr);
      findRaces(event, cell, id);
    }
    note(event.thread, static_cast<uint64_t>(Mark::Plain), cell, graph_[id].readsFrom);
    if (!event.rule && isOfProgram(event)) continue;
    histories_[event.thread].add(orders_[cell].low);
    if (writes) orders_[cell].add(nameOf(id));
  }
}

std::span<const WriteChoice> GraphModel::choices(const Event& event, const Value& memory) {
  event_ = event;
  const LocationId cell = event.cells[0];
  graph_.begin(cell, memory);
  access_ = {};
  access_.thread = graph_.threadNumber(event.thread);
  access_.operation = event.operation;
  access_.location = cell;
  access_.orders = event.orders;
  access_.isPlain = !event.atomic;
  access_.isLocked = event.kind == EventKind::Update;
  access_.reads = event.kind != EventKind::Write;
  access_.writes = event.kind == EventKind::Write;
  choices_.clear();
  const std::vector<GraphEventId>& writes = graph_.writesTo(cell);
  for (size_t at = writes.size(), first = graph_.firstCoherent(access_); at-- > first;) {
    const GraphEvent& write = graph_[writes[at]];
    choices_.push_back({write.thread == kNone ? kNone : graph_.threadId(write.thread), write.operation});
  }
  return choices_;
}

Value GraphModel::valueOf(size_t choice) const {
  const std::vector<GraphEventId>& writes = graph_.writesTo(access_.location);
  return graph_[writes[writes.size() - 1 - choice]].value;
}

bool GraphModel::isLatestBuffered() const {
  const Axioms::Buffers buffers = graph_.axioms().buffers();
  if (buffers == Axioms::Buffers::None) return false;
  const GraphEventId latest = graph_.writesTo(access_.location).back();
  const GraphEvent& write = graph_[latest];
  if (write.thread == kNone || write.kind != GraphEventKind::Write || write.isLocked) return false;
  const std::vector<GraphEventId>& own = graph_.eventsOf(write.thread);
  const bool isEmptied = std::any_of(own.begin(), own.end(), [&](GraphEventId id) {
    const GraphEvent& event = graph_[id];
    return event.index > write.index &&
           (event.kind == GraphEventKind::Fence || event.isLocked || event.kind == GraphEventKind::Sync);
  });
  // Buffers keep the order of their stores, one for all locations or one for each.
  const bool isSeen =
      std::any_of(graph_.events().begin(), graph_.events().end(), [&](const GraphEvent& event) {
        if (event.readsFrom == kNone || event.thread == write.thread) return false;
        const GraphEvent& source = graph_[event.readsFrom];
        return source.thread == write.thread && source.index >= write.index &&
               (source.location == write.location || buffers == Axioms::Buffers::OnePerThread);
      });
  return !isEmptied && !isSeen;
}

bool GraphModel::allows(size_t choice, bool writes) {
  access_.writes = writes;
  return graph_.allows(access_, graph_.writesTo(access_.location).size() - 1 - choice);
}

bool GraphModel::take(size_t choice, const Value* written) {
  access_.writes = written != nullptr;
  const size_t position = graph_.writesTo(access_.location).size() - 1 - choice;
  const GraphEventId source = graph_.writesTo(access_.location)[position];
  const GraphEventId id = graph_.add(access_, position, written ? *written : Value{});
  note(event_.thread, static_cast<uint64_t>(Mark::Open) + (written ? 1 : 0), access_.location,
       access_.reads ? source : kNone);
  event_.wrote = {written ? 1u : 0u, kNoTerm};
  findRaces(event_, access_.location, id);
  return choice == 0;
}

void GraphModel::findRaces(const Event& event, LocationId location, GraphEventId id) {
  std::vector<Seen>& others = seen_[location];
  for (const Seen& other : others)
    if (onRace_ && areConflicting(other.event, event) && !graph_.isBefore(other.id, graph_[id].clock))
      onRace_(other.event, event);
  others.push_back({id, event});
}

StateKey GraphModel::key() const {
  StateKey key;
  for (const auto& [thread, history] : histories_) {
    key.add(thread);
    key.add(history.low);
    key.add(history.high);
  }
  for (const auto& [location, writes] : graph_.writesByLocation()) {
    key.add(location);
    for (const GraphEventId write : writes) key.add(nameOf(write));
  }
  for (const auto& [location, order] : orders_) {
    key.add(location);
    key.add(order.low);
    key.add(order.high);
  }
  return key;
}

}  // namespace heddle

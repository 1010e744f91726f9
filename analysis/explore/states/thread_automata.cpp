#include "analysis/explore/states/thread_automata.h"

#include <algorithm>

namespace heddle {

namespace {

StateKey startPath(ThreadId thread) {
  StateKey key;
  key.add(thread);
  return key;
}

StateKey stepKey(StopId stop, std::span<const uint64_t> observed) {
  StateKey key;
  key.add(stop);
  for (const uint64_t value : observed) key.add(value);
  return key;
}

bool isSame(const Event& a, const Event& b) {
  return a.kind == b.kind && a.thread == b.thread && a.place == b.place && a.cells == b.cells &&
         a.other == b.other && a.rule == b.rule && a.operand.bits == b.operand.bits && a.atomic == b.atomic &&
         a.endsProcess == b.endsProcess && (a.section == 0) == (b.section == 0);
}

}  // namespace

void ThreadAutomata::reset() {
  stops_.clear();
  byPath_.clear();
  steps_.clear();
  initial_.clear();
  unwritten_.clear();
  cursors_.clear();
  problem_.clear();  // what is shared now may be what it was about
}

StopId ThreadAutomata::startOf(ThreadId thread) {
  Event start;
  start.kind = EventKind::Start;
  start.thread = thread;
  const auto [at, isNew] = byPath_.try_emplace(startPath(thread), static_cast<StopId>(stops_.size()));
  if (isNew) stops_.push_back(std::move(start));
  return at->second;
}

const ThreadStep* ThreadAutomata::find(StopId stop, std::span<const uint64_t> observed) const {
  const auto at = steps_.find(stepKey(stop, observed));
  return at == steps_.end() ? nullptr : &at->second;
}

ThreadAutomata::Cursor& ThreadAutomata::cursor(ThreadId thread) {
  if (thread >= cursors_.size()) cursors_.resize(thread + 1);
  return cursors_[thread];
}

void ThreadAutomata::start(const Event& event, Value& argument) {
  Cursor& c = cursor(event.thread);
  c.stop = startOf(event.thread);
  c.path = startPath(event.thread);
  if (argument.term != kNoTerm) refuse("a thread has an argument that is not known");
}

void ThreadAutomata::observe(ThreadId thread, std::span<const Value> values) {
  for (const Value& value : values) {
    if (value.term != kNoTerm) refuse("a value is not known");
    cursor(thread).observed.push_back(value.bits);
  }
}

void ThreadAutomata::read(const Event& event, std::span<Value> values) {
  observe(event.thread, values);
}

void ThreadAutomata::write(const Event& event, std::span<const Value> values) {
  Cursor& c = cursor(event.thread);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].term != kNoTerm) refuse("a value is not known");
    c.writes.emplace_back(event.cells[i], values[i].bits);
  }
}

void ThreadAutomata::beginUpdate(const Event& event, std::span<Value> old) {
  observe(event.thread, old);
}

void ThreadAutomata::endUpdate(const Event& event, std::span<const Value> updated) {
  if (hasWritten(event)) write(event, updated);
}

void ThreadAutomata::tryLock(const Event& event, bool acquired) {
  cursor(event.thread).observed.push_back(acquired ? 1 : 0);
}

void ThreadAutomata::join(const Event& event) {
  // A second join of the same thread is misuse: whoever has joined is part of the local state.
  std::vector<ThreadId>& joined = cursor(event.thread).joined;
  joined.insert(std::lower_bound(joined.begin(), joined.end(), event.other), event.other);
}

Value ThreadAutomata::input(const InputRequest& request) {
  if (!inputs_) {
    refuse("the program has inputs");
    return {};
  }
  ++cursor(request.thread).inputs;
  return {inputs_->value(request, kNone) & widthMask(request.width), kNoTerm};
}

void ThreadAutomata::branch(const BranchInfo&) {
  refuse("a branch depends on what is not known");
}

void ThreadAutomata::choice(ThreadId, PlaceId, Term, uint64_t) {
  refuse("an address depends on what is not known");
}

void ThreadAutomata::restored(LocationId, const Value&) {
  isRestored_ = true;
}

void ThreadAutomata::merge(ThreadId thread, PlaceId, StateKey key, std::span<const uint32_t>) {
  Cursor& c = cursor(thread);
  key.add(thread);
  key.add(c.inputs);
  for (const ThreadId joined : c.joined) key.add(joined);
  c.path = key;
  c.merged = true;
}

StopId ThreadAutomata::stopFor(ThreadId thread, const StateKey& path, const Event& event) {
  const auto [at, isNew] = byPath_.try_emplace(path, static_cast<StopId>(stops_.size()));
  if (isNew) {
    stops_.push_back(event);
    stops_.back().thread = thread;
  } else if (!isSame(stops_[at->second], event)) {
    refuse("a thread did not do what it did before");
  }
  return at->second;
}

void ThreadAutomata::advanced(ThreadId thread, const Event* next) {
  Cursor& c = cursor(thread);
  if (c.stop == kNone) return refuse("an event before its thread's start");
  ThreadStep step;
  step.writes = std::move(c.writes);
  step.abandons = isRestored_;
  const StateKey key = stepKey(c.stop, c.observed);
  if (next) {
    if (!c.merged) c.path.add(c.stop);
    if (!c.merged)
      for (const uint64_t value : c.observed) c.path.add(value);
    step.next = stopFor(thread, c.path, *next);
  }
  const auto [at, isNew] = steps_.try_emplace(key, step);
  if (!isNew && at->second != step) refuse("a thread did not do what it did before");
  c.stop = step.next;
  c.observed.clear();
  c.writes.clear();
  c.merged = false;
}

void ThreadAutomata::setAside(ThreadId, GoesRound) {
  refuse("a thread goes round without an event");
}

void ThreadAutomata::initialValue(LocationId location, const Value& value) {
  if (value.term != kNoTerm) refuse("a value is not known");
  if (location >= initial_.size()) initial_.resize(location + 1, 0);
  initial_[location] = value.bits;
}

}  // namespace heddle

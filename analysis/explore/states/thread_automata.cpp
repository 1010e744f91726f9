#include "analysis/explore/states/thread_automata.h"

#include <algorithm>

namespace heddle {

namespace {

StateKey startPath(ThreadId thread) {
  StateKey key;
  key.add(thread);
  return key;
}

bool isSame(const Event& a, const Event& b) {
  return a.kind == b.kind && a.thread == b.thread && a.place == b.place && a.cells == b.cells &&
         a.other == b.other && a.rule == b.rule && a.operand.term == b.operand.term &&
         (a.operand.term != kNoTerm || a.operand.bits == b.operand.bits) && a.atomic == b.atomic &&
         a.endsProcess == b.endsProcess && (a.section == 0) == (b.section == 0);
}

}  // namespace

void ThreadAutomata::reset() {
  stops_.clear();
  byPath_.clear();
  points_.clear();
  names_.clear();
  initial_.clear();
  unwritten_.clear();
  cursors_.clear();
  problem_.clear();  // what is shared now may be what it was about
}

StopId ThreadAutomata::startOf(ThreadId thread) {
  // Several threads may ask for what is known.
  if (const auto known = byPath_.find(startPath(thread)); known != byPath_.end()) return known->second;
  Event start;
  start.kind = EventKind::Start;
  start.thread = thread;
  const auto number = static_cast<StopId>(stops_.size());
  byPath_.emplace(startPath(thread), number);
  stops_.push_back(std::move(start));
  return number;
}

bool ThreadAutomata::hasStart(ThreadId thread) const {
  return byPath_.contains(startPath(thread));
}

StateKey ThreadAutomata::pointOf(StopId stop, std::span<const KnownValue> observed) {
  constexpr uint64_t kTerm = 0x7E2A6C15B0D94F83ull;  // no value of a program
  StateKey key;
  key.add(stop);
  for (const KnownValue& value : observed) {
    if (value.term != kNoTerm) key.add(kTerm);
    key.add(value.term != kNoTerm ? value.term : value.bits);
  }
  return key;
}

const StepPoint* ThreadAutomata::find(const StateKey& point) const {
  const auto at = points_.find(point);
  return at == points_.end() ? nullptr : &at->second;
}

void ThreadAutomata::note(const StateKey& at, StepPoint point) {
  const auto [known, isNew] = points_.try_emplace(at, std::move(point));
  // Moved from only where it is new.
  if (!isNew && known->second != point) refuse("a thread did not do what it did before");
}

void ThreadAutomata::begin(Cursor& c) {
  if (c.begun) return;
  c.begun = true;
  c.point = pointOf(c.stop, c.observed);
  c.path.add(c.point.low);
  c.path.add(c.point.high);
}

void ThreadAutomata::fork(ThreadId thread, StepPoint::Kind kind, Term term, uint64_t value) {
  Cursor& c = cursor(thread);
  if (c.stop == kNone) return refuse("an event before its thread's start");
  if (kind == StepPoint::Kind::Forks) term = linear_.normal(term);
  if (term != kNoTerm && terms_.isConst(term)) return;
  begin(c);
  note(c.point, {kind, term, {}});
  c.point = pointAfter(c.point, value);
  c.path.add(value);
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

KnownValue ThreadAutomata::known(const Value& value) {
  if (value.term == kNoTerm) return {kNoTerm, value.bits};
  const Term term = linear_.normal(value.term);
  if (terms_.isConst(term)) return {kNoTerm, terms_.constValue(term)};
  return {term, 0};
}

void ThreadAutomata::observe(ThreadId thread, const KnownValue& value) {
  Cursor& c = cursor(thread);
  if (c.begun) return refuse("a thread observes something in the middle of a step");
  c.observed.push_back(value);
}

void ThreadAutomata::read(const Event& event, std::span<Value> values) {
  for (Value& value : values) {
    const KnownValue what = known(value);
    observe(event.thread, what);
    value.term = what.term;  // in one form wherever it goes
  }
}

void ThreadAutomata::write(const Event& event, std::span<const Value> values) {
  Cursor& c = cursor(event.thread);
  for (size_t i = 0; i < values.size(); ++i) {
    const KnownValue value = known(values[i]);
    c.writes.push_back({event.cells[i], value.term, value.bits});
  }
}

void ThreadAutomata::beginUpdate(const Event& event, std::span<Value> old) {
  for (const Value& value : old) observe(event.thread, known(value));
}

void ThreadAutomata::endUpdate(const Event& event, std::span<const Value> updated) {
  const KnownValue wrote = known(event.wrote);
  if (wrote.term != kNoTerm)
    fork(event.thread, StepPoint::Kind::Forks, wrote.term, hasWritten(event) ? 1 : 0);
  if (hasWritten(event)) write(event, updated);
}

void ThreadAutomata::tryLock(const Event& event, bool acquired) {
  observe(event.thread, {kNoTerm, acquired ? 1u : 0u});
}

void ThreadAutomata::join(const Event& event) {
  // A second join of the same thread is misuse: whoever has joined is part of the local state.
  std::vector<ThreadId>& joined = cursor(event.thread).joined;
  joined.insert(std::lower_bound(joined.begin(), joined.end(), event.other), event.other);
}

Value ThreadAutomata::input(const InputRequest& request) {
  Cursor& c = cursor(request.thread);
  if (inputs_) {
    ++c.inputs;
    return {inputs_->value(request, kNone) & widthMask(request.width), kNoTerm};
  }
  if (request.width == 1) {
    const uint64_t bit = picks_.empty() ? 0 : picks_.front();
    if (!picks_.empty()) picks_ = picks_.subspan(1);
    fork(request.thread, StepPoint::Kind::Picks, kNoTerm, bit);
    return {bit, kNoTerm};
  }
  Term& symbol = names_[{request.thread, c.inputs++, request.width}];
  if (symbol == kNoTerm) symbol = terms_.symbol(request.width);
  return {terms_.evaluate(symbol, *symbols_), symbol};
}

void ThreadAutomata::branch(const BranchInfo& info) {
  fork(info.thread, StepPoint::Kind::Forks, info.condition, info.taken ? 1 : 0);
}

void ThreadAutomata::choice(ThreadId thread, PlaceId, Term term, uint64_t bits) {
  fork(thread, StepPoint::Kind::Forks, term, bits & widthMask(terms_.width(term)));
}

void ThreadAutomata::restored(LocationId, const Value&) {
  isRestored_ = true;
}

void ThreadAutomata::merge(ThreadId thread, PlaceId, StateKey key, std::span<const uint32_t>) {
  Cursor& c = cursor(thread);
  key.add(thread);
  key.add(c.inputs);
  for (const ThreadId joined : c.joined) key.add(joined);
  begin(c);
  c.path = key;
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
  begin(c);
  ThreadStep step;
  step.writes = std::move(c.writes);
  step.abandons = isRestored_;
  if (next) step.next = stopFor(thread, c.path, *next);
  c.stop = step.next;
  c.observed.clear();
  c.writes.clear();
  c.begun = false;
  note(c.point, {StepPoint::Kind::Ends, kNoTerm, std::move(step)});
}

void ThreadAutomata::setAside(ThreadId, GoesRound) {
  refuse("a thread goes round without an event");
}

void ThreadAutomata::initialValue(LocationId location, const Value& value) {
  if (location >= initial_.size()) initial_.resize(location + 1);
  initial_[location] = known(value);
}

}  // namespace heddle

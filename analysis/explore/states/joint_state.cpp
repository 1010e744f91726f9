#include "analysis/explore/states/joint_state.h"

#include <algorithm>

namespace heddle {

namespace {

// What a pair of a PairSum is about stands above the bits of locations and threads.
constexpr uint64_t kStopTag = uint64_t{1} << 40, kValueTag = uint64_t{2} << 40, kOwnerTag = uint64_t{3} << 40,
                   kJoinedTag = uint64_t{4} << 40;

StopId stopAfter(const Event& event, const ThreadStep& step) {
  if (step.next != kNone) return step.next;
  return event.kind == EventKind::End ? JointState::kOver : JointState::kCut;
}

/// Where the location's value is among sorted ones, or belongs.
template <typename Values>
auto placeOf(Values& values, LocationId location) {
  return std::lower_bound(values.begin(), values.end(), location,
                          [](const CellValue& cell, LocationId at) { return cell.location < at; });
}

}  // namespace

KnownValue JointStates::value(const JointState& state, LocationId location) const {
  const auto at = placeOf(state.values, location);
  return at != state.values.end() && at->location == location ? at->value()
                                                              : automata_.initialValue(location);
}

bool JointStates::isLikeNever(LocationId location, const KnownValue& value) const {
  return value == automata_.initialValue(location) && !automata_.startsUnwritten(location);
}

bool JointStates::isWritten(const JointState& state, LocationId location) const {
  if (!automata_.startsUnwritten(location)) return true;
  const auto at = placeOf(state.values, location);
  return at != state.values.end() && at->location == location;
}

void JointStates::store(JointState& state, LocationId location,
                        const std::optional<KnownValue>& value) const {
  const auto at = placeOf(state.values, location);
  const bool isKnown = at != state.values.end() && at->location == location;
  const bool isLikeNone = !value || isLikeNever(location, *value);
  if (isKnown) state.sum.remove(kValueTag | location, at->value());
  if (!isLikeNone) state.sum.add(kValueTag | location, *value);
  if (isKnown && isLikeNone)
    state.values.erase(at);
  else if (isKnown)
    *at = {location, value->term, value->bits};
  else if (!isLikeNone)
    state.values.insert(at, {location, value->term, value->bits});
}

void JointStates::move(JointState& state, ThreadId thread, StopId stop) const {
  StopId& at = state.stops[thread];
  if (at != JointState::kAbsent) state.sum.remove(kStopTag | thread, at);
  state.sum.add(kStopTag | thread, stop);
  at = stop;
}

JointState JointStates::initial() const {
  JointState state;
  state.stops.assign(kMainThread + 1, JointState::kAbsent);
  move(state, kMainThread, automata_.startOf(kMainThread));
  return state;
}

StateKey JointStates::keyOf(const PairSum& sum, const JointState& rest, ConditionId conditions) {
  StateKey key;
  sum.addTo(key);
  for (const auto& [condition, waiters] : rest.waits) {
    key.add(condition);
    waiters.addTo(key);
  }
  key.add(rest.inSection);
  if (conditions != PathConditions::kAny) key.add(~uint64_t{conditions});
  for (const auto& [location, old] : rest.undo) {
    key.add(location);
    key.add(old ? 1 : 0);
    key.add(old ? old->bits : 0);
    key.add(old ? old->term : 0);
  }
  return key;
}

StateKey JointStates::key(const JointState& state) const {
  return keyOf(state.sum, state, state.conditions);
}

std::optional<StateKey> JointStates::keyAfter(const JointState& state, const Event& event,
                                              const ThreadStep& step, ConditionId conditions) const {
  if (event.section != 0 || state.inSection != kNone || step.abandons || step.writes.size() > 1) return {};
  PairSum sum = state.sum;
  switch (event.kind) {
    case EventKind::Read:
    case EventKind::Write:
    case EventKind::Update:
      break;
    case EventKind::LockBusy:
    case EventKind::Lock:
      if (!state.owners.contains(event.cells[0])) sum.add(kOwnerTag | event.cells[0], event.thread);
      break;
    case EventKind::Unlock:
      if (const auto owner = state.owners.find(event.cells[0]); owner != state.owners.end())
        sum.remove(kOwnerTag | owner->first, owner->second);
      break;
    default:
      return {};
  }
  sum.remove(kStopTag | event.thread, state.stops[event.thread]);
  sum.add(kStopTag | event.thread, stopAfter(event, step));
  for (const CellValue& written : step.writes) {
    const LocationId location = written.location;
    const KnownValue old = value(state, location);
    if (isWritten(state, location) && !isLikeNever(location, old)) sum.remove(kValueTag | location, old);
    if (!isLikeNever(location, written.value())) sum.add(kValueTag | location, written.value());
  }
  return keyOf(sum, state, conditions);
}

bool JointStates::isEnabled(const JointState& state, const Event& event) const {
  switch (event.kind) {
    case EventKind::Lock:
      return !state.owners.contains(event.cells[0]);
    case EventKind::Join:
      return event.other < state.stops.size() && state.stops[event.other] == JointState::kOver;
    case EventKind::End:
      // The end of the process is the end of all: nothing that others do waits for it.
      return !event.endsProcess;
    case EventKind::Wake: {
      const auto waiters = state.waits.find(event.cells[0]);
      return waiters != state.waits.end() && waiters->second.canWake(event.thread);
    }
    default:
      break;
  }
  return true;
}

StateKey JointStates::guardKey(const JointState& state, const Event& event) const {
  const KnownValue held = value(state, event.cells[0]);
  StateKey key;
  key.add(state.stops[event.thread]);
  key.add(held.term);
  key.add(held.bits);
  key.add(state.conditions);
  return key;
}

Term JointStates::guardOf(const JointState& state, const Event& event) const {
  if (!hasGuard(event)) return kNoTerm;
  return event.rule->guard(
      terms_, termOf(value(state, event.cells[0]), kSyncBits),
      event.operand.term != kNoTerm ? event.operand.term : terms_.constant(event.operand.bits, kSyncBits));
}

ThreadId JointStates::waitsFor(const JointState& state, ThreadId thread) const {
  const Event* event = pending(state, thread);
  if (!event || event->timed) return kNone;
  if (event->kind == EventKind::Lock) {
    const auto owner = state.owners.find(event->cells[0]);
    return owner == state.owners.end() ? kNone : owner->second;
  }
  const bool waits = event->kind == EventKind::Join && event->other < state.stops.size() &&
                     state.stops[event->other] != JointState::kOver;
  return waits ? event->other : kNone;
}

bool JointStates::waitsInCircle(const JointState& state) const {
  for (ThreadId first = 0; first < state.stops.size(); ++first) {
    ThreadId at = waitsFor(state, first);
    for (size_t steps = 0; at != kNone && at != first && steps < state.stops.size(); ++steps) {
      if (state.stops[at] == JointState::kOver) return true;
      at = waitsFor(state, at);
    }
    if (at == first) return true;
  }
  return false;
}

void JointStates::observe(const JointState& state, const Event& event,
                          std::vector<KnownValue>& observed) const {
  observed.clear();
  if (event.kind == EventKind::LockBusy)
    observed.push_back({kNoTerm, state.owners.contains(event.cells[0]) ? 0u : 1u});
  if (event.kind == EventKind::Read || event.kind == EventKind::Update)
    for (const LocationId cell : event.cells) observed.push_back(value(state, cell));
}

bool JointStates::readsUnwritten(const JointState& state, const Event& event) const {
  if (event.rule || (event.kind != EventKind::Read && event.kind != EventKind::Update)) return false;
  return !std::all_of(event.cells.begin(), event.cells.end(),
                      [&](LocationId cell) { return isWritten(state, cell); });
}

bool JointStates::hasEffect(const JointState& state, const Event& event, const ThreadStep& step) const {
  switch (event.kind) {
    case EventKind::Read:
    case EventKind::Lock:
    case EventKind::LockBusy:
    case EventKind::Unlock:
      return false;
    case EventKind::Update:
      return std::any_of(step.writes.begin(), step.writes.end(), [&](const CellValue& written) {
        const KnownValue old = value(state, written.location);
        return old.term == kNoTerm && written.term == kNoTerm && old.bits != written.bits;
      });
    default:
      return true;
  }
}

bool JointStates::isReleased(const JointState& state, const Event& wake) const {
  const auto waiters = state.waits.find(wake.cells[0]);
  return waiters != state.waits.end() && waiters->second.isReleased(wake.thread);
}

void JointStates::noteCondition(JointState& state, const Event& event) const {
  auto at = state.waits.find(event.cells[0]);
  // A signal that finds nobody waiting is lost.
  if (at == state.waits.end() && event.kind != EventKind::Wait) return;
  if (at == state.waits.end()) at = state.waits.emplace(event.cells[0], Waiters()).first;
  Waiters& waiters = at->second;
  switch (event.kind) {
    case EventKind::Wait:
      waiters.wait(event.thread);
      break;
    case EventKind::Wake:
      waiters.wake(event.thread);
      break;
    case EventKind::Signal:
      waiters.signal();
      break;
    default:
      waiters.broadcast();
      break;
  }
  if (waiters.empty()) state.waits.erase(at);
}

void JointStates::noteJoined(JointState& state, ThreadId thread, ThreadMask joined) const {
  if (thread >= state.joined.size()) state.joined.resize(thread + 1);
  ThreadMask& known = state.joined[thread];
  if ((known | joined) == known) return;
  if (known != 0) state.sum.remove(kJoinedTag | thread, known);
  known |= joined;
  state.sum.add(kJoinedTag | thread, known);
}

void JointStates::advance(JointState& next, const Event& event, const ThreadStep& step,
                          ConditionId conditions) const {
  const ThreadId thread = event.thread;
  next.conditions = conditions;
  move(next, event.thread, stopAfter(event, step));
  for (const CellValue& written : step.writes) {
    const LocationId location = written.location;
    if (event.section != 0)
      next.undo.emplace_back(location,
                             isWritten(next, location) ? std::optional(value(next, location)) : std::nullopt);
    store(next, location, written.value());
  }
  if (step.abandons)
    for (auto entry = next.undo.rbegin(); entry != next.undo.rend(); ++entry)
      store(next, entry->first, entry->second);
  const bool staysInside =
      event.section != 0 && step.next != kNone && automata_.event(step.next).section == event.section;
  next.inSection = staysInside ? event.thread : kNone;
  if (!staysInside) next.undo.clear();
  switch (event.kind) {
    case EventKind::LockBusy:
    case EventKind::Lock:
      if (next.owners.try_emplace(event.cells[0], event.thread).second)
        next.sum.add(kOwnerTag | event.cells[0], event.thread);
      break;
    case EventKind::Unlock:
      if (const auto owner = next.owners.find(event.cells[0]); owner != next.owners.end()) {
        next.sum.remove(kOwnerTag | owner->first, owner->second);
        next.owners.erase(owner);
      }
      break;
    case EventKind::Create: {
      const ThreadId created = event.other;
      if (created >= next.stops.size()) next.stops.resize(created + 1, JointState::kAbsent);
      if (thread < next.joined.size()) noteJoined(next, created, next.joined[thread]);
      move(next, created, automata_.startOf(created));  // the automata grow: `event` and `step` may be gone
      break;
    }
    case EventKind::Join:
      noteJoined(next, event.thread,
                 maskOf(event.other) | (event.other < next.joined.size() ? next.joined[event.other] : 0));
      break;
    case EventKind::Wait:
    case EventKind::Wake:
    case EventKind::Signal:
    case EventKind::Broadcast:
      noteCondition(next, event);
      break;
    default:
      break;
  }
  const StopId stop = next.stops[thread];
  if (!next.waits.empty() && (stop >= JointState::kCut || automata_.event(stop).kind == EventKind::Lock))
    leaveConditions(next, thread);
}

void JointStates::leaveConditions(JointState& state, ThreadId thread) const {
  for (auto entry = state.waits.begin(); entry != state.waits.end();) {
    entry->second.leave(thread);
    entry = entry->second.empty() ? state.waits.erase(entry) : std::next(entry);
  }
}

}  // namespace heddle

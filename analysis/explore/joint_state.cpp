#include "analysis/explore/joint_state.h"

#include <algorithm>

namespace heddle {

namespace {

// What happened to a condition variable: the kind, and whose.
uint64_t tokenOf(EventKind kind, ThreadId thread) {
  return uint64_t{thread} << 8 | static_cast<uint64_t>(kind);
}

struct ConditionHistory {
  ConditionState condition;
  std::map<ThreadId, uint64_t> since;  // of those that wait
};

ConditionHistory replay(const std::vector<uint64_t>& tokens) {
  ConditionHistory history;
  uint64_t now = 0;
  for (const uint64_t token : tokens) {
    ++now;
    const auto thread = static_cast<ThreadId>(token >> 8);
    switch (static_cast<EventKind>(token & 0xff)) {
      case EventKind::Wait:
        history.since[thread] = now;
        break;
      case EventKind::Wake:
        history.condition.wake(history.since[thread], now);
        history.since.erase(thread);
        break;
      case EventKind::Signal:
        history.condition.signals.push_back(now);
        break;
      default:
        history.condition.lastBroadcast = now;
        break;
    }
  }
  return history;
}

}  // namespace

uint64_t JointStates::value(const JointState& state, LocationId location) const {
  const auto at =
      std::lower_bound(state.values.begin(), state.values.end(), std::pair{location, uint64_t{0}});
  return at != state.values.end() && at->first == location ? at->second : automata_.initialValue(location);
}

void JointStates::store(JointState& state, LocationId location, uint64_t value) const {
  auto at = std::lower_bound(state.values.begin(), state.values.end(), std::pair{location, uint64_t{0}});
  const bool isKnown = at != state.values.end() && at->first == location;
  const bool isInitial = value == automata_.initialValue(location);
  if (isKnown && isInitial)
    state.values.erase(at);
  else if (isKnown)
    at->second = value;
  else if (!isInitial)
    state.values.insert(at, {location, value});
}

JointState JointStates::initial() const {
  JointState state;
  state.stops.assign(kMainThread + 1, JointState::kAbsent);
  state.stops[kMainThread] = automata_.startOf(kMainThread);
  return state;
}

StateKey JointStates::key(const JointState& state) const {
  StateKey key;
  for (size_t thread = 0; thread < state.stops.size(); ++thread) {
    if (state.stops[thread] == JointState::kAbsent) continue;
    key.add(thread);
    key.add(state.stops[thread]);
  }
  key.add(kNone);
  for (const auto& [location, value] : state.values) {
    key.add(location);
    key.add(value);
  }
  key.add(kNone);
  for (const auto& [mutex, owner] : state.owners) {
    key.add(mutex);
    key.add(owner);
  }
  key.add(kNone);
  for (const auto& [condition, tokens] : state.waits) {
    key.add(condition);
    key.add(tokens.size());
    for (const uint64_t token : tokens) key.add(token);
  }
  key.add(state.inSection);
  for (const auto& [location, old] : state.undo) {
    key.add(location);
    key.add(old);
  }
  return key;
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
      const auto tokens = state.waits.find(event.cells[0]);
      if (tokens == state.waits.end()) return false;
      const ConditionHistory history = replay(tokens->second);
      const auto since = history.since.find(event.thread);
      return since != history.since.end() &&
             history.condition.canWake(since->second, tokens->second.size() + 1);
    }
    default:
      break;
  }
  if (!event.rule || !event.rule->guard) return true;
  const Term guard = event.rule->guard(terms_, terms_.constant(value(state, event.cells[0]), kSyncBits),
                                       terms_.constant(event.operand.bits, kSyncBits));
  return terms_.constValue(guard) != 0;
}

std::vector<uint64_t> JointStates::observation(const JointState& state, const Event& event) const {
  std::vector<uint64_t> observed;
  if (event.kind == EventKind::LockBusy) observed.push_back(state.owners.contains(event.cells[0]) ? 0 : 1);
  if (event.kind == EventKind::Read || event.kind == EventKind::Update)
    for (const LocationId cell : event.cells) observed.push_back(value(state, cell));
  return observed;
}

void JointStates::noteCondition(JointState& state, const Event& event) const {
  auto at = state.waits.find(event.cells[0]);
  // A signal that finds nobody waiting is lost.
  if (at == state.waits.end() && event.kind != EventKind::Wait) return;
  if (at == state.waits.end()) at = state.waits.emplace(event.cells[0], std::vector<uint64_t>{}).first;
  at->second.push_back(tokenOf(event.kind, event.thread));
  if (event.kind == EventKind::Wake && replay(at->second).since.empty()) state.waits.erase(at);
}

JointState JointStates::after(const JointState& state, const Event& event, const ThreadStep& step) const {
  JointState next = state;
  next.stops[event.thread] = step.next == kNone ? JointState::kOver : step.next;
  for (const auto& [location, written] : step.writes) {
    if (event.section != 0) next.undo.emplace_back(location, value(next, location));
    store(next, location, written);
  }
  if (step.abandons)
    for (auto entry = next.undo.rbegin(); entry != next.undo.rend(); ++entry)
      store(next, entry->first, entry->second);
  switch (event.kind) {
    case EventKind::LockBusy:
    case EventKind::Lock:
      next.owners.try_emplace(event.cells[0], event.thread);
      break;
    case EventKind::Unlock:
      next.owners.erase(event.cells[0]);
      break;
    case EventKind::Create:
      if (event.other >= next.stops.size()) next.stops.resize(event.other + 1, JointState::kAbsent);
      next.stops[event.other] = automata_.startOf(event.other);
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
  const bool staysInside =
      event.section != 0 && step.next != kNone && automata_.event(step.next).section == event.section;
  next.inSection = staysInside ? event.thread : kNone;
  if (!staysInside) next.undo.clear();
  return next;
}

}  // namespace heddle

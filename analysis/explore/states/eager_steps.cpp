// Which steps of a search of joint states need no interleaving, and are taken at once (docs/reduction.md).
#include <algorithm>
#include <bit>

#include "analysis/explore/states/expansion.h"

namespace heddle {

namespace {

// So that whoever goes round with eager steps alone lets others go on in between.
constexpr size_t kMostEagerSteps = 1'000;
constexpr uint64_t kLookInterval = 256;  // eager steps between looks at the budget

}  // namespace

std::vector<LocationId> Expander::locksOf(const JointState& state, ThreadId thread) {
  std::vector<LocationId> locks;
  for (const auto& [lock, owner] : state.owners)
    if (owner == thread) locks.push_back(lock);
  return locks;
}

AccessRecord Expander::recordOf(const JointState& state, ThreadId thread, LockSetId locks) const {
  AccessRecord made;
  made.thread = thread;
  made.locks = locks;
  if (thread < state.joined.size()) made.joined = state.joined[thread];
  for (ThreadId child = 0; child < state.stops.size(); ++child)
    if (state.stops[child] != JointState::kAbsent && learned_.names.threadName(child).parent == thread)
      made.children |= maskOf(child);
  return made;
}

void Expander::lookForRecord(const JointState& state, ThreadId thread) {
  const Event* event = learned_.states.pending(state, thread);
  if (!event) return;
  const Touch touch = touchOf(event->kind);
  if (touch.isNone) return;
  const std::optional<LockSetId> locks = learned_.records.findLockSet(locksOf(state, thread));
  bool isKnown = locks.has_value();
  if (isKnown) {
    AccessRecord made = recordOf(state, thread, *locks);
    made.changes = touch.changes;
    for (const LocationId cell : event->cells) {
      isKnown = isKnown && learned_.records.knows({touch.kind, cell}, made);
      if (event->kind == EventKind::LockBusy)
        isKnown = isKnown && learned_.records.knows({Resource::Kind::Leaving, cell}, made);
    }
  }
  if (isKnown || isMissing()) return;
  missing_->kind = Missing::Kind::Record;
  missing_->thread = thread;
  missing_->state = state;
}

bool Expander::isKeptApart(const Event& event) const {
  const Touch touch = touchOf(event.kind);
  return event.cells.empty() ||
         (!touch.isNone && std::all_of(event.cells.begin(), event.cells.end(), [&](LocationId cell) {
           return learned_.records.isKeptApart({touch.kind, cell});
         }));
}

bool Expander::isEager(const JointState& state, const Event& event) const {
  if (event.section != 0 || event.endsProcess || event.rule) return false;
  switch (event.kind) {
    case EventKind::Start:
    case EventKind::Create:
    case EventKind::End:
      return true;
    case EventKind::Join:
      return learned_.states.isEnabled(state, event);
    case EventKind::Wake:
      return learned_.states.isReleased(state, event);
    case EventKind::LockBusy:
      return false;
    case EventKind::Lock:
      return !event.timed && learned_.states.isEnabled(state, event) && isKeptApart(event);
    default:
      return isKeptApart(event);
  }
}

Expander::Walk& Expander::pushWalk() {
  if (open_ == walks_.size()) walks_.emplace_back();
  return walks_[open_++];
}

void Expander::settle() {
  for (uint64_t round = 1; open_ != 0 && !isMissing(); ++round) {
    if (round % kLookInterval == 0 && learned_.budget && learned_.budget->check() != StopReason::None)
      return refuse(kOutOfBudget, false);
    const Walk& walk = walks_[open_ - 1];
    lookForRecord(walk.state, walk.steps.back().thread);
    bool isTaken = false;
    for (ThreadId thread = 0; thread < walk.state.stops.size() && !isTaken && !isMissing(); ++thread)
      isTaken = takeEagerly(thread);
    if (isMissing()) return;
    if (isTaken) continue;
    addChild(walk.state, walk.steps);
    --open_;
  }
}

bool Expander::takeEagerly(ThreadId thread) {
  const size_t last = open_ - 1;
  const Walk& walk = walks_[last];
  const JointState& state = walk.state;
  const Event* event = learned_.states.pending(state, thread);
  if (!event || state.inSection != kNone || walk.steps.size() >= kMostEagerSteps ||
      (walk.goesRound & maskOf(thread)) != 0 || !isEager(state, *event) || !isStartKnown(*event))
    return false;
  const std::vector<StepOutcome> outcomes = outcomesOf({walk.steps, thread}, state, *missing_);
  if (isMissing()) return false;
  // What others do before an assumption fails counts.
  if (std::any_of(outcomes.begin(), outcomes.end(),
                  [&](const StepOutcome& outcome) { return isCut(state, thread, *outcome.step); }))
    return false;
  for (const StepOutcome& outcome : outcomes)
    if (thread < kThreadBits && learned_.states.hasEffect(state, *event, *outcome.step))
      out_->goOn |= 1u << thread;
  for (size_t i = 1; i < outcomes.size(); ++i) pushWalk() = walk;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    Walk& next = walks_[last + i];
    learned_.states.advance(next.state, *event, *outcomes[i].step, outcomes[i].conditions);
    next.steps.push_back({thread, outcomes[i].picks});
    noteRound(next);
    ++out_->eagerSteps;
  }
  if (outcomes.empty()) --open_;
  return true;
}

void Expander::noteRound(Walk& walk) const {
  const StateKey key = learned_.states.key(walk.state);
  if (key == walk.anchor) walk.goesRound |= maskOf(walk.steps.back().thread);
  if (std::has_single_bit(walk.steps.size())) walk.anchor = key;
}

}  // namespace heddle

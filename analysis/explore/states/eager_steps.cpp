// Which steps of a search of joint states need no interleaving, and are taken at once (docs/reduction.md).
#include <algorithm>
#include <bit>

#include "analysis/explore/states/state_searcher.h"

namespace heddle {

namespace {

// So that whoever goes round with eager steps alone lets others go on in between.
constexpr size_t kMostEagerSteps = 1'000;

}  // namespace

std::optional<std::pair<Resource, bool>> StateSearch::Searcher::touched(const Event& event, LocationId cell) {
  using Kind = Resource::Kind;
  switch (event.kind) {
    case EventKind::Read:
      return std::pair{Resource{Kind::Memory, cell}, false};
    case EventKind::Write:
    case EventKind::Update:
      return std::pair{Resource{Kind::Memory, cell}, true};
    case EventKind::Lock:
    case EventKind::LockBusy:
      return std::pair{Resource{Kind::Taking, cell}, true};
    case EventKind::Unlock:
      return std::pair{Resource{Kind::Leaving, cell}, false};
    case EventKind::Wait:
      return std::pair{Resource{Kind::Waiting, cell}, true};
    case EventKind::Signal:
    case EventKind::Broadcast:
      return std::pair{Resource{Kind::Waiting, cell}, false};
    default:
      return std::nullopt;
  }
}

void StateSearch::Searcher::record(const JointState& state, ThreadId thread) {
  const Event* event = states_.pending(state, thread);
  if (!event || !touched(*event, kNone)) return;
  AccessRecord made;
  made.thread = thread;
  std::vector<LocationId> locks;
  for (const auto& [lock, owner] : state.owners)
    if (owner == thread) locks.push_back(lock);
  made.locks = records_.lockSet(locks);
  if (thread < state.joined.size()) made.joined = state.joined[thread];
  for (ThreadId child = 0; child < state.stops.size(); ++child)
    if (state.stops[child] != JointState::kAbsent && names_.threadName(child).parent == thread)
      made.children |= maskOf(child);
  for (const LocationId cell : event->cells) {
    const auto what = touched(*event, cell);
    made.changes = what->second;
    bool isNew = records_.add(what->first, made);
    if (event->kind == EventKind::LockBusy) isNew |= records_.add({Resource::Kind::Leaving, cell}, made);
    if (isNew) staleSince_ = std::min(staleSince_, origins_.size());
  }
}

bool StateSearch::Searcher::isKeptApart(const Event& event) const {
  return std::all_of(event.cells.begin(), event.cells.end(), [&](LocationId cell) {
    const auto what = touched(event, cell);
    return what && records_.isKeptApart(what->first);
  });
}

bool StateSearch::Searcher::isEager(const JointState& state, const Event& event) const {
  if (event.section != 0 || event.endsProcess || event.rule) return false;
  switch (event.kind) {
    case EventKind::Start:
    case EventKind::Create:
    case EventKind::End:
      return true;
    case EventKind::Join:
      return states_.isEnabled(state, event);
    case EventKind::Wake:
      return states_.isReleased(state, event);
    case EventKind::LockBusy:
      return false;
    case EventKind::Lock:
      return !event.timed && states_.isEnabled(state, event) && isKeptApart(event);
    default:
      return isKeptApart(event);
  }
}

void StateSearch::Searcher::settle(uint32_t from, Walk first) {
  std::vector<Walk> walks;
  walks.push_back(std::move(first));
  while (!walks.empty() && !isOver()) {
    Walk walk = std::move(walks.back());
    walks.pop_back();
    record(walk.state, walk.steps.back().thread);
    bool isTaken = false;
    for (ThreadId thread = 0; thread < walk.state.stops.size() && !isTaken && !isOver(); ++thread)
      isTaken = takeEagerly(from, walk, thread, walks);
    if (isOver()) return;
    if (!isTaken) edges_.emplace_back(visit(std::move(walk.state), from, walk.steps), from);
  }
}

bool StateSearch::Searcher::takeEagerly(uint32_t from, Walk& walk, ThreadId thread, std::vector<Walk>& more) {
  const JointState& state = walk.state;
  const Event* pending = states_.pending(state, thread);
  if (!pending || state.inSection != kNone || walk.steps.size() >= kMostEagerSteps ||
      (walk.goesRound & maskOf(thread)) != 0 || !isEager(state, *pending))
    return false;
  const std::vector<Outcome> outcomes = outcomesOf({from, walk.steps, thread}, state);
  if (isOver()) return false;
  // What others do before an assumption fails counts.
  if (std::any_of(outcomes.begin(), outcomes.end(),
                  [&](const Outcome& outcome) { return isCut(state, thread, *outcome.step); }))
    return false;
  const Event event = automata_.event(state.stops[thread]);  // the automata grow
  for (const Outcome& outcome : outcomes) {
    if (thread < kThreadBits && states_.hasEffect(state, event, *outcome.step)) goOn_[from] |= 1u << thread;
    const bool isLast = &outcome == &outcomes.back();
    Walk& next = more.emplace_back(isLast ? Walk{} : walk);
    if (isLast) std::swap(next, walk);
    states_.advance(next.state, event, *outcome.step, outcome.conditions);
    next.steps.push_back({thread, outcome.picks});
    noteRound(next);
    ++result_.eagerSteps;
  }
  return true;
}

void StateSearch::Searcher::noteRound(Walk& walk) const {
  const StateKey key = states_.key(walk.state);
  if (key == walk.anchor) walk.goesRound |= maskOf(walk.steps.back().thread);
  if (std::has_single_bit(walk.steps.size())) walk.anchor = key;
}

}  // namespace heddle

// What a search of all joint states says of races, and of threads that wait for ever.
#include <algorithm>

#include "analysis/explore/states/state_searcher.h"

namespace heddle {

void StateSearch::Searcher::noteRaces(uint32_t number, const JointState& state) {
  if (state.inSection != kNone) return;  // its accesses were looked at before it
  for (ThreadId a = 0; a < state.stops.size(); ++a)
    for (ThreadId b = 0; b < state.stops.size() && !isOver(); ++b) {
      const Event* first = states_.pending(state, a);
      const Event* second = states_.pending(state, b);
      if (a == b || !first || !second || second->section != 0 || !isAccess(second->kind)) continue;
      if (first->section != 0)
        noteSectionRaces(number, state, a, b);
      else if (a < b && isAccess(first->kind))
        noteRace(number, state, {a, *first}, {b, *second});
    }
}

/// Whether what the thread does next may write memory, as a compare-exchange that fails does not.
bool StateSearch::Searcher::mayWriteNow(uint32_t number, const JointState& state, ThreadId thread) {
  const std::vector<StepOutcome> outcomes = outcomesOf(number, state, thread);
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [](const StepOutcome& outcome) { return !outcome.step->writes.empty(); });
}

void StateSearch::Searcher::noteRace(uint32_t number, const JointState& state,
                                     const std::pair<ThreadId, Event>& first,
                                     const std::pair<ThreadId, Event>& second) {
  const auto& [a, x] = first;
  const auto& [b, y] = second;
  const uint64_t stops = Expander::pairOf(state, a, b);
  const bool areSingle = x.section == 0 && y.section == 0;
  if (!Expander::areConflictingHere(x, y) || (areSingle && learned_.noted.contains(stops))) return;
  if (y.section == 0 && Expander::isUpToSecond(x, y) && !mayWriteNow(number, state, b)) return;
  if (x.section == 0 && Expander::isUpToSecond(y, x) && !mayWriteNow(number, state, a)) return;
  if (areSingle) learned_.noted.insert(stops);
  const std::pair<PlaceId, PlaceId> places = std::minmax(x.place, y.place);
  if (!result_.races.contains(places))
    result_.races[places] = {scheduleTo(number), names_.label(a), names_.label(b)};
}

/// Of the atomic section that the first thread stands before and the other's access outside, if the section
/// can be left from here: else it counts as not begun.
void StateSearch::Searcher::noteSectionRaces(uint32_t number, const JointState& state, ThreadId inside,
                                             ThreadId outside) {
  const Event other = *states_.pending(state, outside);
  std::vector<Event> events;
  if (passesSection(number, state, inside, events))
    for (const Event& event : events) noteRace(number, state, {inside, event}, {outside, other});
  // The section may need what the other one writes.
  if (!hasWritten(other) || !isEnabled(state, other) || isOver()) return;
  for (const StepOutcome& outcome : outcomesOf(number, state, outside)) {
    if (isCut(state, outside, *outcome.step) || outcome.step->writes.empty()) continue;
    const uint32_t afterNumber = visitAfter(state, other, outcome, number);
    const JointState after = states_.after(state, other, *outcome.step, outcome.conditions);
    events.clear();
    if (passesSection(afterNumber, after, inside, events))
      for (const Event& event : events) noteRace(number, state, {outside, other}, {inside, event});
  }
}

/// What the thread does in the atomic section that it stands before; false if it does not get out of it.
bool StateSearch::Searcher::passesSection(uint32_t number, const JointState& state, ThreadId inside,
                                          std::vector<Event>& events) {
  constexpr size_t kLongestSection = 10'000;  // a longer one is a loop that never ends
  JointState at = state;
  uint32_t atNumber = number;
  for (;;) {
    const Event* next = states_.pending(at, inside);
    if (!next || next->section == 0 || (!events.empty() && next->section != events.front().section))
      return true;
    Event event = *next;
    if (!isEnabled(at, event) || events.size() == kLongestSection) return false;
    const std::vector<StepOutcome> outcomes = outcomesOf(atNumber, at, inside);
    if (outcomes.size() > 1) refuse("an atomic section whose way depends on inputs");
    if (isOver() || outcomes.empty()) return false;
    const ThreadStep& step = *outcomes.front().step;
    if (isCut(at, inside, step)) return false;
    const bool endsProcess = step.next != kNone && automata_.event(step.next).endsProcess;
    if (step.abandons && !endsProcess) return false;
    event.wrote = {step.writes.empty() ? 0u : 1u, kNoTerm};
    events.push_back(event);
    if (endsProcess) return true;
    atNumber = visitAfter(at, event, outcomes.front(), atNumber);
    at = states_.after(at, event, step, outcomes.front().conditions);
  }
}

void StateSearch::Searcher::decideStuck() {
  std::sort(edges_.begin(), edges_.end());
  // Threads that wait for one another do so for ever, whatever then ends the process.
  if (circle_ != kNone) {
    result_.stuck = scheduleTo(circle_);
    return;
  }
  result_.neverStuck = firstNotBefore(ends_) == kNone;
  if (result_.neverStuck || threads_ > kThreadBits) return;
  for (ThreadId thread = 0; thread < threads_; ++thread) {
    std::vector<uint32_t> states = ends_;
    for (uint32_t state = 0; state < goOn_.size(); ++state)
      if (goOn_[state] >> thread & 1) states.push_back(state);
    const uint32_t stuck = firstNotBefore(states);
    if (stuck == kNone) continue;
    result_.stuck = scheduleTo(stuck);
    return;
  }
  result_.neverStuck = true;
}

/// The first state from which no schedule leads to one of these; kNone: there is none.
uint32_t StateSearch::Searcher::firstNotBefore(const std::vector<uint32_t>& states) const {
  std::vector<bool> isBefore(origins_.size());
  std::vector<uint32_t> open;
  const auto reach = [&](uint32_t state) {
    if (isBefore[state]) return;
    isBefore[state] = true;
    open.push_back(state);
  };
  for (const uint32_t state : states) reach(state);
  while (!open.empty()) {
    const uint32_t state = open.back();
    open.pop_back();
    for (auto edge = std::lower_bound(edges_.begin(), edges_.end(), std::pair{state, uint32_t{0}});
         edge != edges_.end() && edge->first == state; ++edge)
      reach(edge->second);
  }
  const auto first = std::find(isBefore.begin(), isBefore.end(), false);
  return first == isBefore.end() ? kNone : static_cast<uint32_t>(first - isBefore.begin());
}

}  // namespace heddle

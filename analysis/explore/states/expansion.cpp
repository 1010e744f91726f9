#include "analysis/explore/states/expansion.h"

#include <algorithm>

namespace heddle {

namespace {

// Of one step: forks in a row double them, and only questions see that their ways meet again.
constexpr size_t kMostWays = 64;
// A power of two. States meet again within a batch or two; so many keys stay in a core's cache.
constexpr size_t kRecent = 8'192;

}  // namespace

void Expander::refuse(const char* why, bool forGood) {
  if (isMissing()) return;
  missing_->kind = Missing::Kind::Refusal;
  missing_->why = why;
  missing_->forGood = forGood;
}

void Expander::expand(const JointState& state, Expansion& out) {
  out.missing = {};
  out.goOn = 0;
  out.isEnd = out.isCircle = out.hasSections = false;
  out.eagerSteps = 0;
  out.children.clear();
  out.steps.clear();
  out.bytes.clear();
  open_ = 0;
  out_ = &out;
  missing_ = &out.missing;
  if (split(state) || isMissing()) return;
  lookForRaces(state);
  if (isMissing()) return;
  out.isCircle = learned_.wantsCircle && state.inSection == kNone && learned_.states.waitsInCircle(state);
  noteThreads(state);
  for (const ThreadId thread : chosenIn(state)) {
    if (isMissing()) return;
    take(state, thread);
  }
}

void Expander::expandAhead(std::span<const uint8_t> packed, Expansion& out) {
  recent_.resize(kRecent);
  isAhead_ = true;
  expand(packed, out);
  isAhead_ = false;
}

void Expander::noteThreads(const JointState& state) {
  const ThreadId known = std::min(static_cast<ThreadId>(state.stops.size()), kThreadBits);
  if (known < kThreadBits) out_->goOn |= ~0u << known;
  for (ThreadId thread = 0; thread < known; ++thread)
    if (!learned_.states.pending(state, thread) || joinsOther(state, thread)) out_->goOn |= 1u << thread;
}

std::vector<ThreadId> Expander::chosenIn(const JointState& state) {
  std::vector<ThreadId> chosen;
  bool isEnd = true, isTimed = false;
  for (ThreadId thread = 0; thread < state.stops.size(); ++thread) {
    const Event* event = learned_.states.pending(state, thread);
    if (!event) continue;
    isTimed |= event->timed;
    if (event->timed && thread < kThreadBits) out_->goOn |= 1u << thread;
    // Whatever others can do after the end of the process, they can do before.
    if (event->endsProcess) {
      out_->isEnd = true;
      continue;
    }
    isEnd = false;
    if (state.inSection != kNone && state.inSection != thread) continue;
    if (isEnabled(state, *event)) chosen.push_back(thread);
  }
  // An execution whose assumption failed does not count in full, so nobody is stuck in it. An atomic
  // section that cannot go on was not begun in any execution that counts.
  isEnd |= std::find(state.stops.begin(), state.stops.end(), JointState::kCut) != state.stops.end();
  // Where all wait, and one of them with a limit, that one has gone on in another state: an input says so.
  if (isEnd || ((state.inSection != kNone || isTimed) && chosen.empty())) out_->isEnd = true;
  return chosen;
}

const GuardSides* Expander::guardOf(const JointState& state, const Event& event) {
  const auto known = learned_.guards.find(learned_.states.guardKey(state, event));
  if (known != learned_.guards.end()) return &known->second;
  if (isMissing()) return nullptr;
  missing_->kind = Missing::Kind::Guard;
  missing_->thread = event.thread;
  missing_->state = state;
  return nullptr;
}

bool Expander::split(const JointState& state) {
  for (ThreadId thread = 0; thread < state.stops.size(); ++thread) {
    const Event* event = learned_.states.pending(state, thread);
    if (!event || !JointStates::hasGuard(*event)) continue;
    const GuardSides* sides = guardOf(state, *event);
    if (!sides) return false;
    if (!sides->yes || !sides->no) continue;
    for (const ConditionId side : {*sides->yes, *sides->no}) {
      JointState half = state;
      half.conditions = side;
      addChild(half, {});
    }
    return true;
  }
  return false;
}

bool Expander::isEnabled(const JointState& state, const Event& event) {
  if (!learned_.states.isEnabled(state, event)) return false;
  if (!JointStates::hasGuard(event)) return true;
  const GuardSides* sides = guardOf(state, event);
  return sides && sides->yes.has_value();
}

/// It waits for the end of a thread that does not wait so: whether it waits for ever is up to that one.
bool Expander::joinsOther(const JointState& state, ThreadId thread) const {
  for (size_t i = 0; i < state.stops.size(); ++i) {
    const Event* event = learned_.states.pending(state, thread);
    if (!event || event->kind != EventKind::Join) return i != 0;
    thread = event->other;
  }
  return false;  // in a circle
}

bool Expander::isCut(const JointState& state, ThreadId thread, const ThreadStep& step) const {
  return step.next == kNone && learned_.automata.event(state.stops[thread]).kind != EventKind::End;
}

bool Expander::areConflictingHere(const Event& a, const Event& b) {
  return areConflicting(a, b) &&
         std::find_first_of(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end()) != a.cells.end();
}

bool Expander::isUpToSecond(const Event& a, const Event& b) {
  return a.kind == EventKind::Read && b.kind == EventKind::Update;
}

bool Expander::mayWriteNow(const JointState& state, ThreadId thread) {
  const std::vector<StepOutcome> outcomes = outcomesOf({{}, thread}, state, *missing_);
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [](const StepOutcome& outcome) { return !outcome.step->writes.empty(); });
}

/// Both stand before accesses, and no such pair was noted.
bool Expander::mayRace(const JointState& state, ThreadId a, ThreadId b) {
  const Event& first = *learned_.states.pending(state, a);
  const Event& second = *learned_.states.pending(state, b);
  if (!areConflictingHere(first, second) || learned_.noted.contains(pairOf(state, a, b))) return false;
  if (isUpToSecond(first, second) && !mayWriteNow(state, b)) return false;
  return !isUpToSecond(second, first) || mayWriteNow(state, a);
}

void Expander::lookForRaces(const JointState& state) {
  if (state.inSection != kNone) return;  // its accesses were looked at before it
  for (ThreadId a = 0; a < state.stops.size(); ++a) {
    const Event* first = learned_.states.pending(state, a);
    if (!first || (first->section == 0 && !isAccess(first->kind))) continue;
    for (ThreadId b = 0; b < state.stops.size(); ++b) {
      const Event* second = learned_.states.pending(state, b);
      if (a == b || !second || second->section != 0 || !isAccess(second->kind)) continue;
      if (first->section != 0) {
        out_->hasSections = true;
        continue;
      }
      if (a > b) continue;
      const bool isNew = mayRace(state, a, b);
      if (isMissing()) return;
      if (!isNew) continue;
      missing_->kind = Missing::Kind::Races;
      return;
    }
  }
}

bool Expander::isStartKnown(const Event& event) {
  if (event.kind != EventKind::Create || learned_.automata.hasStart(event.other)) return true;
  if (isMissing()) return false;
  missing_->kind = Missing::Kind::Start;
  missing_->thread = event.other;
  return false;
}

void Expander::take(const JointState& state, ThreadId thread) {
  const Event& event = learned_.automata.event(state.stops[thread]);
  if (!isStartKnown(event)) return;
  for (const StepOutcome& outcome : outcomesOf({{}, thread}, state, *missing_)) {
    if (isMissing()) return;
    if (isCut(state, thread, *outcome.step)) {
      out_->isEnd = true;
      // What it wrote is there for others before it comes to the assumption; an atomic section counts as
      // not begun.
      if (event.kind == EventKind::Read || event.section != 0 || outcome.step->abandons) continue;
    }
    if (thread < kThreadBits && learned_.states.hasEffect(state, event, *outcome.step))
      out_->goOn |= 1u << thread;
    Walk& walk = pushWalk();
    walk.state = state;
    learned_.states.advance(walk.state, event, *outcome.step, outcome.conditions);
    walk.steps.assign(1, {thread, outcome.picks});
    walk.anchor = {};
    walk.goesRound = 0;
    settle();
  }
}

std::vector<StepOutcome> Expander::outcomesOf(const AskedStep& asked, const JointState& state,
                                              Missing& missing) {
  missing_ = &missing;
  const StopId stop = state.stops[asked.thread];
  const Event& event = learned_.automata.event(stop);
  learned_.states.observe(state, event, observed_);
  const StateKey begin = ThreadAutomata::pointOf(stop, observed_);
  std::vector<StepOutcome> out;
  follow(asked, begin, state.conditions, out);
  // What becomes of it is followed by terms only, and those stand for inputs here.
  if (!isMissing() && learned_.states.readsUnwritten(state, event))
    refuse("a value that was never written is read");
  if (isMissing()) out.clear();
  return out;
}

void Expander::follow(const AskedStep& asked, const StateKey& begin, ConditionId conditions,
                      std::vector<StepOutcome>& out) {
  picks_.clear();
  ways_.clear();
  followPoint(asked, begin, conditions, out);
  while (!ways_.empty() && !isMissing()) {
    const Way way = ways_.back();
    ways_.pop_back();
    picks_.resize(way.picks);
    if (way.term == kNoTerm) {
      picks_.push_back(way.value);
      followPoint(asked, ThreadAutomata::pointAfter(way.fork, way.value), way.conditions, out);
      continue;
    }
    const std::optional<ConditionId>* side = learned_.conditions.known(way.conditions, way.term, way.value);
    if (!side) {
      missing_->kind = Missing::Kind::Condition;
      missing_->term = way.term;
      missing_->value = way.value;
      missing_->conditions = way.conditions;
      return;
    }
    if (*side) followPoint(asked, ThreadAutomata::pointAfter(way.fork, way.value), **side, out);
  }
}

void Expander::followPoint(const AskedStep& asked, const StateKey& point, ConditionId conditions,
                           std::vector<StepOutcome>& out) {
  if (out.size() >= kMostWays) return refuse("a step that inputs lead on too many ways");
  if (learned_.conditions.size() > learned_.mostConditions)
    return refuse("too many conditions of inputs", false);
  const auto picks = learned_.pickNumbers.find(picks_);
  const StepPoint* known = learned_.automata.find(point);
  if (!known || picks == learned_.pickNumbers.end()) {
    missing_->kind = known ? Missing::Kind::Picks : Missing::Kind::Step;
    missing_->thread = asked.thread;
    missing_->conditions = conditions;
    missing_->point = point;
    missing_->steps.assign(asked.steps.begin(), asked.steps.end());
    missing_->picks = picks_;
    return;
  }
  if (known->kind == StepPoint::Kind::Ends)
    out.push_back({conditions, &known->step, picks->second});
  else
    forkAt(point, known->kind == StepPoint::Kind::Forks ? known->term : kNoTerm, conditions);
}

void Expander::forkAt(const StateKey& point, Term term, ConditionId conditions) {
  static const std::vector<uint64_t> kBits = {0, 1};
  const std::vector<uint64_t>* values = &kBits;
  if (term != kNoTerm && !learned_.conditions.isBit(term))
    values = learned_.conditions.knownValues(conditions, term);
  if (!values) {
    missing_->kind = Missing::Kind::Values;
    missing_->term = term;
    missing_->conditions = conditions;
    return;
  }
  // The last way in is the first one out.
  for (auto value = values->rbegin(); value != values->rend(); ++value)
    ways_.push_back({point, term, *value, conditions, picks_.size()});
}

void Expander::addChild(const JointState& state, std::span<const PathStep> steps) {
  Expansion::Child& child = out_->children.emplace_back();
  child.key = learned_.states.key(state);
  child.firstStep = static_cast<uint32_t>(out_->steps.size());
  out_->steps.insert(out_->steps.end(), steps.begin(), steps.end());
  child.stepEnd = static_cast<uint32_t>(out_->steps.size());
  if (const std::optional<uint32_t> known = learned_.numbers.find(child.key)) {
    child.number = *known;
    return;
  }
  if (isAhead_) {
    StateKey& recent = recent_[child.key.low & (kRecent - 1)];
    if (recent == child.key) return;
    recent = child.key;
  }
  child.conditions = state.conditions;
  child.threads = static_cast<ThreadId>(state.stops.size());
  child.begin = static_cast<uint32_t>(out_->bytes.size());
  pack(state, out_->bytes);
  child.end = static_cast<uint32_t>(out_->bytes.size());
}

}  // namespace heddle

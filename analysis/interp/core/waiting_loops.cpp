// Awaits: loops that only wait.
//
// A thread that comes back to the head of a loop in the local state it had there before, and has done nothing
// meanwhile that another thread can tell (it read, took and released locks, tried and failed), waits:
// whatever it can do from here it could have done from there, so what it did in between is dropped from its
// path (EventSink::rewind), and it goes on only once something that it read has changed. Dropping such a
// round from an execution gives an execution with the same failures, races and deadlocks, which is why a loop
// that waits needs no bound (design, part 5, item 4). Such a thread may wait for ever: then no event of the
// run is enabled.
//
// A thread that waits holds no mutex that a round releases: it goes on to where it would acquire it again,
// and waits there. Else those who want the mutex would wait for ever, although each round lets them in.
//
// A thread may also wait for memory that is not known to be shared, so without any event: then that memory is
// shared from the next run on, whoever writes it (WaitingLoops::judgeLooks). So whoever goes round and is not
// known to wait looks at nothing but its own.
//
// An input is no effect: it is another one in each round, so a round that took it from the head can be left
// in the same ways as the next one. A thread that goes round with inputs stands at the head meanwhile, for
// behind its next input it may be on another way (docs/awaits.md, 2); whether one of them leads out, the
// exploration asks (6).
//
// Whether a round has an effect must follow from the thread's path, not from values that the path leaves
// open: so an atomic update on shared memory forks on whether it changes anything.
#include "analysis/interp/core/waiting_loops.h"

#include <algorithm>
#include <utility>

#include "analysis/interp/core/execution.h"

namespace heddle {

namespace {

constexpr uint32_t kMostInputs = 5;  // of a round without an event that is compared with the ones before

/// Inputs that the thread has taken since it passed the head, up to `kMostInputs`.
uint32_t inputsSince(const Thread& t, const LoopHead& head) {
  return std::min(t.inputs - head.inputs, kMostInputs);
}

}  // namespace

WaitingLoops::WaitingLoops(Execution& run)
    : ExecutionPart(run), marksHeads_(options_.awaits || program_.mayStutter) {}

uint64_t& WaitingLoops::version(LocationId location) {
  if (location >= versions_.size()) versions_.resize(location + 1, 0);
  return versions_[location];
}

bool WaitingLoops::changed(const std::vector<SeenCell>& seen) const {
  return std::any_of(seen.begin(), seen.end(), [&](const SeenCell& cell) {
    return cell.location < versions_.size() && versions_[cell.location] != cell.version;
  });
}

void WaitingLoops::hasEffect(Thread& t) {
  t.rounds.leaving = false;
  t.rounds.watchesRound = false;
  t.rounds.heads.clear();
  t.rounds.reads.clear();
}

void WaitingLoops::noteEffect(Thread& t, const Value& condition) {
  if (run_.branch(t, condition, BranchRole::Branch, -1)) hasEffect(t);
  t.decided = condition.term;
}

void WaitingLoops::noteEvent(Thread& t) {
  t.rounds.awaits = false;
  t.rounds.suspect = 0;
  t.rounds.watchesLoop = false;
  t.forked = true;
  t.decided = kNoTerm;
  ++t.rounds.ownEvents;
  ++t.rounds.pathEvents;
  const bool isPlain =
      (t.next.event.kind == EventKind::Read || t.next.event.kind == EventKind::Write) && !t.next.event.atomic;
  if (!isPlain) t.recent.clear();
  const auto see = [&] {
    for (const LocationId cell : t.next.event.cells)
      t.rounds.reads.push_back({cell, version(cell), t.next.event.place});
  };
  const auto change = [&] {
    for (const LocationId cell : t.next.event.cells) ++version(cell);
  };
  switch (t.next.event.kind) {
    case EventKind::Read:
      return see();
    case EventKind::Update:
      // An instruction tells by itself whether it had an effect; a modelled call counts as having one.
      see();
      if (t.calls.active && !(t.next.event.rule && t.next.event.rule->tries)) hasEffect(t);
      return;
    case EventKind::LockBusy: {
      // The machine decides only now whether the try-lock succeeds.
      const MutexState* mutex = run_.sync.find(locations_.cell(t.next.event.cells[0]));
      const bool busy = mutex && mutex->owner != kNone;
      return busy ? see() : change();
    }
    case EventKind::Lock:
    case EventKind::Unlock:
    case EventKind::Wait:  // nobody's way depends on who waits, but by the Wake
      return change();
    default:
      change();
      return hasEffect(t);
  }
}

bool WaitingLoops::mergePoint(Thread& t, const Instruction& in) {
  // What is atomic is one step; a callback has the state of a modelled call under it; a longjmp goes where
  // nothing looks live from here.
  if (t.calls.active || t.atomic.number || !t.calls.suspended.empty() || !t.calls.jumps.empty()) return true;
  if (t.rounds.suspect && roundsWithoutEvents(t, in)) return false;
  const bool head = in.b != kNone && t.rounds.ownEvents != 0 && marksHeads_;
  if (head || t.forked) {  // these are no part of the state
    t.recent.clear();
    t.rounds.passed.pc = kNone;
  }
  if (head) {
    if (t.rounds.unmarked == t.rounds.ownEvents || isNothingNew(t)) {
      mergeState(t);
      return true;
    }
    const size_t depth = t.frames.size();
    std::erase_if(t.rounds.heads, [&](const LoopHead& h) { return h.depth > depth; });
    const std::optional<StateKey> state = run_.states.of(t, false);
    if (state && options_.awaits && !goesOn(t, in, *state)) return !t.rounds.setAside;
    mergeState(t);
    if (!state || !markHead(t, in, *state)) t.rounds.unmarked = t.rounds.ownEvents;
  } else {
    mergeState(t);
  }
  return true;
}

bool WaitingLoops::isNothingNew(Thread& t) {
  const auto head = std::find_if(t.rounds.heads.begin(), t.rounds.heads.end(), [&](const LoopHead& h) {
    return h.pc == t.pc && h.depth == t.frames.size() && h.events == t.rounds.ownEvents;
  });
  if (head == t.rounds.heads.end()) return false;
  // A round that only takes inputs is silent as well. A loop that takes many of them keeps something.
  const uint32_t inputs = inputsSince(t, *head);
  if (inputs == 0 || inputs == kMostInputs || !options_.awaits) return true;
  const std::optional<StateKey> state = run_.states.of(t, false);
  return !state || *state != head->state;
}

bool WaitingLoops::roundsWithoutEvents(Thread& t, const Instruction& in) {
  constexpr uint32_t kLooks = 256;
  const std::optional<StateKey> state = run_.states.of(t, false);
  if (!state || (++t.rounds.suspect > kLooks && !t.rounds.watchesLoop)) {
    t.rounds.suspect = 0;
    t.rounds.watchesLoop = false;
    return false;
  }
  const bool again =
      t.rounds.suspect > 2 && t.rounds.suspectState == *state && t.rounds.suspectEvents == t.rounds.ownEvents;
  if (again) {
    const FramePoint& point = program_.mergePoints[in.a];
    if (point.isEndless && point.isStraight)
      t.rounds.goesRound = GoesRound::Idle;
    else if (t.inputs != t.rounds.suspectInputs)
      t.rounds.goesRound = GoesRound::TakesInputs;
    else if (t.rounds.watchesLoop)
      t.rounds.goesRound = judgeLooks(t);
    else {
      watch(t, t.rounds.watchesLoop);
      return false;
    }
    t.rounds.setAside = true;
    return true;
  }
  // Each state is compared with as many as came before it (Brent).
  if ((t.rounds.suspect & (t.rounds.suspect - 1)) == 0 && !t.rounds.watchesLoop) {
    t.rounds.suspectState = *state;
    t.rounds.suspectEvents = t.rounds.ownEvents;
    t.rounds.suspectInputs = t.inputs;
  }
  return false;
}

void WaitingLoops::watch(Thread& t, bool& flag) {
  flag = true;
  t.rounds.looks.clear();
  memory_.dropFastPaths();
}

bool WaitingLoops::isOwn(const Thread& t, const MemoryObject& object) const {
  if (object.readOnly || object.kind == ObjectKind::Function) return true;
  const ObjectName& name = names_.info(object.id).name;
  if (name.owner != t.id) return false;
  return object.kind == ObjectKind::Library ||
         (object.kind == ObjectKind::Stack && program_.code[name.site].flags & kPrivate);
}

GoesRound WaitingLoops::judgeLooks(Thread& t) {
  const auto isOutside = [&](const Look& look) {
    const ObjectName& name = names_.info(look.object->id).name;
    return name.kind == ObjectKind::Global && program_.globals[name.site].isExternal;
  };
  t.rounds.watchesLoop = t.rounds.watchesRound = false;
  if (t.rounds.looks.empty()) return GoesRound::Idle;
  if (std::any_of(t.rounds.looks.begin(), t.rounds.looks.end(), isOutside)) return GoesRound::MayLeave;
  const uint64_t known = locations_.version();
  for (const Look& look : t.rounds.looks)
    locations_.noteAwaited(look.object->id, look.offset, look.size, run_.prologue, names_);
  if (locations_.version() == known) run_.unsupported(t, "a loop that waits for what no event can tell");
  run_.noteKnowledge();
  return GoesRound::Waits;
}

void WaitingLoops::mergeState(Thread& t) {
  if (!t.forked) return;
  t.forked = false;
  if (!run_.sink().wantsMerge(t.id)) return;
  std::optional<StateKey> key = run_.states.of(t, options_.unroll != 0 || options_.rounds != 0);
  if (!key) return;
  // Each call makes new variables, if others may have their addresses; how many it has made names the next.
  for (size_t i = 0; i < t.stackSites.size(); ++i) {
    if (t.stackSites[i].isPrivate || t.stackSites[i].passed == 0) continue;
    key->add(i);
    key->add(t.stackSites[i].passed);
  }
  // How the thread goes on also depends on what it may be found to wait in.
  std::vector<uint32_t> marks;
  key->add(t.rounds.ownEvents != 0);
  key->add(t.rounds.unmarked == t.rounds.ownEvents);
  key->add(t.rounds.watchesRound);
  // The next head that is marked takes it up (LoopHead::taken).
  key->add(takenNow(t));
  for (const LoopHead& head : t.rounds.heads) {
    if (options_.awaits) marks.push_back(head.mark);
    key->add(head.pc);
    key->add(head.mark);
    key->add(head.depth);
    key->add(head.state.low);
    key->add(head.state.high);
    key->add(head.events == t.rounds.ownEvents);
    key->add(inputsSince(t, head));
    key->add(head.taken);
    key->add(letsOthersIn(t, head));
  }
  run_.sink().merge(t.id, run_.place(t), *key, marks);
}

bool WaitingLoops::passesUnroll(uint64_t& counter) {
  run_.result.rounds = std::max(run_.result.rounds, ++counter);
  return options_.unroll != 0 && counter > options_.unroll;
}

bool WaitingLoops::countRound(const Thread& t, uint64_t& counter, bool isCounted) const {
  // A round without a fork is cheap, and most loops of them end by themselves.
  constexpr uint32_t kPlainRounds = 16;
  // From below: rounds in which the path forked, other rounds with events, and where the thread stood then.
  const auto forks = static_cast<uint16_t>(t.rounds.forks),
             events = static_cast<uint16_t>(t.rounds.pathEvents);
  auto forked = static_cast<uint16_t>(counter), plain = static_cast<uint16_t>(counter >> 16);
  if (isCounted) {
    // Only where the thread stands is noted.
  } else if (forks != static_cast<uint16_t>(counter >> 48))
    ++forked;
  else if (events != static_cast<uint16_t>(counter >> 32))
    ++plain;
  counter = uint64_t{forks} << 48 | uint64_t{events} << 32 | uint32_t{plain} << 16 | forked;
  return forked <= options_.rounds && plain <= kPlainRounds * options_.rounds;
}

bool WaitingLoops::letsOthersIn(const Thread& t, const LoopHead& head) const {
  return std::any_of(run_.sync.mutexes().begin(), run_.sync.mutexes().end(), [&](const auto& entry) {
    const MutexState& mutex = entry.second;
    return mutex.owner == t.id && mutex.since > head.events && mutex.cell != head.taken;
  });
}

bool WaitingLoops::goesOn(Thread& t, const Instruction& in, const StateKey& state) {
  const auto head = std::find_if(t.rounds.heads.begin(), t.rounds.heads.end(), [&](const LoopHead& h) {
    return h.pc == t.pc && h.depth == t.frames.size();
  });
  if (head == t.rounds.heads.end() || head->state != state) return true;
  if (head->events == t.rounds.ownEvents && head->inputs == t.inputs) return true;
  if (letsOthersIn(t, *head)) return true;
  // What was passed after this head belongs to the round that ends here.
  t.rounds.heads.erase(std::next(head), t.rounds.heads.end());
  LoopHead& here = t.rounds.heads.back();
  const FramePoint& point = program_.mergePoints[in.a];
  const auto round = t.rounds.reads.begin() + static_cast<std::ptrdiff_t>(here.reads);
  const bool isStraight = point.isEndless && point.isStraight;
  // Where every access is an event, those to its own variables are, too.
  const bool readsOthers = std::any_of(round, t.rounds.reads.end(), [&](const SeenCell& read) {
    return !isOwn(t, *memory_.at(names_.info(locations_.cell(read.location).object).base));
  });
  const auto decides = std::find_if(round, t.rounds.reads.end(), [&](const SeenCell& cell) {
    return std::find(point.exits.begin(), point.exits.end(), cell.place) != point.exits.end();
  });
  // What it waits for may be memory that nobody else is known to write: the next round shows.
  const bool isKnown = readsOthers && (decides != t.rounds.reads.end() || point.exits.empty());
  const bool takesInputs = t.inputs != here.inputs;
  if (!isKnown && !(takesInputs && readsOthers) && !isStraight && !t.rounds.watchesRound) {
    watch(t, t.rounds.watchesRound);
    return true;
  }
  if (readsOutside({round, t.rounds.reads.end()}))
    t.rounds.goesRound = GoesRound::MayLeave;
  else if (isStraight)
    t.rounds.goesRound = GoesRound::Idle;
  else
    t.rounds.goesRound = t.rounds.watchesRound ? judgeLooks(t) : GoesRound::Waits;
  if (takesInputs && t.rounds.goesRound != GoesRound::MayLeave && !isStraight)
    t.rounds.goesRound = GoesRound::TakesInputs;
  if (readsOthers && t.rounds.goesRound == GoesRound::Idle && !isStraight)
    t.rounds.goesRound = GoesRound::Waits;
  // A path that comes here for the first time is watched as well.
  t.rounds.watchesRound = false;
  if (here.watches) watch(t, t.rounds.watchesRound);
  t.rounds.blamed = decides == t.rounds.reads.end() ? 0 : static_cast<size_t>(decides - round);
  t.rounds.awaited.assign(round, t.rounds.reads.end());
  t.rounds.released.clear();
  for (const auto& [at, mutex] : run_.sync.mutexes())
    if (mutex.owner == t.id && mutex.since > here.events) t.rounds.released.push_back(mutex.cell);
  t.rounds.leaving = !t.rounds.released.empty();
  // Another input may lead elsewhere, whatever was read: it goes on, and where it comes back once more, all
  // that other inputs do from here stands in the forest. Where it stands behind an input, it never waits.
  const bool mayLeave = takesMore(t.rounds.goesRound) && !t.rounds.leaving;
  t.rounds.awaits = !t.rounds.leaving && !mayLeave;
  t.rounds.setAside = mayLeave && std::exchange(here.wentRound, true);
  t.rounds.reads.resize(here.reads);
  for (size_t i = 0; i < t.stackSites.size(); ++i)
    t.stackSites[i].passed = i < here.passed.size() ? here.passed[i] : 0;
  t.registers[t.frames.back().base + in.b].bits = here.counter;
  t.rounds.forks = here.forks;
  t.rounds.pathEvents = here.pathEvents;
  // What heads and mutexes are compared by is as it was at the head, also for the loops around it.
  const uint32_t inputs = t.inputs - here.inputs;
  for (LoopHead& around : t.rounds.heads) around.inputs += inputs;
  t.rounds.ownEvents = here.events;
  run_.sync.setBack(t.id, here.events);
  if (t.rounds.unmarked > here.events) t.rounds.unmarked = 0;
  t.rounds.suspect = 0;
  t.forked = true;
  run_.sink().rewind(t.id, here.mark, t.rounds.goesRound);
  return false;
}

bool WaitingLoops::readsOutside(std::span<const SeenCell> reads) const {
  return std::any_of(reads.begin(), reads.end(), [&](const SeenCell& read) {
    const ObjectName& name = names_.info(locations_.cell(read.location).object).name;
    return name.kind == ObjectKind::Global && program_.globals[name.site].isExternal;
  });
}

Event WaitingLoops::awaitedEvent(const Thread& t) const {
  Event event = t.next.event;
  if (!t.goesRound() || t.rounds.awaited.empty()) return event;
  if (t.rounds.awaits && t.rounds.released.empty() && event.place == t.rounds.awaited[t.rounds.blamed].place)
    return event;
  event.thread = t.id;
  event.kind = EventKind::Read;
  event.rule = nullptr;
  event.place = t.rounds.awaited[t.rounds.blamed].place;
  event.cells = {t.rounds.awaited[t.rounds.blamed].location};
  return event;
}

LocationId WaitingLoops::takenNow(const Thread& t) const {
  LocationId taken = kNone;
  for (const auto& [at, mutex] : run_.sync.mutexes())
    if (mutex.owner == t.id && mutex.since == t.rounds.ownEvents) taken = mutex.cell;
  return taken;
}

bool WaitingLoops::markHead(Thread& t, const Instruction& in, const StateKey& state) {
  auto head = std::find_if(t.rounds.heads.begin(), t.rounds.heads.end(),
                           [&](const LoopHead& h) { return h.pc == t.pc && h.depth == t.frames.size(); });
  constexpr size_t kMostHeads = 16;
  if (head == t.rounds.heads.end()) {
    if (t.rounds.heads.size() == kMostHeads) return false;
    uint32_t mark = 0;
    while (std::any_of(t.rounds.heads.begin(), t.rounds.heads.end(),
                       [&](const LoopHead& h) { return h.mark == mark; }))
      ++mark;
    t.rounds.heads.emplace_back().mark = mark;
    head = std::prev(t.rounds.heads.end());
  }
  t.rounds.heads.erase(std::next(head), t.rounds.heads.end());
  LoopHead& here = t.rounds.heads.back();
  here.pc = t.pc;
  here.depth = t.frames.size();
  here.state = state;
  here.events = t.rounds.ownEvents;
  here.reads = t.rounds.reads.size();
  here.counter = t.registers[t.frames.back().base + in.b].bits;
  here.forks = t.rounds.forks;
  here.pathEvents = t.rounds.pathEvents;
  here.inputs = t.inputs;
  here.watches = t.rounds.watchesRound;
  here.wentRound = false;
  here.taken = takenNow(t);
  here.passed.clear();
  for (const StackSite& site : t.stackSites) here.passed.push_back(site.passed);
  t.rounds.passed.pc = here.pc;
  t.rounds.passed.depth = here.depth;
  t.rounds.passed.state = here.state;
  if (options_.awaits) run_.sink().mark(t.id, here.mark);
  return true;
}

}  // namespace heddle

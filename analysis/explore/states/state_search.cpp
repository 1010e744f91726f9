#include "analysis/explore/states/state_search.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_set>

#include "analysis/explore/states/joint_state.h"
#include "analysis/explore/states/state_table.h"

namespace heddle {

namespace {

constexpr ThreadId kThreadBits = 32;
constexpr uint64_t kRandomEvents = 1'000;  // that a run goes on after the step it was made for

/// Follows a path, then goes on at random.
class PathScheduler : public Scheduler {
 public:
  /// `randomEvents`: that the run goes on.
  PathScheduler(ThreadAutomata& automata, std::vector<ThreadId> path, uint64_t randomEvents, uint64_t seed)
      : automata_(automata), path_(std::move(path)), randomEvents_(randomEvents), random_(seed | 1) {}

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override {
    automata_.beginStep();
    if (at_ < path_.size()) return path_[at_++];
    if (at_++ >= path_.size() + randomEvents_) return std::nullopt;
    random_ = random_ * 6364136223846793005ull + 1442695040888963407ull;
    return enabled[(random_ >> 33) % enabled.size()]->thread;
  }

 private:
  ThreadAutomata& automata_;
  const std::vector<ThreadId> path_;
  const uint64_t randomEvents_;
  size_t at_ = 0;
  uint64_t random_;
};

bool areConflictingHere(const Event& a, const Event& b) {
  return areConflicting(a, b) &&
         std::find_first_of(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end()) != a.cells.end();
}

/// They conflict only where the second one writes.
bool isUpToSecond(const Event& a, const Event& b) {
  return a.kind == EventKind::Read && b.kind == EventKind::Update;
}

bool isIndependent(const Event& e) {
  return e.kind == EventKind::Start || e.kind == EventKind::Create || e.kind == EventKind::End ||
         e.kind == EventKind::Join;
}

}  // namespace

class StateSearch::Searcher {
 public:
  Searcher(const Program& program, const StateSearchOptions& options)
      : program_(program),
        names_(options.names ? *options.names : Names(program.pointerBits())),
        locations_(options.locations ? *options.locations : Locations(options.everyAccessIsEvent)),
        inputs_(options.inputs ? std::make_unique<FixedInputs>(names_, *options.inputs) : nullptr),
        automata_(inputs_.get()),
        states_(automata_, terms_) {
    options_.entry = options.entry;
    options_.reach = options.reach;
    options_.awaits = false;
    options_.recordTrace = false;
    locations_.restart();
  }

  StateSearchResult run(uint64_t mostStates, const Budget& budget) {
    if (result_.refused || result_.complete) return result_;
    mostStates_ = mostStates;
    budget_ = &budget;
    result_.problem.clear();
    do {
      if (isVoid_) restart();
      search();
    } while (isVoid_ && result_.problem.empty());
    result_.states = origins_.size();
    result_.complete = result_.problem.empty();
    if (result_.complete) decideStuck();
    budget_ = nullptr;
    return result_;
  }

 private:
  struct Origin {
    uint32_t from = kNone;  // the state that it was first reached from
    ThreadId thread = kNone;
  };

  void restart() {
    automata_.reset();
    numbers_.clear();
    origins_.clear();
    edges_.clear();
    ends_.clear();
    circle_ = kNone;
    goOn_.clear();
    threads_ = 0;
    noted_.clear();
    waiting_.clear();
    isVoid_ = false;
    const uint64_t executions = result_.executions;
    result_ = {};
    result_.executions = executions;
    visit(states_.initial(), {});
  }

  /// `forGood`: a larger search would not help.
  void refuse(std::string why, bool forGood = true) {
    if (!result_.problem.empty()) return;
    result_.problem = std::move(why);
    result_.refused = forGood;
  }

  /// Until everything is visited, refused or void.
  void search() {
    while (!waiting_.empty() && !isVoid_ && result_.problem.empty()) {
      auto& [number, next] = waiting_.front();
      budget_->spend();
      if (number % 256 == 0 && budget_->check() != StopReason::None) refuse("out of budget", false);
      result_.isGrowing = isHopeless(next);
      if (origins_.size() > mostStates_ || result_.isGrowing) refuse("too many states", false);
      if (!result_.problem.empty()) return;
      const std::pair<uint32_t, JointState> current = std::move(waiting_.front());
      waiting_.pop_front();
      expand(current.first, current.second);
      // What was not expanded in full is, when the search goes on.
      if (!result_.problem.empty()) waiting_.push_front(current);
    }
  }

  /// A search in breadth that will end has few states ahead of it, compared with those behind.
  bool isHopeless(const JointState& state) const {
    constexpr size_t kWords = 40'000;  // of states: enough to tell
    return origins_.size() * (state.stops.size() + 1) > kWords && 3 * waiting_.size() > origins_.size();
  }

  void expand(uint32_t number, const JointState& state) {
    noteRaces(number, state);
    if (circle_ == kNone && state.inSection == kNone && states_.waitsInCircle(state)) circle_ = number;
    const ThreadId known = std::min(static_cast<ThreadId>(state.stops.size()), kThreadBits);
    if (known < kThreadBits) goOn_[number] |= ~0u << known;
    for (ThreadId thread = 0; thread < known; ++thread)
      if (!states_.pending(state, thread) || joinsOther(state, thread)) goOn_[number] |= 1u << thread;
    std::vector<ThreadId> chosen;
    bool isEnd = true;
    for (ThreadId thread = 0; thread < state.stops.size(); ++thread) {
      const Event* event = states_.pending(state, thread);
      if (!event) continue;
      if (event->timed) return refuse("a wait with a limit");
      // Whatever others can do after the end of the process, they can do before.
      if (event->endsProcess) {
        ends_.push_back(number);
        continue;
      }
      isEnd = false;
      if (state.inSection != kNone && state.inSection != thread) continue;
      if (states_.isEnabled(state, *event)) chosen.push_back(thread);
    }
    // An execution whose assumption failed does not count in full, so nobody is stuck in it. An atomic
    // section that cannot go on was not begun in any execution that counts.
    isEnd |= std::find(state.stops.begin(), state.stops.end(), JointState::kCut) != state.stops.end();
    if (isEnd || (state.inSection != kNone && chosen.empty())) ends_.push_back(number);
    for (const ThreadId thread : chosen) {
      if (!isIndependent(*states_.pending(state, thread))) continue;
      const ThreadStep* step = stepOf(number, state, thread);
      if (!step) return;
      if (isCut(state, thread, *step)) continue;
      chosen = {thread};
      break;
    }
    for (const ThreadId thread : chosen) {
      const ThreadStep* step = stepOf(number, state, thread);
      if (!step) return;
      if (isCut(state, thread, *step)) {
        ends_.push_back(number);
        // What it wrote is there for others before it comes to the assumption; an atomic section counts as
        // not begun.
        const Event& last = automata_.event(state.stops[thread]);
        if (last.kind == EventKind::Read || last.section != 0 || step->abandons) continue;
      }
      const Event& event = automata_.event(state.stops[thread]);
      if (thread < kThreadBits && states_.hasEffect(state, event, *step)) goOn_[number] |= 1u << thread;
      edges_.emplace_back(visitAfter(state, event, *step, {number, thread}), number);
    }
  }

  /// It waits for the end of a thread that does not wait so: whether it waits for ever is up to that one.
  bool joinsOther(const JointState& state, ThreadId thread) const {
    for (size_t i = 0; i < state.stops.size(); ++i) {
      const Event* event = states_.pending(state, thread);
      if (!event || event->kind != EventKind::Join) return i != 0;
      thread = event->other;
    }
    return false;  // in a circle
  }

  /// An assumption of the program fails after the step: the execution does not count.
  bool isCut(const JointState& state, ThreadId thread, const ThreadStep& step) const {
    return step.next == kNone && automata_.event(state.stops[thread]).kind != EventKind::End;
  }

  /// What the thread does next; null when the search is over or void.
  const ThreadStep* stepOf(uint32_t number, const JointState& state, ThreadId thread) {
    const StopId stop = state.stops[thread];
    states_.observe(state, automata_.event(stop), observed_);
    const ThreadStep* known = automata_.find(stop, observed_);
    if (!known) {
      execute(number, thread);
      if (isVoid_ || !result_.problem.empty()) return nullptr;
      known = automata_.find(stop, observed_);
    }
    if (!known) refuse("a run did not reach the step it was made for");
    // What becomes of it is followed by terms only, of which there are none here.
    if (known && states_.readsUnwritten(state, automata_.event(stop)))
      refuse("a value that was never written is read");
    return result_.problem.empty() ? known : nullptr;
  }

  uint32_t visitAfter(const JointState& state, const Event& event, const ThreadStep& step, Origin origin) {
    // Most steps lead to states that are known, and states are large.
    if (const std::optional<StateKey> key = states_.keyAfter(state, event, step))
      if (const std::optional<uint32_t> known = numbers_.find(*key)) return *known;
    return visit(states_.after(state, event, step), origin);
  }

  uint32_t visit(JointState state, Origin origin) {
    const auto [number, isNew] = numbers_.insert(states_.key(state));
    if (isNew) {
      threads_ = std::max(threads_, static_cast<ThreadId>(state.stops.size()));
      origins_.push_back(origin);
      goOn_.push_back(0);
      waiting_.emplace_back(number, std::move(state));
    }
    return number;
  }

  /// Runs to the state, and there the thread's step.
  void execute(uint32_t number, ThreadId thread) {
    std::vector<ThreadId> path = pathTo(number);
    path.push_back(thread);
    learn(follow(std::move(path), kRandomEvents));
  }

  std::vector<ThreadId> pathTo(uint32_t number) const {
    std::vector<ThreadId> path;
    for (uint32_t at = number; origins_[at].from != kNone; at = origins_[at].from)
      path.push_back(origins_[at].thread);
    std::reverse(path.begin(), path.end());
    return path;
  }

  RunResult follow(std::vector<ThreadId> path, uint64_t randomEvents) {
    PathScheduler scheduler(automata_, std::move(path), randomEvents, ++result_.executions);
    automata_.beginRun();
    Machine machine({program_, names_, terms_, locations_}, options_, scheduler, automata_, *budget_);
    RunResult run = machine.run();
    budget_->spend(run.events + 1);
    return run;
  }

  void learn(const RunResult& run) {
    if (run.outcome == RunOutcome::Relearned) {
      locations_.restart();
      isVoid_ = true;
      return;
    }
    for (const Failure& failure : run.failures)
      result_.failures.try_emplace({failure.kind, failure.place, failure.message}, run.schedule);
    for (const Bound& bound : run.bounds) {
      result_.bounds.insert(bound);
      if (heddle::isCut(bound.kind)) refuse("a bound was hit");
    }
    result_.misuseBounds.insert(run.misuseBounds.begin(), run.misuseBounds.end());
    result_.assumptions.insert(run.assumptions.begin(), run.assumptions.end());
    if (run.outcome == RunOutcome::OutOfBudget) refuse("out of budget", false);
    if (run.outcome == RunOutcome::Unsupported) refuse(run.unsupported);
    if (!automata_.problem().empty()) refuse(automata_.problem());
  }

  void noteRaces(uint32_t number, const JointState& state) {
    if (state.inSection != kNone) return;  // its accesses were looked at before it
    for (ThreadId a = 0; a < state.stops.size(); ++a)
      for (ThreadId b = 0; b < state.stops.size() && !isVoid_ && result_.problem.empty(); ++b) {
        const Event* first = states_.pending(state, a);
        const Event* second = states_.pending(state, b);
        if (a == b || !first || !second || second->section != 0 || !isAccess(second->kind)) continue;
        if (first->section != 0)
          noteSectionRaces(number, state, a, b);
        else if (a < b && isAccess(first->kind))
          noteRace(number, state, {a, *first}, {b, *second});
      }
  }

  /// Whether what the thread does next writes memory, as a compare-exchange that fails does not.
  bool writesNow(uint32_t number, const JointState& state, ThreadId thread) {
    const ThreadStep* step = stepOf(number, state, thread);
    return step && !step->writes.empty();
  }

  void noteRace(uint32_t number, const JointState& state, const std::pair<ThreadId, Event>& first,
                const std::pair<ThreadId, Event>& second) {
    const auto& [a, x] = first;
    const auto& [b, y] = second;
    const uint64_t stops = uint64_t{state.stops[a]} << 32 | state.stops[b];
    const bool areSingle = x.section == 0 && y.section == 0;
    if (!areConflictingHere(x, y) || (areSingle && noted_.contains(stops))) return;
    if (y.section == 0 && isUpToSecond(x, y) && !writesNow(number, state, b)) return;
    if (x.section == 0 && isUpToSecond(y, x) && !writesNow(number, state, a)) return;
    if (areSingle) noted_.insert(stops);
    const std::pair<PlaceId, PlaceId> places = std::minmax(x.place, y.place);
    if (!result_.races.contains(places))
      result_.races[places] = {follow(pathTo(number), 0).schedule, names_.label(a), names_.label(b)};
  }

  /// Of the atomic section that the first thread stands before and the other's access outside, if the section
  /// can be left from here: else it counts as not begun.
  void noteSectionRaces(uint32_t number, const JointState& state, ThreadId inside, ThreadId outside) {
    const Event other = *states_.pending(state, outside);
    std::vector<Event> events;
    if (passesSection(number, state, inside, events))
      for (const Event& event : events) noteRace(number, state, {inside, event}, {outside, other});
    // The section may need what the other one writes.
    if (!hasWritten(other) || !states_.isEnabled(state, other) || isVoid_ || !result_.problem.empty()) return;
    const ThreadStep* step = stepOf(number, state, outside);
    if (!step || isCut(state, outside, *step) || step->writes.empty()) return;
    const ThreadStep made = *step;
    const uint32_t afterNumber = visitAfter(state, other, made, {number, outside});
    const JointState after = states_.after(state, other, made);
    events.clear();
    if (passesSection(afterNumber, after, inside, events))
      for (const Event& event : events) noteRace(number, state, {outside, other}, {inside, event});
  }

  /// What the thread does in the atomic section that it stands before; false if it does not get out of it.
  bool passesSection(uint32_t number, const JointState& state, ThreadId inside, std::vector<Event>& events) {
    constexpr size_t kLongestSection = 10'000;  // a longer one is a loop that never ends
    JointState at = state;
    uint32_t atNumber = number;
    for (;;) {
      const Event* next = states_.pending(at, inside);
      if (!next || next->section == 0 || (!events.empty() && next->section != events.front().section))
        return true;
      Event event = *next;
      if (!states_.isEnabled(at, event) || events.size() == kLongestSection) return false;
      const ThreadStep* step = stepOf(atNumber, at, inside);
      if (!step || isCut(at, inside, *step)) return false;
      const bool endsProcess = step->next != kNone && automata_.event(step->next).endsProcess;
      if (step->abandons && !endsProcess) return false;
      const ThreadStep made = *step;
      event.wrote = {made.writes.empty() ? 0u : 1u, kNoTerm};
      events.push_back(event);
      if (endsProcess) return true;
      atNumber = visitAfter(at, event, made, {atNumber, inside});
      at = states_.after(at, event, made);
    }
  }

  void decideStuck() {
    std::sort(edges_.begin(), edges_.end());
    // Threads that wait for one another do so for ever, whatever then ends the process.
    if (circle_ != kNone) {
      result_.stuck = follow(pathTo(circle_), 0).schedule;
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
      result_.stuck = follow(pathTo(stuck), 0).schedule;
      return;
    }
    result_.neverStuck = true;
  }

  /// The first state from which no schedule leads to one of these; kNone: there is none.
  uint32_t firstNotBefore(const std::vector<uint32_t>& states) const {
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

  const Program& program_;
  uint64_t mostStates_ = 0;
  const Budget* budget_ = nullptr;  // while it runs
  Names names_;
  TermTable terms_;
  Locations locations_;
  const std::unique_ptr<InputSource> inputs_;
  ThreadAutomata automata_;
  JointStates states_;
  MachineOptions options_;
  StateSearchResult result_;
  StateTable numbers_;
  std::vector<Origin> origins_;                       // by state
  std::vector<std::pair<uint32_t, uint32_t>> edges_;  // to, from
  std::vector<uint32_t> ends_;                        // states in which everything is over
  uint32_t circle_ = kNone;  // the first state with threads that wait for one another
  ThreadId threads_ = 0;
  std::vector<uint32_t>
      goOn_;  // by state: bits of threads: over, absent, joining, or others can tell what it does
  std::unordered_set<uint64_t> noted_;  // pairs of stops before conflicting accesses
  std::vector<uint64_t> observed_;      // by the step that is looked for
  std::deque<std::pair<uint32_t, JointState>> waiting_;
  bool isVoid_ = true;  // nothing is known yet, or what is shared was learned
};

StateSearch::StateSearch(const Program& program, const StateSearchOptions& options)
    : searcher_(std::make_unique<Searcher>(program, options)) {}

StateSearch::~StateSearch() = default;

StateSearchResult StateSearch::run(uint64_t mostStates, const Budget& budget) {
  return searcher_->run(mostStates, budget);
}

}  // namespace heddle

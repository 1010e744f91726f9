#include "analysis/explore/states/state_search.h"

#include <algorithm>
#include <bit>

#include "analysis/explore/states/state_searcher.h"

namespace heddle {

namespace {

constexpr uint64_t kRandomEvents = 1'000;  // that a run goes on after the step it was made for
// Of a size or an address that depends on inputs: each value is a way of its own. With more of them questions
// are the better means.
constexpr size_t kMostValues = 16;
// Of one step: forks in a row double them, and only questions see that their ways meet again.
constexpr size_t kMostWays = 64;
constexpr size_t kFewAhead = 6;  // times fewer than behind
// What threads do becomes known: so many times fewer steps of a state than before had to be executed.
constexpr uint64_t kSlower = 2;
// Conditions of inputs cost questions of their own: so many, and one for each so many states.
constexpr uint64_t kConditions = 1'024, kStatesPerCondition = 64;

}  // namespace

/// Follows a path, then goes on at random.
class StateSearch::Searcher::PathScheduler : public Scheduler {
 public:
  /// `randomEvents`: that the run goes on.
  PathScheduler(Searcher& searcher, std::vector<PathStep> path, uint64_t randomEvents, uint64_t seed)
      : searcher_(searcher), path_(std::move(path)), randomEvents_(randomEvents), random_(seed | 1) {}

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override {
    const bool isOnPath = at_ < path_.size();
    searcher_.automata_.beginStep(searcher_.allPicks_[isOnPath ? path_[at_].picks : kNoPicks]);
    if (isOnPath) return path_[at_++].thread;
    if (at_++ >= path_.size() + randomEvents_) return std::nullopt;
    random_ = random_ * 6364136223846793005ull + 1442695040888963407ull;
    return enabled[(random_ >> 33) % enabled.size()]->thread;
  }

 private:
  Searcher& searcher_;
  const std::vector<PathStep> path_;
  const uint64_t randomEvents_;
  size_t at_ = 0;
  uint64_t random_;
};

StateSearch::Searcher::Searcher(const Program& program, const StateSearchOptions& options)
    : program_(program),
      names_(options.names ? *options.names : Names(program.pointerBits())),
      locations_(options.locations ? *options.locations : Locations(options.everyAccessIsEvent)),
      inputs_(options.inputs ? std::make_unique<FixedInputs>(names_, *options.inputs) : nullptr),
      automata_(inputs_.get(), terms_),
      states_(automata_, terms_),
      conditions_(terms_),
      records_(names_) {
  options_.entry = options.entry;
  options_.reach = options.reach;
  options_.awaits = false;
  options_.limitsWakeups = options.limitsWakeups;
  options_.recordTrace = false;
  locations_.restart();
}

StateSearchResult StateSearch::Searcher::run(uint64_t mostStates, const Budget& budget) {
  if (result_.refused || result_.complete) return result_;
  mostStates_ = mostStates;
  budget_ = &budget;
  result_.problem.clear();
  conditions_.forgetProblem();
  do {
    if (isVoid_)
      restart();
    else if (staleSince_ != kNotStale)
      restartStates();
    search();
  } while ((isVoid_ || staleSince_ != kNotStale) && result_.problem.empty());
  result_.states = origins_.size();
  result_.complete = result_.problem.empty();
  result_.isClosing = isClosing();
  if (result_.complete) decideStuck();
  budget_ = nullptr;
  return result_;
}

void StateSearch::Searcher::restart() {
  automata_.reset();
  records_.clear();
  allPicks_.assign(1, {});
  pickNumbers_ = {{{}, kNoPicks}};
  isVoid_ = false;
  const uint64_t executions = result_.executions;
  result_ = {};
  result_.executions = executions;
  restartStates();
}

void StateSearch::Searcher::restartStates() {
  staleSince_ = kNotStale;
  // They are found again, on shorter ways.
  noted_.clear();
  result_.races.clear();
  numbers_.clear();
  origins_.clear();
  executionsAt_.clear();
  steps_.clear();
  known_.clear();
  edges_.clear();
  ends_.clear();
  circle_ = kNone;
  goOn_.clear();
  threads_ = 0;
  waiting_.clear();
  visit(states_.initial(), kNone, {});
}

void StateSearch::Searcher::refuse(std::string why, bool forGood) {
  if (!result_.problem.empty()) return;
  result_.problem = std::move(why);
  result_.refused = forGood;
}

/// Until everything is visited, refused or void.
void StateSearch::Searcher::search() {
  while (!waiting_.empty() && !isOver() && !isTooStale()) {
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

/// What was visited before is incomplete. To go on for a while finds more of the kind, so that all of it
/// costs a small multiple of the last time.
bool StateSearch::Searcher::isTooStale() const {
  constexpr size_t kAtLeast = 1'000;
  return staleSince_ != kNotStale && origins_.size() > 2 * staleSince_ + kAtLeast;
}

/// A search in breadth that will end has few states ahead of it, compared with those behind.
bool StateSearch::Searcher::isHopeless(const JointState& state) const {
  // To tell: with more threads a state costs more, and its breadth tells sooner.
  constexpr size_t kEnough = 10'000'000;
  const size_t threads = state.stops.size() + 1;
  return origins_.size() * threads * threads * threads > kEnough && 3 * waiting_.size() > origins_.size();
}

bool StateSearch::Searcher::isClosing() const {
  const size_t states = origins_.size();
  if (waiting_.size() * kFewAhead >= states || executionsAt_.size() < 2) return false;
  // The last state but one whose number is a power of two: a half to a quarter of all came before it.
  const size_t early = size_t{1} << (executionsAt_.size() - 2);
  const uint64_t before = executionsAt_[executionsAt_.size() - 2];
  const uint64_t since = result_.executions - before;
  return kSlower * since * early <= before * (states - early);
}

void StateSearch::Searcher::expand(uint32_t number, const JointState& state) {
  if (split(number, state) || isOver()) return;
  noteRaces(number, state);
  if (circle_ == kNone && state.inSection == kNone && states_.waitsInCircle(state)) circle_ = number;
  const ThreadId known = std::min(static_cast<ThreadId>(state.stops.size()), kThreadBits);
  if (known < kThreadBits) goOn_[number] |= ~0u << known;
  for (ThreadId thread = 0; thread < known; ++thread)
    if (!states_.pending(state, thread) || joinsOther(state, thread)) goOn_[number] |= 1u << thread;
  std::vector<ThreadId> chosen;
  bool isEnd = true, isTimed = false;
  for (ThreadId thread = 0; thread < state.stops.size(); ++thread) {
    const Event* event = states_.pending(state, thread);
    if (!event) continue;
    isTimed |= event->timed;
    if (event->timed && thread < kThreadBits) goOn_[number] |= 1u << thread;
    // Whatever others can do after the end of the process, they can do before.
    if (event->endsProcess) {
      ends_.push_back(number);
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
  if (isEnd || ((state.inSection != kNone || isTimed) && chosen.empty())) ends_.push_back(number);
  for (const ThreadId thread : chosen) {
    if (isOver()) return;
    take(number, state, thread);
  }
}

bool StateSearch::Searcher::split(uint32_t number, const JointState& state) {
  for (ThreadId thread = 0; thread < state.stops.size(); ++thread) {
    const Event* event = states_.pending(state, thread);
    const Term guard = event ? states_.guardOf(state, *event) : kNoTerm;
    if (guard == kNoTerm || terms_.isConst(guard)) continue;
    const auto yes = conditions_.with(state.conditions, guard, 1, *budget_);
    const auto no = conditions_.with(state.conditions, guard, 0, *budget_);
    if (!conditions_.problem().empty()) {
      refuse(conditions_.problem(), !conditions_.mayGoOn());
      return true;
    }
    if (!yes || !no) continue;
    for (const ConditionId side : {*yes, *no}) {
      JointState half = state;
      half.conditions = side;
      edges_.emplace_back(visit(std::move(half), number, {}), number);
    }
    return true;
  }
  return false;
}

bool StateSearch::Searcher::isEnabled(const JointState& state, const Event& event) {
  if (!states_.isEnabled(state, event)) return false;
  const Term guard = states_.guardOf(state, event);
  if (guard == kNoTerm) return true;
  const auto yes = conditions_.with(state.conditions, guard, 1, *budget_);
  if (yes && *yes != state.conditions) refuse("an atomic section in which a guard depends on inputs");
  return yes.has_value();
}

void StateSearch::Searcher::take(uint32_t number, const JointState& state, ThreadId thread) {
  const StopId stop = state.stops[thread];
  for (const Outcome& outcome : outcomesOf(number, state, thread)) {
    if (isOver()) return;
    const Event event = automata_.event(stop);  // a visit may add stops
    if (isCut(state, thread, *outcome.step)) {
      ends_.push_back(number);
      // What it wrote is there for others before it comes to the assumption; an atomic section counts as
      // not begun.
      if (event.kind == EventKind::Read || event.section != 0 || outcome.step->abandons) continue;
    }
    if (thread < kThreadBits && states_.hasEffect(state, event, *outcome.step)) goOn_[number] |= 1u << thread;
    settle(number,
           {states_.after(state, event, *outcome.step, outcome.conditions), {{thread, outcome.picks}}});
  }
}

/// It waits for the end of a thread that does not wait so: whether it waits for ever is up to that one.
bool StateSearch::Searcher::joinsOther(const JointState& state, ThreadId thread) const {
  for (size_t i = 0; i < state.stops.size(); ++i) {
    const Event* event = states_.pending(state, thread);
    if (!event || event->kind != EventKind::Join) return i != 0;
    thread = event->other;
  }
  return false;  // in a circle
}

/// An assumption of the program fails after the step: the execution does not count.
bool StateSearch::Searcher::isCut(const JointState& state, ThreadId thread, const ThreadStep& step) const {
  return step.next == kNone && automata_.event(state.stops[thread]).kind != EventKind::End;
}

std::vector<StateSearch::Searcher::Outcome> StateSearch::Searcher::outcomesOf(const Asked& asked,
                                                                              const JointState& state) {
  const StopId stop = state.stops[asked.thread];
  states_.observe(state, automata_.event(stop), observed_);
  const StateKey begin = ThreadAutomata::pointOf(stop, observed_);
  std::vector<Outcome> out;
  std::vector<uint64_t> picks;
  follow(asked, begin, state.conditions, picks, out);
  // What becomes of it is followed by terms only, and those stand for inputs here.
  if (!isOver() && states_.readsUnwritten(state, automata_.event(stop)))
    refuse("a value that was never written is read");
  if (isOver()) out.clear();
  return out;
}

void StateSearch::Searcher::follow(const Asked& asked, const StateKey& point, ConditionId conditions,
                                   std::vector<uint64_t>& picks, std::vector<Outcome>& out) {
  if (out.size() >= kMostWays) return refuse("a step that inputs lead on too many ways");
  if (conditions_.size() > kConditions + mostStates_ / kStatesPerCondition)
    return refuse("too many conditions of inputs", false);
  const StepPoint* known = automata_.find(point);
  if (!known) {
    std::vector<PathStep> path = pathTo(asked.number);
    path.insert(path.end(), asked.steps.begin(), asked.steps.end());
    path.push_back({asked.thread, numberOf(picks)});
    learn(follow(std::move(path), conditions, kRandomEvents));
    if (isOver()) return;
    known = automata_.find(point);
  }
  if (!known) return refuse("a run did not reach the step it was made for");
  switch (known->kind) {
    case StepPoint::Kind::Ends:
      out.push_back({conditions, &known->step, numberOf(picks)});
      break;
    case StepPoint::Kind::Forks:
      followTerm(asked, point, known->term, conditions, picks, out);
      break;
    case StepPoint::Kind::Picks:
      for (const uint64_t bit : {0, 1}) {
        if (isOver()) return;
        picks.push_back(bit);
        follow(asked, ThreadAutomata::pointAfter(point, bit), conditions, picks, out);
        picks.pop_back();
      }
      break;
  }
}

void StateSearch::Searcher::followTerm(const Asked& asked, const StateKey& point, Term term,
                                       ConditionId conditions, std::vector<uint64_t>& picks,
                                       std::vector<Outcome>& out) {
  std::optional<std::vector<uint64_t>> values;
  if (terms_.width(term) == 1)
    values = {0, 1};
  else
    values = conditions_.values(conditions, term, kMostValues, *budget_);
  if (!values && conditions_.problem().empty())
    return refuse("an address or a size with many values depends on inputs");
  for (const uint64_t value : values ? *values : std::vector<uint64_t>{}) {
    const std::optional<ConditionId> side = conditions_.with(conditions, term, value, *budget_);
    if (isOver()) return;
    if (side) follow(asked, ThreadAutomata::pointAfter(point, value), *side, picks, out);
  }
  if (!conditions_.problem().empty()) refuse(conditions_.problem(), !conditions_.mayGoOn());
}

uint32_t StateSearch::Searcher::numberOf(const std::vector<uint64_t>& picks) {
  if (picks.empty()) return kNoPicks;
  const auto [at, isNew] = pickNumbers_.try_emplace(picks, static_cast<uint32_t>(allPicks_.size()));
  if (isNew) allPicks_.push_back(picks);
  return at->second;
}

uint32_t StateSearch::Searcher::visitAfter(const JointState& state, const Event& event,
                                           const Outcome& outcome, uint32_t from) {
  // Most steps lead to states that are known, and states are large.
  if (const auto key = states_.keyAfter(state, event, *outcome.step, outcome.conditions))
    if (const std::optional<uint32_t> known = numbers_.find(*key)) return *known;
  const PathStep step[] = {{event.thread, outcome.picks}};
  return visit(states_.after(state, event, *outcome.step, outcome.conditions), from, step);
}

uint32_t StateSearch::Searcher::visit(JointState state, uint32_t from, std::span<const PathStep> steps) {
  const auto [number, isNew] = numbers_.insert(states_.key(state));
  if (isNew) {
    threads_ = std::max(threads_, static_cast<ThreadId>(state.stops.size()));
    origins_.push_back({from, steps_.size(), static_cast<uint32_t>(steps.size())});
    if (std::has_single_bit(origins_.size())) executionsAt_.push_back(result_.executions);
    steps_.insert(steps_.end(), steps.begin(), steps.end());
    known_.push_back(state.conditions);
    goOn_.push_back(0);
    waiting_.emplace_back(number, std::move(state));
  }
  return number;
}

std::vector<StateSearch::Searcher::PathStep> StateSearch::Searcher::pathTo(uint32_t number) const {
  std::vector<PathStep> path;
  for (uint32_t at = number; origins_[at].from != kNone; at = origins_[at].from) {
    const auto begin = steps_.begin() + static_cast<ptrdiff_t>(origins_[at].begin);
    path.insert(path.end(), std::reverse_iterator(begin + origins_[at].steps), std::reverse_iterator(begin));
  }
  std::reverse(path.begin(), path.end());
  return path;
}

Schedule StateSearch::Searcher::scheduleTo(uint32_t number) {
  return follow(pathTo(number), known_[number], 0).schedule;
}

RunResult StateSearch::Searcher::follow(std::vector<PathStep> path, ConditionId conditions,
                                        uint64_t randomEvents) {
  PathScheduler scheduler(*this, std::move(path), randomEvents, ++result_.executions);
  automata_.beginRun(conditions_.inputs(conditions));
  Machine machine({program_, names_, terms_, locations_}, options_, scheduler, automata_, *budget_);
  RunResult run = machine.run();
  budget_->spend(run.events + 1);
  return run;
}

void StateSearch::Searcher::learn(const RunResult& run) {
  if (run.outcome == RunOutcome::Relearned) {
    locations_.restart();
    isVoid_ = true;
    return;
  }
  for (const Failure& failure : run.failures)
    result_.failures.try_emplace({failure.kind, failure.place, failure.message}, run.schedule);
  result_.passedWakeupLimit |= run.passedWakeupLimit;
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

StateSearch::StateSearch(const Program& program, const StateSearchOptions& options)
    : searcher_(std::make_unique<Searcher>(program, options)) {}

StateSearch::~StateSearch() = default;

StateSearchResult StateSearch::run(uint64_t mostStates, const Budget& budget) {
  return searcher_->run(mostStates, budget);
}

}  // namespace heddle

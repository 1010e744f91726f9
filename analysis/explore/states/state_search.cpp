#include "analysis/explore/states/state_search.h"

#include <algorithm>
#include <bit>

#include "analysis/explore/states/state_searcher.h"
#include "analysis/support/in_parallel.h"

namespace heddle {

namespace {

constexpr uint64_t kRandomEvents = 1'000;  // that a run goes on after the step it was made for
// Of a size or an address that depends on inputs: each value is a way of its own. With more of them questions
// are the better means.
constexpr size_t kMostValues = 16;
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
    searcher_.automata_.beginStep(searcher_.learned_.allPicks[isOnPath ? path_[at_].picks : kNoPicks]);
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
      records_(names_),
      learned_{automata_, states_, conditions_, records_, names_},
      expanders_(std::max(1u, options.workers), Expander(learned_)),
      leastAhead_(options.leastAhead),
      turns_(std::max(1u, options.workers)) {
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
  budget_ = learned_.budget = &budget;
  result_.problem.clear();
  conditions_.forgetProblem();
  learned_.mostConditions = kConditions + mostStates_ / kStatesPerCondition;
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
  budget_ = learned_.budget = nullptr;
  return result_;
}

void StateSearch::Searcher::restart() {
  automata_.reset();
  records_.clear();
  learned_.allPicks.assign(1, {});
  learned_.pickNumbers = {{{}, kNoPicks}};
  learned_.guards.clear();
  isVoid_ = false;
  const uint64_t executions = result_.executions;
  result_ = {};
  result_.executions = executions;
  restartStates();
}

void StateSearch::Searcher::restartStates() {
  staleSince_ = kNotStale;
  // They are found again, on shorter ways.
  learned_.noted.clear();
  result_.races.clear();
  learned_.numbers.clear();
  for (Expander& expander : expanders_) expander.forget();
  origins_.clear();
  executionsAt_.clear();
  steps_.clear();
  known_.clear();
  edges_.clear();
  ends_.clear();
  circle_ = kNone;
  learned_.wantsCircle = true;
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

bool StateSearch::Searcher::mayGoOn() {
  budget_->spend();
  if (waiting_.front().number % 256 == 0 && budget_->check() != StopReason::None) refuse(kOutOfBudget, false);
  result_.isGrowing = isHopeless(waiting_.front().threads);
  if (origins_.size() > mostStates_ || result_.isGrowing) refuse("too many states", false);
  return result_.problem.empty();
}

bool StateSearch::Searcher::takeOver(Expansion& expansion) {
  const uint32_t number = waiting_.front().number;
  for (bool areRacesNoted = false;;) {
    const size_t contested = records_.contested();
    const bool isLacking = !expansion.isKnown();
    if (!isLacking && (!expansion.hasSections || areRacesNoted)) break;
    turns_.pause();  // something is learned
    unpack(waiting_.front().bytes, current_);
    if (isLacking) {
      learn(expansion.missing, number, current_);
    } else {
      noteRaces(number, current_);
      areRacesNoted = true;
    }
    if (isLacking && result_.problem.empty() && budget_->check() != StopReason::None)
      refuse(kOutOfBudget, false);
    if (isOver()) return false;
    if (isLacking || records_.contested() != contested) expanders_.front().expand(current_, expansion);
  }
  goOn_[number] |= expansion.goOn;
  if (expansion.isEnd) ends_.push_back(number);
  if (expansion.isCircle && circle_ == kNone) {
    turns_.pause();
    circle_ = number;
    learned_.wantsCircle = false;
  }
  result_.eagerSteps += expansion.eagerSteps;
  for (const Expansion::Child& child : expansion.children) {
    const uint32_t to = child.number != kNone
                            ? child.number
                            : visit({child.key, child.conditions, child.threads, expansion.bytesOf(child)},
                                    number, expansion.stepsOf(child));
    edges_.emplace_back(to, number);
  }
  return true;
}

/// What was visited before is incomplete. To go on for a while finds more of the kind, so that all of it
/// costs a small multiple of the last time.
bool StateSearch::Searcher::isTooStale() const {
  constexpr size_t kAtLeast = 1'000;
  return staleSince_ != kNotStale && origins_.size() > 2 * staleSince_ + kAtLeast;
}

/// A search in breadth that will end has few states ahead of it, compared with those behind.
bool StateSearch::Searcher::isHopeless(size_t threads) const {
  // To tell: with more threads a state costs more, and its breadth tells sooner.
  constexpr size_t kEnough = 10'000'000;
  const size_t all = threads + 1;
  return origins_.size() * all * all * all > kEnough && 3 * waiting_.size() > origins_.size();
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

void StateSearch::Searcher::learn(const Missing& missing, uint32_t number, const JointState& state) {
  switch (missing.kind) {
    case Missing::Kind::Nothing:
      return;
    case Missing::Kind::Step:
      return learnStep(missing, number);
    case Missing::Kind::Picks:
      numberOf(missing.picks);
      return;
    case Missing::Kind::Condition:
      conditions_.with(missing.conditions, missing.term, missing.value, *budget_);
      break;
    case Missing::Kind::Values:
      if (!conditions_.values(missing.conditions, missing.term, kMostValues, *budget_) &&
          conditions_.problem().empty())
        refuse("an address or a size with many values depends on inputs");
      break;
    case Missing::Kind::Guard:
      learnGuard(missing);
      break;
    case Missing::Kind::Start:
      automata_.startOf(missing.thread);
      return;
    case Missing::Kind::Record:
      return record(*missing.state, missing.thread);
    case Missing::Kind::Races:
      return noteRaces(number, state);
    case Missing::Kind::Refusal:
      return refuse(missing.why, missing.forGood);
  }
  if (!conditions_.problem().empty()) refuse(conditions_.problem(), !conditions_.mayGoOn());
}

void StateSearch::Searcher::learnStep(const Missing& missing, uint32_t number) {
  std::vector<PathStep> path = pathTo(number);
  path.insert(path.end(), missing.steps.begin(), missing.steps.end());
  path.push_back({missing.thread, numberOf(missing.picks)});
  learn(follow(std::move(path), missing.conditions, kRandomEvents));
  if (!isOver() && !automata_.find(missing.point)) refuse("a run did not reach the step it was made for");
}

void StateSearch::Searcher::learnGuard(const Missing& missing) {
  const JointState& state = *missing.state;
  const Event& event = *states_.pending(state, missing.thread);
  const Term guard = states_.guardOf(state, event);
  const auto yes = conditions_.with(state.conditions, guard, 1, *budget_);
  const auto no = conditions_.with(state.conditions, guard, 0, *budget_);
  if (conditions_.problem().empty()) learned_.guards[states_.guardKey(state, event)] = {yes, no};
}

bool StateSearch::Searcher::isEnabled(const JointState& state, const Event& event) {
  if (!states_.isEnabled(state, event)) return false;
  const Term guard = states_.guardOf(state, event);
  if (guard == kNoTerm) return true;
  const auto yes = conditions_.with(state.conditions, guard, 1, *budget_);
  if (yes && *yes != state.conditions) refuse("an atomic section in which a guard depends on inputs");
  return yes.has_value();
}

std::vector<StepOutcome> StateSearch::Searcher::outcomesOf(uint32_t number, const JointState& state,
                                                           ThreadId thread) {
  for (;;) {
    Missing missing;
    std::vector<StepOutcome> outcomes = expanders_.front().outcomesOf({{}, thread}, state, missing);
    if (missing.kind == Missing::Kind::Nothing) return outcomes;
    learn(missing, number, state);
    if (isOver()) return {};
  }
}

void StateSearch::Searcher::record(const JointState& state, ThreadId thread) {
  const Event& event = *states_.pending(state, thread);
  AccessRecord made =
      expanders_.front().recordOf(state, thread, records_.lockSet(Expander::locksOf(state, thread)));
  const Expander::Touch touch = Expander::touchOf(event.kind);
  made.changes = touch.changes;
  for (const LocationId cell : event.cells) {
    bool isNew = records_.add({touch.kind, cell}, made);
    if (event.kind == EventKind::LockBusy) isNew |= records_.add({Resource::Kind::Leaving, cell}, made);
    if (isNew) staleSince_ = std::min(staleSince_, origins_.size());
  }
}

uint32_t StateSearch::Searcher::numberOf(const std::vector<uint64_t>& picks) {
  if (picks.empty()) return kNoPicks;
  const auto [at, isNew] =
      learned_.pickNumbers.try_emplace(picks, static_cast<uint32_t>(learned_.allPicks.size()));
  if (isNew) learned_.allPicks.push_back(picks);
  return at->second;
}

uint32_t StateSearch::Searcher::visitAfter(const JointState& state, const Event& event,
                                           const StepOutcome& outcome, uint32_t from) {
  // Most steps lead to states that are known, and states are large.
  if (const auto key = states_.keyAfter(state, event, *outcome.step, outcome.conditions))
    if (const std::optional<uint32_t> known = learned_.numbers.find(*key)) return *known;
  const PathStep step[] = {{event.thread, outcome.picks}};
  return visit(states_.after(state, event, *outcome.step, outcome.conditions), from, step);
}

uint32_t StateSearch::Searcher::visit(const JointState& state, uint32_t from,
                                      std::span<const PathStep> steps) {
  packed_.clear();
  pack(state, packed_);
  return visit({states_.key(state), state.conditions, static_cast<ThreadId>(state.stops.size()), packed_},
               from, steps);
}

uint32_t StateSearch::Searcher::visit(const Visit& visited, uint32_t from, std::span<const PathStep> steps) {
  const auto [number, isNew] = learned_.numbers.insert(visited.key);
  if (isNew) {
    threads_ = std::max(threads_, visited.threads);
    origins_.push_back({from, steps_.size(), static_cast<uint32_t>(steps.size())});
    if (std::has_single_bit(origins_.size())) executionsAt_.push_back(result_.executions);
    steps_.insert(steps_.end(), steps.begin(), steps.end());
    known_.push_back(visited.conditions);
    goOn_.push_back(0);
    waiting_.push(number, visited.threads, visited.bytes);
  }
  return number;
}

std::vector<PathStep> StateSearch::Searcher::pathTo(uint32_t number) const {
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
  if (run.outcome == RunOutcome::OutOfBudget) refuse(kOutOfBudget, false);
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

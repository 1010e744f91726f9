#include "analysis/pipeline/search.h"

#include <algorithm>

#include "analysis/interp/schedulers/replay.h"
#include "analysis/pipeline/state_proof.h"

namespace heddle {

namespace {

bool isLimited(const Budget& budget) {
  return budget.deadline() || budget.stepLimit() != Budget::kUnlimitedSteps;
}

bool hasCut(const ExploreResult& result) {
  return std::any_of(result.bounds.begin(), result.bounds.end(),
                     [](const Bound& bound) { return isCut(bound.kind); });
}

void add(ExploreStats& to, const ExploreStats& more) {
  to.executions += more.executions;
  to.events += more.events;
  to.states += more.states;
  to.restarts += more.restarts;
  to.interpSeconds += more.interpSeconds;
  to.solver.queries += more.solver.queries;
  to.solver.sat += more.solver.sat;
  to.solver.unsat += more.solver.unsat;
  to.solver.unknown += more.solver.unknown;
  to.solver.seconds += more.solver.seconds;
}

/// What stopped an exploration within bounds: the reason why there is no verdict, unless there was one
/// before. Where Heddle itself went wrong, none holds.
void noteProblem(ExploreResult& best, const Problem& problem) {
  if (best.problem) return;
  if (best.complete && problem.kind != ProblemKind::Ours) return;
  best.problem = problem;
  best.complete = false;
}

}  // namespace

/// One exploration with what it is asked.
class Search::Exploration {
 public:
  Exploration(const Search& search, uint32_t rounds, bool cutsCounted)
      : search_(search),
        callbacks_(callbacks()),
        runner_(search.program_, bounded(search.options_.explore, rounds, cutsCounted),
                search.options_.everyAccessIsEvent, callbacks_),
        strategy_(runner_),
        races_(strategy_, [this](const Race& race) { noteRace(race); }),
        deadlocks_(strategy_,
                   [this](const Deadlock& deadlock) { search_.callbacks_.deadlock(runner_, deadlock); }),
        lostUpdates_(strategy_,
                     [this](const LostUpdate& lost) { search_.callbacks_.lostUpdate(runner_, lost); }),
        proof_(search.program_, search.options_.explore.entry, search.options_.everyAccessIsEvent) {}

  SearchResult run(const Budget& budget) {
    SearchResult result;
    const ExploreOptions& options = runner_.options();
    bool isProved = false;
    if (search_.options_.deepen && options.rounds == 0 && !options.fixedInputs)
      strategy_.setOtherProof(
          [&](bool takesLong) { return isProved = proof_.attempt(runner_, takesLong, budget); });
    // What the runs have shown already costs no question.
    if (search_.options_.races) strategy_.setBeforeQuestions([&] { races_.showObserved(budget); });
    strategy_.explore(budget, [&] {
      result.deadlocksDecided = search_.options_.deadlocks && deadlocks_.check(budget);
      result.racesDecided = search_.options_.races && races_.check(budget);
    });
    result.explored = runner_.result();
    restarts_ = runner_.result().stats.restarts;
    if (isProved && result.explored.complete) decideByProof(result, budget);
    if (result.racesDecided && isStillWhole()) races_.showKeptApart(budget);
    if (search_.options_.lostUpdates && isStillWhole() && strategy_.encoder().update(budget))
      lostUpdates_.check(budget);
    return result;
  }

  Runner& runner() { return runner_; }

 private:
  static ExploreOptions bounded(ExploreOptions options, uint32_t rounds, bool cutsCounted) {
    options.rounds = rounds;
    options.cutsCounted = cutsCounted;
    return options;
  }

  /// No run since the exploration has taught that more is shared: then the forest begins again, and the
  /// formula does not.
  bool isStillWhole() { return runner_.forest().size() != 0 && runner_.result().stats.restarts == restarts_; }

  void noteRace(const Race& race) {
    const Forest& forest = runner_.forest();
    shown_.insert(std::minmax(forest[race.first].place, forest[race.second].place));
    search_.callbacks_.race(runner_, race);
  }

  /// False when one of them could not be shown.
  bool showRaces(const Budget& budget) {
    for (const auto& [places, schedule] : proof_.races())
      while (!shown_.contains(places) && budget.check() == StopReason::None) {
        const uint64_t restarts = runner_.result().stats.restarts;
        races_.show(schedule, budget);
        // A run that teaches what more is shared ends there; the next one goes on.
        if (runner_.result().stats.restarts == restarts) break;
      }
    return std::all_of(proof_.races().begin(), proof_.races().end(),
                       [&](const auto& race) { return shown_.contains(race.first); });
  }

  /// Executes the schedule and goes on until nobody can; the run's callbacks report what it shows.
  void showStuck(const Schedule& schedule, const Budget& budget) {
    uint64_t restarts = 0;
    do {
      restarts = runner_.result().stats.restarts;
      ReplayScheduler scheduler(runner_.names(), schedule);
      ModelInputs none;
      runner_.run(scheduler, none, budget);
    } while (runner_.result().stats.restarts != restarts && budget.check() == StopReason::None);
  }

  void decideByProof(SearchResult& result, const Budget& budget) {
    result.deadlocksDecided = search_.options_.deadlocks && proof_.neverStuck();
    result.racesDecided = search_.options_.races && showRaces(budget);
    if (search_.options_.deadlocks && proof_.stuck()) showStuck(*proof_.stuck(), budget);
    // The proof says that there are stuck states; the questions show more of them. The runs that showed
    // failures and races may have added to the forest what the formula does not know yet.
    if (!search_.options_.deadlocks || result.deadlocksDecided || !isStillWhole()) return;
    if (strategy_.encoder().update(budget)) deadlocks_.check(budget);
  }

  ExploreCallbacks callbacks() {
    ExploreCallbacks callbacks;
    callbacks.witness = [this](const Witness& witness) { search_.callbacks_.witness(runner_, witness); };
    callbacks.progress = search_.callbacks_.progress;
    if (search_.options_.deadlocks)
      callbacks.stuck = [this](const StuckRun& run) { deadlocks_.observed(run); };
    callbacks.merged = [this] {
      if (search_.options_.races) races_.observed();
      if (search_.callbacks_.ran) search_.callbacks_.ran(runner_);
    };
    return callbacks;
  }

  const Search& search_;
  const ExploreCallbacks callbacks_;
  Runner runner_;
  ForestStrategy strategy_;
  RaceDetector races_;
  DeadlockDetector deadlocks_;
  AtomicityDetector lostUpdates_;
  StateProof proof_;
  uint64_t restarts_ = 0;                        // of the runner when the exploration was done
  std::set<std::pair<PlaceId, PlaceId>> shown_;  // races that were reported
};

Search::Search(const Program& program, SearchOptions options, SearchCallbacks callbacks)
    : program_(program),
      options_(std::move(options)),
      callbacks_(noted(std::move(callbacks))),
      first_(std::make_unique<Exploration>(*this, 0, false)) {}

Search::~Search() = default;

SearchCallbacks Search::noted(SearchCallbacks callbacks) {
  const auto note = [this](auto inner) {
    return [this, inner = std::move(inner)](Runner& runner, const auto& found) {
      hasFound_ = true;
      if (inner) inner(runner, found);
    };
  };
  return {note(std::move(callbacks.witness)),  note(std::move(callbacks.race)),
          note(std::move(callbacks.deadlock)), std::move(callbacks.lostUpdate),
          std::move(callbacks.progress),       std::move(callbacks.ran)};
}

Runner& Search::runner() {
  return first_->runner();
}

SearchResult Search::run(const Budget& budget) {
  constexpr double kWithoutBounds = 0.4;
  if (!options_.deepen || !isLimited(budget)) return first_->run(budget);
  const Budget part = budget.part(kWithoutBounds);
  SearchResult first = first_->run(part);
  const bool askedForMore = first.explored.complete && ((options_.races && !first.racesDecided) ||
                                                        (options_.deadlocks && !first.deadlocksDecided));
  const StopReason stop = askedForMore ? part.check() : first.explored.stop;
  const bool isSpent = stop == StopReason::Deadline || stop == StopReason::Steps;
  if (!isSpent || !first.explored.unsupported.empty()) return first;
  return deepened(std::move(first), budget);
}

SearchResult Search::deepened(SearchResult first, const Budget& budget) {
  constexpr uint32_t kMostRounds = 1 << 11;
  constexpr double kNotForExplanations = 0.75;
  // Where loops that count are too long to be executed in full, cutting them still finds bugs.
  constexpr double kForCounted = 0.5;
  SearchResult best = std::move(first);
  bool cutsCounted = false;
  for (uint32_t rounds = 2; rounds <= kMostRounds && budget.check() == StopReason::None;) {
    Exploration exploration(*this, rounds, cutsCounted);
    const double share = options_.leavesTime && hasFound_ ? kNotForExplanations : 1;
    const Budget part = budget.part(rounds == 2 && !cutsCounted ? share * kForCounted : share);
    SearchResult within = exploration.run(part);
    const bool isDecided = within.explored.complete && (within.racesDecided || !options_.races) &&
                           (within.deadlocksDecided || !options_.deadlocks);
    ExploreStats stats = best.explored.stats;
    add(stats, within.explored.stats);
    if (within.explored.problem) noteProblem(best.explored, within.explored.problem);
    const bool isSpent = part.check() != StopReason::None && budget.check() == StopReason::None;
    if (!isDecided && !cutsCounted && rounds == 2 && isSpent) {
      best.explored.stats = stats;
      cutsCounted = true;
      continue;
    }
    if (isDecided) {
      stats.openLeaves = within.explored.stats.openLeaves;
      const uint64_t paths = std::max(best.explored.paths, within.explored.paths);
      best = std::move(within);
      best.explored.paths = paths;
    }
    best.explored.stats = stats;
    if (!isDecided || !hasCut(best.explored)) break;
    rounds *= 2;
  }
  return best;
}

}  // namespace heddle

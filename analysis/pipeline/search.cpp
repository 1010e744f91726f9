#include "analysis/pipeline/search.h"

#include <algorithm>

#include "analysis/pipeline/reach_report.h"
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
  to.rounds = std::max(to.rounds, more.rounds);
  to.interpSeconds += more.interpSeconds;
  to.solver += more.solver;
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
  Exploration(Search& search, uint32_t rounds, bool cutsCounted, bool inputsFirst = false)
      : search_(search),
        callbacks_(callbacks()),
        runner_(search.program_, bounded(search.options_.explore, rounds, cutsCounted, inputsFirst),
                search.options_.everyAccessIsEvent, callbacks_),
        strategy_(runner_),
        proof_(search.program_, search.options_.explore.entry, search.options_.everyAccessIsEvent,
               search.options_.expectedStates) {
    const DetectorContext context{search.program_, strategy_, search.options_.text,
                                  search.callbacks_.detected};
    for (const DetectorKind& kind : detectorKinds())
      if (kind.isWanted(search.options_.properties)) detectors_.push_back({&kind, kind.make(context)});
  }

  SearchResult run(const Budget& budget) {
    SearchResult result;
    const ExploreOptions& options = runner_.options();
    bool isProved = false;
    if (search_.options_.deepen && options.rounds == 0 && !options.fixedInputs)
      strategy_.setOtherProof([&](bool takesLong) {
        // Then all is executed once more, within bounds.
        isProvedInLoops_ = (isEarlyForLoops() && search_.proveLoopsEarly()) ||
                           (isTimeForLoops(takesLong) && search_.proveLoops());
        if (!isProvedInLoops_) isProved = proof_.attempt(runner_, takesLong, budget);
        return isProved || isProvedInLoops_;
      });
    strategy_.setBeforeQuestions([&] {
      for (const Entry& entry : detectors_) entry.detector->beforeQuestions(budget);
    });
    strategy_.explore(budget,
                      [&] { decide(result, [&](Detector& detector) { return detector.check(budget); }); });
    result.explored = runner_.result();
    timesEmptied_ = runner_.timesEmptied();
    if (isProved && result.explored.complete)
      decide(result, [&](Detector& detector) { return detector.decideByStates(proof_.states(), budget); });
    for (const Entry& entry : detectors_) entry.detector->afterwards([&] { return isStillWhole(); }, budget);
    return result;
  }

  Runner& runner() { return runner_; }
  bool isProvedInLoops() const { return isProvedInLoops_; }

 private:
  bool isTimeForLoops(bool takesLong) {
    const Tuning& tuning = search_.budget_->tuning();
    const ExploreStats& stats = runner_.result().stats;
    return !search_.hasFound_ && stats.rounds >= tuning.invariantRounds &&
           (takesLong || stats.solver.queries >= tuning.invariantQuestions);
  }
  /// Joint states are due before the first question, and visiting them may take longer than a simple proof.
  bool isEarlyForLoops() {
    return runner_.forest().size() >= search_.budget_->tuning().largeForest && isTimeForLoops(true);
  }
  struct Entry {
    const DetectorKind* kind;
    std::unique_ptr<Detector> detector;
  };

  static ExploreOptions bounded(ExploreOptions options, uint32_t rounds, bool cutsCounted, bool inputsFirst) {
    options.rounds = rounds;
    options.cutsCounted = cutsCounted;
    options.inputsFirst = inputsFirst;
    if (inputsFirst) options.mergePaths = false;
    return options;
  }

  template <typename Ask>
  void decide(SearchResult& result, Ask&& ask) {
    result.decided.clear();
    for (const Entry& entry : detectors_)
      if (ask(*entry.detector))
        result.decided.insert(entry.kind->properties.begin(), entry.kind->properties.end());
  }

  /// No run has emptied the forest since the exploration: then it begins again, and the formula does not.
  bool isStillWhole() { return runner_.forest().size() != 0 && runner_.timesEmptied() == timesEmptied_; }

  ExploreCallbacks callbacks() {
    ExploreCallbacks callbacks;
    callbacks.witness = [this](const Witness& witness) { search_.callbacks_.witness(runner_, witness); };
    callbacks.progress = search_.callbacks_.progress;
    callbacks.stuck = [this](const StuckRun& run) {
      for (const Entry& entry : detectors_) entry.detector->stuck(run);
    };
    callbacks.merged = [this] {
      for (const Entry& entry : detectors_) entry.detector->merged();
      if (search_.callbacks_.ran) search_.callbacks_.ran(runner_);
    };
    return callbacks;
  }

  Search& search_;
  const ExploreCallbacks callbacks_;
  Runner runner_;
  ForestStrategy strategy_;
  std::vector<Entry> detectors_;
  StateProof proof_;
  bool isProvedInLoops_ = false;
  uint64_t timesEmptied_ = 0;  // of the runner when the exploration was done
};

Search::Search(const Program& program, SearchOptions options, SearchCallbacks callbacks)
    : program_(program),
      options_(std::move(options)),
      callbacks_(noted(std::move(callbacks))),
      first_(std::make_unique<Exploration>(*this, 0, false, isCallAlone())) {}

Search::~Search() = default;

SearchCallbacks Search::noted(SearchCallbacks callbacks) {
  auto witness = [this, inner = std::move(callbacks.witness)](Runner& runner, const Witness& found) {
    hasFound_ = true;
    if (inner) inner(runner, found);
  };
  auto detected = [this, inner = std::move(callbacks.detected)](Detection found) {
    hasFound_ |= !infoOf(found.finding.kind).isWarning;
    if (inner) inner(std::move(found));
  };
  return {std::move(witness), std::move(detected), std::move(callbacks.progress), std::move(callbacks.ran)};
}

bool Search::isDecided(const SearchResult& result) const {
  const auto kinds = detectorKinds();
  return std::all_of(kinds.begin(), kinds.end(), [&](const DetectorKind& kind) {
    return kind.isWarning() || !kind.isWanted(options_.properties) || kind.isWanted(result.decided);
  });
}

bool Search::isCallAlone() const {
  return program_.environment.callersFit && options_.deepen && options_.explore.mergePaths;
}

Runner& Search::runner() {
  return first_->runner();
}

SearchResult Search::run(const Budget& budget) {
  budget_ = &budget;
  if (!options_.deepen) return first_->run(budget);
  const auto share = options_.expectedStates != 0      ? &Tuning::withoutBoundsIfExpected
                     : program_.environment.callersFit ? &Tuning::withoutBoundsAlone
                                                       : &Tuning::withoutBounds;
  const Budget part = isLimited(budget) ? budget.part(share) : budget;
  SearchResult first = first_->run(part);
  // The proof has ended the exploration, which is not complete by itself.
  if (first_->isProvedInLoops()) {
    first.explored.complete = false;
    first.explored.stop = part.check();
    return deepened(std::move(first), budget);
  }
  const bool askedForMore = first.explored.complete && !isDecided(first);
  const StopReason stop = askedForMore ? part.check() : first.explored.stop;
  const bool isSpent = stop == StopReason::Deadline || stop == StopReason::Steps;
  if (!isSpent || !first.explored.unsupported.empty()) return first;
  return deepened(std::move(first), budget);
}

InvariantProof Search::proofByInvariants(InvariantEffort effort) const {
  std::set<Property> asked;
  for (const Property property : options_.properties)
    if (!infoOf(property).isWarning) asked.insert(property);
  return proveByInvariants(program_, options_.explore.entry, asked, options_.explore.solver,
                           budget_->part(&Tuning::invariants), effort);
}

bool Search::proveLoops() {
  if (!proof_) proof_ = proofByInvariants(InvariantEffort::All);
  return !proof_->proven.empty();
}

bool Search::proveLoopsEarly() {
  if (proof_ || hasTriedEarly_) return false;
  hasTriedEarly_ = true;
  InvariantProof proof = proofByInvariants(InvariantEffort::Least);
  if (proof.proven.empty()) return false;
  proof_ = std::move(proof);
  return true;
}

bool Search::liftBounds(ExploreResult& explored) {
  const bool isOther = hasFound_ || !explored.witnesses.empty() || !explored.assumptions.empty() ||
                       !explored.misuseBounds.empty() ||
                       !std::all_of(explored.bounds.begin(), explored.bounds.end(),
                                    [](const Bound& bound) { return isCutInLoops(bound.kind); });
  if (isOther || !proveLoops()) return false;
  // What no execution has come to, nobody has seen to be as it is meant.
  const ReachLog* const reach = options_.explore.reach;
  if (reach && !essentialUnreached(describeReach(program_, options_.explore.entry, *reach)).empty())
    return false;
  explored.bounds.clear();
  explored.provedLocations = proof_->locations;
  return true;
}

SearchResult Search::deepened(SearchResult first, const Budget& budget) {
  const Tuning& tuning = budget.tuning();
  SearchResult best = std::move(first);
  bool cutsCounted = false;
  // With more threads than one, inputs alone do not tell the way.
  bool inputsFirst = isCallAlone() && first_->runner().names().threadCount() <= 1;
  for (uint32_t rounds = 2; rounds <= tuning.mostRounds && budget.check() == StopReason::None;) {
    Exploration exploration(*this, rounds, cutsCounted, inputsFirst);
    const double share = inputsFirst                        ? tuning.inputsAlone
                         : options_.leavesTime && hasFound_ ? tuning.onceFound
                                                            : 1;
    // Where loops that count are too long to be executed in full, cutting them still finds bugs.
    const Budget part = budget.part(rounds == 2 && !cutsCounted ? share * tuning.countedLoops : share);
    SearchResult within = exploration.run(part);
    const bool isWhole = within.explored.complete && isDecided(within);
    ExploreStats stats = best.explored.stats;
    add(stats, within.explored.stats);
    if (within.explored.problem) noteProblem(best.explored, within.explored.problem);
    const bool isSpent = part.check() != StopReason::None && budget.check() == StopReason::None;
    if (!isWhole && inputsFirst && isSpent) {
      best.explored.stats = stats;
      inputsFirst = false;
      continue;
    }
    if (!isWhole && !cutsCounted && rounds == 2 && isSpent) {
      best.explored.stats = stats;
      cutsCounted = true;
      continue;
    }
    if (isWhole) {
      stats.openLeaves = within.explored.stats.openLeaves;
      const uint64_t paths = std::max(best.explored.paths, within.explored.paths);
      best = std::move(within);
      best.explored.paths = paths;
    }
    best.explored.stats = stats;
    if (!isWhole || !hasCut(best.explored)) break;
    if (liftBounds(best.explored)) break;
    rounds *= 2;
  }
  return best;
}

}  // namespace heddle

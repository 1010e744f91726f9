#include "analysis/pipeline/state_proof.h"

#include <algorithm>
#include <array>

#include "analysis/interp/schedulers/replay.h"

namespace heddle {

namespace {

struct Attempt {
  uint64_t queries;     // that the solver has answered
  uint64_t mostStates;  // about a microsecond each
};
constexpr size_t kMostAttempts = 4;

std::array<Attempt, kMostAttempts> attemptsOf(const Tuning& tuning) {
  return {{{tuning.stateQuestions1, tuning.states1},
           {tuning.stateQuestions2, tuning.states2},
           {tuning.stateQuestions3, tuning.states3},
           {tuning.stateQuestions4, tuning.states4}}};
}

}  // namespace

StateProof::StateProof(const Program& program, FunctionId entry, bool everyAccessIsEvent, uint64_t expected)
    : program_(program), entry_(entry), everyAccessIsEvent_(everyAccessIsEvent), expected_(expected) {}

bool StateProof::showFailures(Runner& runner, const Budget& budget) const {
  const uint64_t emptied = runner.timesEmptied();
  for (const auto& found : searched_.failures) {
    const auto isShown = [&] {
      const std::vector<Witness>& witnesses = runner.result().witnesses;
      return std::any_of(witnesses.begin(), witnesses.end(), [&](const Witness& witness) {
        const Failure& shown = witness.failure;
        return found.first == std::tuple(shown.kind, shown.place, shown.message);
      });
    };
    if (isShown()) continue;
    ReplayScheduler scheduler(runner.names(), found.second);
    FixedInputs inputs(runner.names(), found.second.inputs, true);
    runner.run(scheduler, inputs, budget);
    if (!isShown() || runner.timesEmptied() != emptied) return false;
  }
  return true;
}

void StateProof::search(Runner& runner, const Budget& budget) {
  ExploreResult& explored = runner.result();
  const Budget part = budget.part(expected_ != 0 ? &Tuning::statesIfExpected : &Tuning::states);
  const bool isLimited = budget.memoryLimit() != 0 || budget.hasMemoryFlag();
  uint64_t mostStates = attemptsOf(budget.tuning())[attempts_].mostStates;
  if (isLimited) mostStates = std::min(mostStates, budget.tuning().statesWithMemoryLimit);
  const uint64_t executionsBefore = search_ ? searched_.executions : 0;
  if (!search_)
    search_ = std::make_unique<StateSearch>(
        program_, StateSearchOptions{entry_, everyAccessIsEvent_, nullptr, runner.options().reach,
                                     limitsWakeups_, &runner.names(), &runner.locations(),
                                     std::max(1u, runner.options().team.threads)});
  searched_ = search_->run(mostStates, part);
  ++attempts_;
  explored.stats.states = searched_.states;
  explored.stats.executions += searched_.executions - executionsBefore;
  isRefused_ = searched_.refused;
  if (isLimited || isRefused_ || searched_.complete || attempts_ == kMostAttempts) search_.reset();
}

bool StateProof::limitWakeups(const Tuning& tuning) {
  const bool isEnough = searched_.isGrowing || searched_.refused || attempts_ >= tuning.attemptsWithWakeups;
  if (limitsWakeups_ || !searched_.passedWakeupLimit || (!searched_.complete && !isEnough)) return false;
  limitsWakeups_ = true;
  isRefused_ = false;
  searched_ = {};
  search_.reset();
  --attempts_;
  return true;
}

bool StateProof::attempt(Runner& runner, bool takesLong, const Budget& budget) {
  const uint64_t emptied = runner.timesEmptied();
  bool isRetry = false;
  const Tuning& tuning = budget.tuning();
  const auto attempts = attemptsOf(tuning);
  if (attempts_ == 0)
    while (attempts_ + 1 < kMostAttempts &&
           attempts[attempts_].mostStates < tuning.roomForPatches * expected_)
      ++attempts_;
  do {
    if (isRefused_ || attempts_ == kMostAttempts) return false;
    const bool isLarge = attempts_ == 0 && runner.forest().size() >= tuning.largeForest;
    const uint64_t least = runner.usedInputs() ? tuning.stateQuestionsWithInputs : 0;
    const uint64_t due = expected_ != 0 ? 0 : std::max(least, attempts[attempts_].queries);
    if (runner.result().stats.solver.queries < due && !isLarge && !takesLong && !isClosing_ && !isRetry)
      return false;
    search(runner, budget);
    const bool isShown = showFailures(runner, budget);
    if (runner.timesEmptied() != emptied) return false;
    isRetry = (!isShown || !searched_.complete) && limitWakeups(tuning);
    if (!isShown && !isRetry) return false;
    isClosing_ = searched_.isClosing && !searched_.refused;
  } while ((takesLong || isClosing_ || isRetry) && !searched_.complete && !searched_.isGrowing &&
           budget.check() == StopReason::None);
  if (!searched_.complete) return false;
  ExploreResult& explored = runner.result();
  // It has visited what lies behind the cuts of single executions.
  std::erase_if(explored.bounds, [&](const Bound& bound) {
    return isCut(bound.kind) || (bound.kind == BoundKind::SpuriousWakeups && !limitsWakeups_);
  });
  explored.bounds.insert(searched_.bounds.begin(), searched_.bounds.end());
  explored.misuseBounds.insert(searched_.misuseBounds.begin(), searched_.misuseBounds.end());
  explored.assumptions.insert(searched_.assumptions.begin(), searched_.assumptions.end());
  return true;
}

}  // namespace heddle

#include "analysis/explore/weak/weak_search.h"

#include <algorithm>

#include "analysis/explore/run/exploration.h"
#include "analysis/explore/weak/decision_tree.h"
#include "analysis/interp/weak/graph_model.h"

namespace heddle {

namespace {

class WeakSearch : public EventSink {
 public:
  WeakSearch(const Program& program, const WeakOptions& options, const Budget& budget,
             const std::function<void(const WeakWitness&)>& found)
      : program_(program),
        options_(options),
        budget_(budget),
        found_(found),
        names_(program.pointerBits()),
        tree_(names_, terms_, options.model, budget, options.readsFirst) {
    if (options.inputs) fixed_.emplace(names_, *options.inputs);
  }

  WeakResult run() {
    MachineOptions machineOptions;
    machineOptions.entry = options_.entry;
    machineOptions.unroll = options_.unroll;
    machineOptions.maxEvents = options_.maxRunEvents;
    machineOptions.recordTrace = false;
    machineOptions.finals = options_.finals;
    machineOptions.reach = options_.reach;
    for (bool begins = true; begins || (!isOver() && tree_.advance());) {
      begins = false;
      GraphModel model(options_.model, names_, locations_);
      model.setOnRace([this](const Event& before, const Event& last) { race(before, last); });
      tree_.beginRun(model);
      machineOptions.memoryModel = &model;
      Machine machine({program_, names_, terms_, locations_}, machineOptions, tree_, *this, budget_);
      const RunResult result = machine.run();
      ++result_.runs;
      result_.events += result.events;
      const std::vector<RaceSeen> races = std::move(racesOfRun_);
      racesOfRun_.clear();
      if (result.outcome == RunOutcome::Relearned) {
        locations_.restart();
        tree_.restart();
        result_.outcomes.clear();
        result_.bounds.clear();
        result_.assumptions.clear();
        result_.executions = 0;
        ended_.clear();
        result_.stop = budget_.check();
        begins = !isOver();  // nothing of what was decided holds: it begins again
      } else {
        const bool isWhole = result.outcome == RunOutcome::Quiescent && result.blocked.empty() &&
                             !result.processExited && result.failures.empty();
        tree_.endRun(isWhole);
        for (const RaceSeen& race : races) take(race);
        take(result, model.key());
      }
    }
    result_.graphs = tree_.visited();
    result_.complete = !isOver();
    return std::move(result_);
  }

  Value input(const InputRequest& request) override {
    if (!fixed_) return tree_.input(request);
    const uint64_t bits = fixed_->value(request, kNone) & widthMask(request.width);
    tree_.note(request, bits);
    return {bits, kNoTerm};
  }

  void branch(const BranchInfo& info) override {
    tree_.fork(info.thread, info.condition, info.taken ? 1 : 0);
  }
  void choice(ThreadId thread, PlaceId, Term term, uint64_t bits) override { tree_.fork(thread, term, bits); }

  void failure(const Failure& failure) override {
    if (!failures_.insert({failure.kind, failure.place, failure.message}).second) return;
    show(WeakKind::Failure, &failure, tree_.schedule());
  }

 private:
  bool isOver() const {
    return result_.stop != StopReason::None || result_.problem || !result_.unsupported.empty();
  }

  /// What the model has seen in a run; void if the run teaches what is shared.
  struct RaceSeen {
    std::pair<PlaceId, PlaceId> places;
    PlaceId last = kNone;
    Schedule schedule;
  };

  void show(WeakKind kind, const Failure* failure, const Schedule& schedule) {
    WeakWitness witness;
    witness.kind = kind;
    if (failure) witness.failure = *failure;
    witness.schedule = schedule;
    found_(witness);
  }

  void race(const Event& before, const Event& last) {
    const std::pair<PlaceId, PlaceId> places = std::minmax(before.place, last.place);
    if (!races_.contains(places)) racesOfRun_.push_back({places, last.place, tree_.schedule()});
  }

  void take(const RaceSeen& race) {
    if (!races_.insert(race.places).second) return;
    result_.assumptions.insert({race.last, "after a data race, memory is as the latest write left it"});
    show(WeakKind::Race, nullptr, race.schedule);
  }

  void take(const RunResult& result, const StateKey& graph) {
    result_.bounds.insert(result.bounds.begin(), result.bounds.end());
    result_.misuseBounds.insert(result.misuseBounds.begin(), result.misuseBounds.end());
    result_.assumptions.insert(result.assumptions.begin(), result.assumptions.end());
    result_.stop = budget_.check();
    if (!tree_.problem().empty() && result_.stop == StopReason::None && !result_.problem)
      result_.problem = {ProblemKind::Strategy, tree_.problem()};
    switch (result.outcome) {
      case RunOutcome::Unsupported:
        result_.unsupported = result.unsupported;
        result_.unsupportedPlace = result.unsupportedPlace;
        return;
      case RunOutcome::OutOfBudget:
        if (result_.stop == StopReason::None)
          result_.bounds.insert({BoundKind::RunEvents, kNone, options_.maxRunEvents});
        return;
      case RunOutcome::Quiescent:
        break;
      default:
        return;
    }
    // Other orders of its steps are the same execution.
    if (ended_.insert(graph).second) ++result_.executions;
    if (!result.finals.empty()) result_.outcomes.try_emplace(result.finals, tree_.schedule());
    if (!result.stuck) return;
    std::set<PlaceId> waiting;
    for (const Event& event : result.blocked) waiting.insert(event.place);
    if (stuck_.insert(waiting).second) show(WeakKind::Stuck, nullptr, tree_.schedule());
  }

  const Program& program_;
  const WeakOptions& options_;
  const Budget& budget_;
  const std::function<void(const WeakWitness&)>& found_;
  Names names_;
  Locations locations_;
  TermTable terms_;  // one for all runs: what they have in common has one name
  DecisionTree tree_;
  std::optional<FixedInputs> fixed_;
  WeakResult result_;
  std::set<std::tuple<FailureKind, PlaceId, std::string>> failures_;
  std::set<std::pair<PlaceId, PlaceId>> races_;
  std::vector<RaceSeen> racesOfRun_;
  std::set<std::set<PlaceId>> stuck_;
  std::set<StateKey> ended_;  // graphs of executions that ended
};

}  // namespace

WeakResult searchWeakly(const Program& program, const WeakOptions& options, const Budget& budget,
                        const std::function<void(const WeakWitness&)>& found) {
  return WeakSearch(program, options, budget, found).run();
}

}  // namespace heddle

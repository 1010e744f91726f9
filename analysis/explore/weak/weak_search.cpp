#include "analysis/explore/weak/weak_search.h"

#include <algorithm>

#include "analysis/interp/weak/graph_model.h"

namespace heddle {

namespace {

/// A decision of the search: which of several ways comes next.
struct Decision {
  std::vector<ThreadId> threads;  // of a step; empty: of a choice
  size_t ways = 0;
  size_t at = 0;
};

/// Walks all decisions depth first, one run after the other.
class DecisionTree : public Scheduler {
 public:
  DecisionTree(const Names& names, MemoryModelKind kind) : names_(names), kind_(kind) {}

  void beginRun(const GraphModel& model) {
    model_ = &model;
    depth_ = 0;
    schedule_ = {};
    schedule_.model = kind_;
    covered_.clear();
  }
  /// Moves to the next way; false when there is none.
  bool advance() {
    while (!decisions_.empty() && ++decisions_.back().at == decisions_.back().ways) decisions_.pop_back();
    return !decisions_.empty();
  }
  void restart() {
    decisions_.clear();
    visited_.clear();
  }
  /// Of the run, up to the event that is executed.
  const Schedule& schedule() const { return schedule_; }
  size_t visited() const { return visited_.size(); }

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override {
    for (const Event* event : enabled)
      if (commutes(*event)) return take(*event);
    if (depth_ == decisions_.size()) {
      if (!visited_.insert(model_->key()).second) return std::nullopt;
      Decision decision;
      for (const Event* event : enabled) decision.threads.push_back(event->thread);
      decision.ways = decision.threads.size();
      decisions_.push_back(std::move(decision));
    }
    const Decision& decision = decisions_[depth_++];
    for (const Event* event : enabled)
      if (event->thread == decision.threads[decision.at]) return take(*event);
    return std::nullopt;
  }

  size_t choose(const Event& event, std::span<const WriteChoice> writes) override {
    if (writes.size() == 1) return 0;
    const size_t at = way(writes.size());
    if (at == 0) return 0;
    const WriteChoice& write = writes[at];
    const std::string source = write.thread == kNone ? "" : names_.label(write.thread);
    schedule_.writes[{names_.label(event.thread), event.operation}] = {source, write.operation};
    return at;
  }

  /// Of `ways`, the one that is next.
  size_t way(size_t ways) {
    if (depth_ == decisions_.size()) decisions_.push_back({{}, ways, 0});
    return decisions_[depth_++].at;
  }
  void input(const std::string& label, int64_t value) { schedule_.inputs[label].push_back(value); }

 private:
  bool commutes(const Event& event) const {
    switch (event.kind) {
      case EventKind::Start:
      case EventKind::End:
      case EventKind::Create:
      case EventKind::Join:
        return true;
      case EventKind::Read:
      case EventKind::Write:
        return kind_ == MemoryModelKind::C11 && !event.atomic && !event.rule && event.section == 0 &&
               model_->isOfProgram(event);
      default:
        return false;
    }
  }

  ThreadId take(const Event& event) {
    uint64_t& covered = covered_[event.thread];
    const uint64_t added = event.operation - covered;
    covered = event.operation;
    const std::string label = names_.label(event.thread);
    if (!schedule_.segments.empty() && schedule_.segments.back().thread == label)
      schedule_.segments.back().operations += added;
    else
      schedule_.segments.push_back({label, added});
    return event.thread;
  }

  const Names& names_;
  const MemoryModelKind kind_;
  const GraphModel* model_ = nullptr;
  std::vector<Decision> decisions_;
  size_t depth_ = 0;
  std::set<StateKey> visited_;
  Schedule schedule_;
  std::map<ThreadId, uint64_t> covered_;
};

class WeakSearch : public EventSink {
 public:
  WeakSearch(const Program& program, const WeakOptions& options, const Budget& budget,
             const std::function<void(const WeakWitness&)>& found)
      : program_(program),
        options_(options),
        budget_(budget),
        found_(found),
        names_(program.pointerBits()),
        tree_(names_, options.model) {}

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
      TermTable terms;
      Machine machine({program_, names_, terms, locations_}, machineOptions, tree_, *this, budget_);
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
        result_.stop = budget_.check();
        begins = !isOver();  // nothing of what was decided holds: it begins again
      } else {
        for (const RaceSeen& race : races) take(race);
        take(result);
      }
    }
    result_.graphs = tree_.visited();
    result_.complete = !isOver();
    return std::move(result_);
  }

  Value input(const InputRequest& request) override {
    if (request.width != 1) {
      if (!result_.problem)
        result_.problem = {ProblemKind::Strategy,
                           "an input at " + program_.shortPlace(request.place) +
                               ": weak memory is explored for inputs that are yes or no"};
      return {};
    }
    const size_t bits = tree_.way(2);
    tree_.input(inputLabel(names_.label(request.thread), request.memoryOperation),
                static_cast<int64_t>(bits));
    return {bits, kNoTerm};
  }

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

  void take(const RunResult& result) {
    result_.bounds.insert(result.bounds.begin(), result.bounds.end());
    result_.misuseBounds.insert(result.misuseBounds.begin(), result.misuseBounds.end());
    result_.assumptions.insert(result.assumptions.begin(), result.assumptions.end());
    result_.stop = budget_.check();
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
    ++result_.executions;
    if (!options_.finals.empty()) result_.outcomes.try_emplace(result.finals, tree_.schedule());
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
  DecisionTree tree_;
  WeakResult result_;
  std::set<std::tuple<FailureKind, PlaceId, std::string>> failures_;
  std::set<std::pair<PlaceId, PlaceId>> races_;
  std::vector<RaceSeen> racesOfRun_;
  std::set<std::set<PlaceId>> stuck_;
};

}  // namespace

WeakResult searchWeakly(const Program& program, const WeakOptions& options, const Budget& budget,
                        const std::function<void(const WeakWitness&)>& found) {
  return WeakSearch(program, options, budget, found).run();
}

}  // namespace heddle

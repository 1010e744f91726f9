#include "analysis/debug/time_travel.h"

#include <algorithm>
#include <utility>

#include "analysis/detect/failure_finding.h"
#include "analysis/interp/schedulers/replay.h"
#include "analysis/interp/weak/graph_model.h"
#include "analysis/pipeline/replay_run.h"
#include "analysis/pipeline/schedule_inputs.h"

namespace heddle {

namespace {

/// Events after the end of the schedule: as many as a replay allows.
constexpr uint64_t kAfterwards = 50'000;

std::unique_ptr<GraphModel> modelFor(const Schedule& schedule, const Names& names,
                                     const Locations& locations) {
  return schedule.model ? std::make_unique<GraphModel>(*schedule.model, names, locations) : nullptr;
}

MachineOptions optionsFor(FunctionId entry, const Schedule& schedule, bool records, MemoryModel* model) {
  MachineOptions options;
  options.memoryModel = model;
  options.entry = entry;
  options.pauses = true;
  options.recordTrace = records;
  options.maxEvents = kAfterwards;
  for (const ScheduleSegment& segment : schedule.segments) options.maxEvents += segment.operations;
  return options;
}

}  // namespace

/// One run, which can be held at each stop.
class TimeTravel::Cursor final : public ScheduleInputs, public Scheduler {
 public:
  Cursor(const TimeTravel& travel, Names& names, Locations& locations, const Budget& budget, bool records)
      : ScheduleInputs(names, travel.given_),
        budget_(budget),
        replay_(names, travel.given_),
        model_(modelFor(travel.given_, names, locations)),
        execution_({travel.program(), names, terms_, locations},
                   optionsFor(travel.prepared_->entry, travel.given_, records, model_.get()), *this, *this,
                   budget_) {}

  Execution& execution() { return execution_; }
  uint64_t position() const { return atEnd_ ? arrived_ : arrived_ - 1; }
  const std::string& divergence() const { return replay_.divergence(); }
  const std::vector<std::pair<Failure, uint64_t>>& failures() const { return failures_; }

  /// Runs to the position, or to the end.
  void runTo(uint64_t position) {
    target_ = position;
    while (arrived_ <= position && !atEnd_) atEnd_ = !execution_.runToPause();
  }
  /// Calls it at each stop instead of pausing.
  void runThrough(std::function<bool(const Event*, uint32_t statement, ThreadId)> visit) {
    visit_ = std::move(visit);
    atEnd_ = !execution_.runToPause();
    visit_ = nullptr;
  }

  // EventSink
  bool statement(ThreadId thread, uint32_t statement) override { return arrive(nullptr, statement, thread); }
  bool beforeEvent(const Event& event) override {
    const bool pauses = arrive(&event, kNone, event.thread);
    if (event.kind != EventKind::End && event.kind != EventKind::LockBusy) failedLast_ = false;
    return pauses;
  }
  void failure(const Failure& failure) override {
    failedLast_ = true;
    failures_.emplace_back(failure, arrived_ - 1);  // the stop before is the one that leads to it
  }

  // Scheduler: as a replay, which ends with the schedule if that ends with a failure.
  std::optional<ThreadId> next(std::span<const Event* const> enabled) override {
    const std::optional<ThreadId> thread = replay_.next(enabled);
    if (replay_.finished() && !std::exchange(looked_, true)) stop_ = failedLast_;
    return stop_ ? std::nullopt : thread;
  }
  size_t choose(const Event& event, std::span<const WriteChoice> writes) override {
    return replay_.choose(event, writes);
  }

 private:
  bool arrive(const Event* event, uint32_t statement, ThreadId thread) {
    const uint64_t position = arrived_++;
    if (visit_) return !visit_(event, statement, thread);
    return position >= target_;
  }

  const Budget budget_;
  TermTable terms_;
  ReplayScheduler replay_;
  std::unique_ptr<GraphModel> model_;  // of a schedule under a memory model
  Execution execution_;
  uint64_t arrived_ = 0;  // stops come to
  uint64_t target_ = 0;
  bool atEnd_ = false;
  std::function<bool(const Event*, uint32_t, ThreadId)> visit_;
  std::vector<std::pair<Failure, uint64_t>> failures_;
  bool failedLast_ = false, looked_ = false, stop_ = false;
};

TimeTravel::TimeTravel(std::shared_ptr<const PreparedProgram> prepared, std::string text,
                       const Schedule& schedule, bool everyAccess)
    : prepared_(std::move(prepared)),
      text_(std::move(text)),
      given_(schedule),
      names_(prepared_->program->pointerBits()),
      locations_(everyAccess) {}

TimeTravel::~TimeTravel() = default;

std::unique_ptr<TimeTravel> TimeTravel::open(std::shared_ptr<const PreparedProgram> prepared,
                                             const std::string& text, const Schedule& schedule,
                                             const Budget& budget, std::string& problem) {
  if (!prepared->program) {
    problem = prepared->problem;
    return nullptr;
  }
  const ReplayRun run = replayRun(*prepared->program, prepared->entry, schedule, budget);
  if (!run.divergence.empty()) {
    problem = "the schedule does not replay: " + run.divergence;
    return nullptr;
  }
  std::unique_ptr<TimeTravel> travel(new TimeTravel(std::move(prepared), text, schedule, run.everyAccess));
  if (!travel->record(budget, problem)) return nullptr;
  travel->placeClaims(run);
  return travel;
}

bool TimeTravel::record(const Budget& budget, std::string& problem) {
  // As in a replay: a run that finds out how memory is shared is void.
  constexpr int kMostRuns = 64;
  for (int i = 0; i < kMostRuns; ++i) {
    stops_.clear();
    eventStops_.clear();
    claims_.clear();
    Cursor cursor(*this, names_, locations_, budget, true);
    Execution& execution = cursor.execution();
    bool isTooLong = false;
    cursor.runThrough([&](const Event* event, uint32_t statement, ThreadId id) {
      const Thread& thread = *execution.thread(id);
      if (event) eventStops_[{id, event->operation}] = stops_.size();
      const PlaceId place = event ? event->place : program().statements[statement].place;
      stops_.push_back({id, place, statement, static_cast<uint32_t>(thread.frames.size()),
                        thread.frames.empty() ? 0 : thread.frames.back().serial,
                        static_cast<uint32_t>(execution.result.events)});
      isTooLong = stops_.size() >= kMostStops;
      return !isTooLong;
    });
    if (isTooLong) {
      problem = "the run is too long to step through: it has more than " + std::to_string(kMostStops) +
                " lines and events";
      return false;
    }
    const RunResult result = execution.finish();
    if (result.outcome == RunOutcome::Relearned) {
      locations_.restart();
      continue;
    }
    if (result.outcome == RunOutcome::OutOfBudget && budget.check() != StopReason::None) {
      problem = "the run did not end within the budget";
      return false;
    }
    schedule_ = result.schedule;
    schedule_.model = given_.model;
    schedule_.writes = given_.writes;
    steps_ = describeSteps(program(), names_, result.trace);
    inputs_ = result.inputs;
    for (const auto& [failure, position] : cursor.failures())
      claims_.push_back({position, failure.thread, propertyOf(failure.kind), failure.message,
                         sourcePlace(program(), failure.place)});
    return true;
  }
  problem = "what the threads share was not found out";
  return false;
}

void TimeTravel::placeClaims(const ReplayRun& run) {
  if (run.race) {
    const std::string last = run.names->label(run.lastAccess.thread);
    for (const auto& [event, position] : eventStops_) {
      if (names_.label(event.first) != last || event.second != run.lastAccess.operation) continue;
      const bool isVolatile =
          run.flagIsVolatile || (run.lastAccess.isVolatile && run.accessBefore.isVolatile);
      const SourcePlace before = sourcePlace(program(), run.accessBefore.place);
      claims_.push_back({position, event.first, isVolatile ? Property::Volatile : Property::Race,
                         "data race between " + run.names->label(run.accessBefore.thread) + " (line " +
                             std::to_string(before.line) + ") and " + last,
                         sourcePlace(program(), run.lastAccess.place)});
    }
  }
  if (run.result.outcome == RunOutcome::Quiescent && !run.result.processExited && run.result.waitsForEver()) {
    Claim claim{end(), kNone, Property::Deadlock, "", sourcePlace(program(), run.result.blocked[0].place)};
    for (const Event& event : run.result.blocked)
      claim.message += (claim.message.empty() ? "" : ", ") + run.names->label(event.thread);
    claim.message += run.result.blocked.size() == 1 ? " waits for ever" : " wait for ever";
    claims_.push_back(std::move(claim));
  }
  std::stable_sort(claims_.begin(), claims_.end(),
                   [](const Claim& a, const Claim& b) { return a.position < b.position; });
}

Execution& TimeTravel::at(uint64_t position) {
  if (!cursor_ || cursor_->position() > position)
    cursor_ = std::make_unique<Cursor>(*this, names_, locations_, Budget{}, false);
  cursor_->runTo(position);
  return cursor_->execution();
}

SourcePlace TimeTravel::place(const Stop& stop) const {
  return sourcePlace(program(), stop.place);
}

uint64_t TimeTravel::position() const {
  return cursor_ ? cursor_->position() : 0;
}

void TimeTravel::walk(uint64_t from, uint64_t to, const Visit& visit) {
  Cursor cursor(*this, names_, locations_, Budget{}, false);
  uint64_t position = 0;
  bool goesOn = true;
  cursor.runThrough([&](const Event*, uint32_t, ThreadId) {
    const uint64_t here = position++;
    if (here >= from) goesOn = visit(here, cursor.execution());
    return goesOn && here < to;
  });
  if (goesOn && position == end() && from <= end() && to >= end()) visit(end(), cursor.execution());
}

std::unique_ptr<TimeTravel> TimeTravel::switchTo(uint64_t position, ThreadId id, const Budget& budget,
                                                 std::string& problem) {
  Execution& execution = at(position);
  const Thread* thread = execution.thread(id);
  if (!thread || !thread->next.isGiven || !execution.enabled(*thread)) {
    // In the middle of its own code it goes on anyway.
    const bool runs = position < end() && stops_[position].thread == id;
    problem = runs      ? "that thread runs here already"
              : !thread ? "there is no such thread here"
                        : thread->label + " cannot go on here" + (thread->ended ? ": it has ended" : "");
    return nullptr;
  }
  Schedule schedule = execution.result.schedule;
  schedule.inputs = given_.inputs;
  schedule.segments.push_back({thread->label, thread->next.event.operation - thread->scheduled});
  std::unique_ptr<TimeTravel> switched = open(prepared_, text_, schedule, budget, problem);
  if (switched && switched->end() < position) {
    problem = "the changed schedule cannot be followed to this point";
    return nullptr;
  }
  return switched;
}

}  // namespace heddle

#include "analysis/pipeline/replay_run.h"

#include <algorithm>
#include <set>

#include "analysis/detect/failure_finding.h"
#include "analysis/detect/happens_before.h"
#include "analysis/interp/schedulers/replay.h"
#include "analysis/interp/weak/graph_model.h"
#include "analysis/pipeline/schedule_inputs.h"

namespace heddle {

namespace {

/// Remembers the last event and the last one of another thread before it; of
/// an atomic section, all events.
class ReplaySink : public ScheduleInputs {
 public:
  ReplaySink(const Names& names, const Schedule& schedule, ReplayLog* log)
      : ScheduleInputs(names, schedule), log_(log) {}

  Value input(const InputRequest& request) override {
    const Value given = ScheduleInputs::input(request);
    if (log_) {
      const unsigned unused = 64 - request.width;
      const int64_t value = request.isSigned ? static_cast<int64_t>(given.bits << unused) >> unused
                                             : static_cast<int64_t>(given.bits);
      log_->inputs.push_back({request.thread, passedBy(request.thread), request.name, request.memoryOperation,
                              request.isResult, value});
    }
    return given;
  }
  void passed(ThreadId thread, uint32_t site) override {
    if (log_) log_->sites[thread].push_back(site);
  }
  void end(const Event& e) override { noteExecuted(e); }
  void tryLock(const Event& e, bool acquired) override {
    Event decided = e;
    if (acquired) decided.kind = EventKind::Lock;
    noteExecuted(decided);
  }
  void start(const Event& e, Value&) override {
    failedLast_ = false;
    noteExecuted(e);
  }
  void read(const Event& e, std::span<Value>) override { note(e); }
  void write(const Event& e, std::span<const Value>) override { note(e); }
  void endUpdate(const Event& e, std::span<const Value>) override { note(e); }
  void lock(const Event& e) override { note(e); }
  void unlock(const Event& e) override { note(e); }
  void condition(const Event& e) override { note(e); }
  void create(const Event& e, const Value&) override { note(e); }
  void join(const Event& e) override { note(e); }

  void failure(const Failure& failure) override {
    failedLast_ = true;
    if (log_) log_->failed = failure.thread;
  }

  /// The last event made its thread fail.
  bool failedLast() const { return failedLast_; }
  const std::vector<Event>& last() const { return last_; }
  const std::vector<Event>& previous() const { return previous_; }
  const std::vector<Event>& executed() const { return executed_; }

 private:
  uint32_t passedBy(ThreadId thread) const {
    const auto it = log_->sites.find(thread);
    return it == log_->sites.end() ? 0 : static_cast<uint32_t>(it->second.size());
  }

  void noteExecuted(const Event& e) {
    executed_.push_back(e);
    if (log_) log_->events.push_back({e, passedBy(e.thread)});
  }

  void note(const Event& e) {
    failedLast_ = false;
    noteExecuted(e);
    // Between two racing accesses the second thread may still do what only it can see.
    if (!last_.empty() && e.thread != last_.back().thread) {
      previous_ = std::move(last_);
      last_.clear();
    }
    if (!last_.empty() && (e.section == 0 || e.section != last_.back().section)) last_.clear();
    last_.push_back(e);
  }

  ReplayLog* const log_;
  std::vector<Event> last_, previous_;
  std::vector<Event> executed_;
  bool failedLast_ = false;
};

bool conflict(const Event& a, const Event& b, const Locations& locations) {
  if (!areConflicting(a, b)) return false;
  for (const LocationId x : a.cells)
    for (const LocationId y : b.cells) {
      const Cell& p = locations.cell(x);
      const Cell& q = locations.cell(y);
      if (p.object == q.object && p.offset < q.offset + q.size && q.offset < p.offset + p.size) return true;
    }
  return false;
}

/// Follows the schedule, and looks at the last two events when it is done.
class WatchedReplay : public Scheduler {
 public:
  WatchedReplay(const Schedule& schedule, const Names& names, const ReplaySink& sink,
                const Locations& locations, bool afterwards, ReplayRun& run)
      : replay_(names, schedule),
        sink_(sink),
        locations_(locations),
        afterwards_(afterwards),
        isWeak_(schedule.model.has_value()),
        run_(run) {}

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override {
    const std::optional<ThreadId> thread = replay_.next(enabled);
    if (!replay_.finished()) return thread;
    look();
    // A failure at the end is what the schedule is for. One on the way belongs to a thread that may as well
    // have stopped just before it: the others go on.
    return stop_ || !afterwards_ ? std::nullopt : thread;
  }
  /// To be called once more after the run, for a schedule that ends with it.
  void look() {
    if (looked_) return;
    looked_ = true;
    stop_ = sink_.failedLast();
    if (isWeak_) return lookAtModel();
    for (const Event& before : sink_.previous())
      for (const Event& last : sink_.last()) {
        if (run_.race || !conflict(before, last, locations_)) continue;
        run_.race = true;
        run_.accessBefore = before;
        run_.lastAccess = last;
      }
    lookAtOrder();
  }
  const std::string& divergence() const { return replay_.divergence(); }
  size_t choose(const Event& event, std::span<const WriteChoice> writes) override {
    return replay_.choose(event, writes);
  }
  /// The run's memory model has found a race of these; the later one is being executed.
  void noteRace(const Event& before, const Event& last) { raced_ = {before, last}; }

 private:
  /// The last access of the schedule races, as its memory model says.
  void lookAtModel() {
    if (!raced_ || sink_.executed().empty()) return;
    const Event& executed = sink_.executed().back();
    if (executed.thread != raced_->last.thread || executed.operation != raced_->last.operation) return;
    run_.race = true;
    run_.accessBefore = raced_->before;
    run_.lastAccess = raced_->last;
    for (const LocationId cell : run_.lastAccess.cells) {
      const auto& others = run_.accessBefore.cells;
      if (std::find(others.begin(), others.end(), cell) != others.end()) run_.raced = locations_.cell(cell);
    }
  }
  /// Accesses that a racy flag keeps apart: the last one is unordered with an earlier one.
  void lookAtOrder() {
    const std::vector<Event>& executed = sink_.executed();
    if (executed.empty() || !isAccess(executed.back().kind)) return;
    std::vector<HappenedEvent> events;
    for (const Event& event : executed) events.push_back(happened(event));
    for (const UnorderedPair& pair : unorderedPairs(events, executed.size())) {
      if (pair.second + 1 != executed.size()) continue;
      const bool isVolatile = pair.flag != kNone && pair.flagIsVolatile;
      if (run_.race) {
        run_.alsoUnordered.push_back({executed[pair.first], executed[pair.second], isVolatile});
        continue;
      }
      run_.race = true;
      run_.accessBefore = executed[pair.first];
      run_.lastAccess = executed[pair.second];
      run_.flagIsVolatile = isVolatile;
    }
  }

  ReplayScheduler replay_;
  const ReplaySink& sink_;
  const Locations& locations_;
  const bool afterwards_;
  const bool isWeak_;
  ReplayRun& run_;
  std::optional<RacingPair> raced_;  // the latest
  bool looked_ = false, stop_ = false;
};

}  // namespace

/// `everyAccess`: takes every access for an event.
static ReplayRun replayWith(const Program& program, FunctionId entry, const Schedule& schedule,
                            const Budget& budget, bool everyAccess, bool afterwards = true,
                            ReplayLog* log = nullptr, ReachLog* reach = nullptr,
                            const std::vector<uint32_t>& finals = {}) {
  ReplayRun run;
  run.everyAccess = everyAccess;
  run.names = std::make_unique<Names>(program.pointerBits());
  Locations locations(everyAccess);
  MachineOptions options;
  options.entry = entry;
  options.reach = reach;
  options.finals = finals;
  constexpr uint64_t kAfterwards = 50'000;  // events: those who wait are found to wait in much fewer
  if (everyAccess) {
    options.maxEvents = kAfterwards;
    for (const ScheduleSegment& segment : schedule.segments) options.maxEvents += segment.operations;
  }
  // A cell that is accessed in parts is cut only when the first part is seen; the run that finds out is void.
  constexpr int kMostRuns = 64;
  for (int i = 0; i < kMostRuns; ++i) {
    TermTable terms;
    run.race = run.flagIsVolatile = false;
    run.alsoUnordered.clear();
    std::optional<GraphModel> model;
    if (schedule.model) options.memoryModel = &model.emplace(*schedule.model, *run.names, locations);
    if (log) *log = {};
    if (reach) *reach = ReachLog(program.code.size());
    ReplaySink sink(*run.names, schedule, log);
    WatchedReplay scheduler(schedule, *run.names, sink, locations, afterwards, run);
    if (model)
      model->setOnRace([&](const Event& before, const Event& last) { scheduler.noteRace(before, last); });
    Machine machine({program, *run.names, terms, locations}, options, scheduler, sink, budget);
    run.result = machine.run();
    run.divergence = scheduler.divergence();
    if (run.result.outcome != RunOutcome::Relearned) {
      scheduler.look();
      break;
    }
    locations.restart();
  }
  if (run.divergence.empty() && run.result.outcome == RunOutcome::Unsupported)
    run.divergence = "unsupported: " + run.result.unsupported;
  if (run.divergence.empty() && run.result.outcome == RunOutcome::OutOfBudget)
    run.divergence = "the run did not end within the budget";
  return run;
}

/// `reach`: null, or takes what the run came to.
static ReplayRun replayOnce(const Program& program, FunctionId entry, const Schedule& schedule,
                            const Budget& budget, ReachLog* reach) {
  ReplayRun run = replayWith(program, entry, schedule, budget, true, true, nullptr, reach);
  // A thread that waits in a loop and writes to its own memory there seems to get on when every access is an
  // event. Then only what is shared is, as in an exploration.
  if (run.result.outcome == RunOutcome::OutOfBudget && budget.check() == StopReason::None)
    run = replayWith(program, entry, schedule, budget, false, true, nullptr, reach);
  // A thread that cannot go on in the middle of an atomic section is taken back before it and not said to
  // wait. Where fewer accesses are events, it may stand before the section.
  const bool endsQuietly = run.result.outcome == RunOutcome::Quiescent && run.result.failures.empty() &&
                           !run.result.waitsForEver();
  if (endsQuietly && budget.check() == StopReason::None) {
    ReachLog reachOfOther(0);
    ReplayRun other =
        replayWith(program, entry, schedule, budget, false, true, nullptr, reach ? &reachOfOther : nullptr);
    if (other.divergence.empty() && other.result.waitsForEver() && (other.race || !run.race)) {
      run = std::move(other);
      if (reach) *reach = std::move(reachOfOther);
    }
  }
  return run;
}

ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule,
                    const Budget& budget) {
  return replayOnce(program, entry, schedule, budget, nullptr);
}

ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
                    ReachLog& reach) {
  return replayOnce(program, entry, schedule, budget, &reach);
}

ReplayRun replayRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
                    const std::vector<uint32_t>& finals) {
  return replayWith(program, entry, schedule, budget, true, true, nullptr, nullptr, finals);
}

ReplayRun recordRun(const Program& program, FunctionId entry, const Schedule& schedule, const Budget& budget,
                    bool everyAccess, bool afterwards, ReplayLog& log) {
  return replayWith(program, entry, schedule, budget, everyAccess, afterwards, &log);
}

std::vector<Finding> findingsOf(const Program& program, const ReplayRun& run, std::string_view text,
                                bool afterExit) {
  std::vector<Finding> findings;
  auto add = [&](Property kind, PlaceId place, const std::string& message) {
    Finding finding;
    finding.kind = kind;
    finding.message = message;
    finding.place = sourcePlace(program, place);
    finding.id = findingId(finding, text);
    findings.push_back(std::move(finding));
  };
  for (const Failure& failure : run.result.failures)
    add(propertyOf(failure.kind), failure.place, failure.message);
  std::vector<RacingPair> races = run.alsoUnordered;
  if (run.race) races.insert(races.begin(), {run.accessBefore, run.lastAccess, run.flagIsVolatile});
  for (const RacingPair& race : races) {
    const std::string threads =
        run.names->label(race.before.thread) + " and " + run.names->label(race.last.thread);
    const bool isVolatile = (race.before.isVolatile && race.last.isVolatile) || race.flagIsVolatile;
    for (const Event* access : {&race.before, &race.last})
      add(isVolatile ? Property::Volatile : Property::Race, access->place,
          (isVolatile ? "volatile accesses of " : "data race between ") + threads);
  }
  if (run.result.outcome == RunOutcome::Quiescent && (afterExit || !run.result.processExited))
    for (const Event& event : run.result.blocked) {
      add(Property::Deadlock, event.place, run.names->label(event.thread) + " waits for ever");
      for (const auto* events : {&run.result.pending, &run.result.awaited})
        for (const Event& other : *events)
          if (other.thread == event.thread && other.place != event.place)
            findings.back().related.push_back(
                {sourcePlace(program, other.place), "on the way round its loop"});
    }
  return findings;
}

}  // namespace heddle

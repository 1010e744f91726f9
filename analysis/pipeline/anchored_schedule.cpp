#include "analysis/pipeline/anchored_schedule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/detect/failure_finding.h"
#include "analysis/explore/run/exploration.h"
#include "analysis/interp/core/machine.h"
#include "analysis/pipeline/prepare.h"
#include "analysis/pipeline/replay_run.h"
#include "analysis/pipeline/schedule_inputs.h"

namespace heddle {
namespace {

/// A thread that has executed more events without coming to the end of its turn has lost it.
constexpr uint64_t kMostEvents = 200'000;

/// The lines of the files that a snapshot holds.
class SourceLines {
 public:
  explicit SourceLines(const Snapshot& snapshot) {
    for (const Unit& unit : snapshot.units) texts_[unit.path] = unit.text;
    for (const auto& [path, text] : snapshot.overlays) texts_[path] = text;
    texts_[snapshot.path] = snapshot.text;
  }

  /// Whether some line is that.
  bool has(std::string_view line) const {
    return std::any_of(texts_.begin(), texts_.end(), [&](const auto& file) {
      const std::string_view text = file.second;
      for (size_t at = 0; at != std::string_view::npos;) {
        const size_t end = text.find('\n', at);
        if (trimmedLine(text.substr(at, end - at), 1) == line) return true;
        at = end == std::string_view::npos ? end : end + 1;
      }
      return false;
    });
  }

  std::string at(const SourcePlace& place) const {
    const auto known = texts_.find(place.file);
    return known == texts_.end() ? std::string() : std::string(trimmedLine(known->second, place.line));
  }

 private:
  std::map<std::string, std::string> texts_;
};

/// What a step is known by: of a thread, the function, the line and what it does.
using StepKey = std::tuple<std::string, std::string, std::string, std::string>;

/// Names steps, and counts those that were executed.
class StepCounter {
 public:
  StepCounter(const Program& program, const Names& names, SourceLines& lines)
      : program_(program), names_(names), lines_(lines) {}

  /// Of the step with this number among its like, which is executed now.
  Turn executed(ThreadId thread, PlaceId place, EventKind kind) {
    const StepKey key = keyOf(thread, place, kind);
    const auto& [label, function, text, what] = key;
    return {label, function, text, what, ++counts_[key]};
  }
  /// Whether the turn has ended.
  bool isOver(const Turn& turn) const {
    const auto count = counts_.find({turn.thread, turn.function, turn.text, turn.kind});
    return count != counts_.end() && count->second >= turn.nth;
  }

 private:
  StepKey keyOf(ThreadId thread, PlaceId place, EventKind kind) {
    // Wherever a thread begins or ends.
    if (kind == EventKind::Start || kind == EventKind::End)
      return {names_.label(thread), "", "", toString(kind)};
    const SourcePlace& where = placeOf(place);
    auto& text = texts_[place];
    if (!text) text = place == kNone ? std::string() : lines_.at(where);
    return {names_.label(thread), where.function, *text, toString(kind)};
  }
  const SourcePlace& placeOf(PlaceId place) {
    const auto known = places_.find(place);
    if (known != places_.end()) return known->second;
    return places_[place] = place == kNone ? SourcePlace{} : sourcePlace(program_, place);
  }

  const Program& program_;
  const Names& names_;
  SourceLines& lines_;
  std::map<PlaceId, SourcePlace> places_;
  std::map<PlaceId, std::optional<std::string>> texts_;
  std::map<StepKey, uint32_t> counts_;
};

/// Gives inputs by their names.
class NamedInputs : public ScheduleInputs {
 public:
  NamedInputs(const Names& names, const Schedule& schedule, const std::vector<NamedInput>& inputs)
      : ScheduleInputs(names, schedule), names_(names) {
    for (const NamedInput& input : inputs) values_[{input.thread, input.name}].push_back(input.value);
  }

  Value input(const InputRequest& request) override {
    const std::pair<std::string, std::string> key{names_.label(request.thread), request.name};
    const auto values = values_.find(key);
    const size_t next = given_[key]++;
    const bool isKnown = values != values_.end() && next < values->second.size();
    return {isKnown ? static_cast<uint64_t>(values->second[next]) & widthMask(request.width) : 0, kNoTerm};
  }
  bool isBehindLastInput(const InputRequest& request) const override {
    const std::pair<std::string, std::string> key{names_.label(request.thread), request.name};
    const auto values = values_.find(key);
    const auto given = given_.find(key);
    return values == values_.end() || (given != given_.end() && given->second >= values->second.size());
  }
  /// What was taken for an input then is one again, if its thread and name are.
  bool wasInput(const InputRequest& request) const override {
    return values_.contains({names_.label(request.thread), request.name});
  }

 private:
  const Names& names_;
  std::map<std::pair<std::string, std::string>, std::vector<int64_t>> values_;
  std::map<std::pair<std::string, std::string>, size_t> given_;
};

/// Lets each thread run on to where its turn ended.
class TurnScheduler : public Scheduler {
 public:
  TurnScheduler(const std::vector<Turn>& turns, const Names& names, StepCounter& steps)
      : turns_(turns), names_(names), steps_(steps) {}

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override {
    while (turn_ < turns_.size() && steps_.isOver(turns_[turn_])) ++turn_;
    if (turn_ == turns_.size() || ++events_ > kMostEvents) return std::nullopt;
    for (const Event* event : enabled) {
      // Who is in the middle of an atomic section finishes it.
      if (names_.label(event->thread) != turns_[turn_].thread && enabled.size() > 1) continue;
      steps_.executed(event->thread, event->place, event->kind);
      return event->thread;
    }
    return std::nullopt;
  }

  bool isDone() const { return turn_ == turns_.size(); }
  /// Not done: where it stands.
  const Turn& turn() const { return turns_[turn_]; }

 private:
  const std::vector<Turn>& turns_;
  const Names& names_;
  StepCounter& steps_;
  size_t turn_ = 0;
  uint64_t events_ = 0;
};

std::vector<Turn> turnsOf(const Program& program, const ReplayRun& run, const Schedule& schedule,
                          SourceLines& lines) {
  std::map<std::string, uint64_t> covered;
  for (const ScheduleSegment& segment : schedule.segments) covered[segment.thread] += segment.operations;
  StepCounter steps(program, *run.names, lines);
  std::set<ThreadId> failed;
  for (const Failure& failure : run.result.failures) failed.insert(failure.thread);
  std::vector<Turn> turns;
  const auto take = [&](const Turn& turn) {
    if (!turns.empty() && turns.back().thread == turn.thread) turns.pop_back();
    turns.push_back(turn);
  };
  std::optional<Turn> hidden;  // executed last
  for (const TraceEntry& entry : run.result.trace) {
    // In another text it may not fail, and go on.
    if (entry.kind == EventKind::End && failed.contains(entry.thread)) continue;
    const Turn executed = steps.executed(entry.thread, entry.place, entry.kind);
    // Behind its end the replay went on by itself.
    if (entry.operation > covered[executed.thread]) continue;
    // What the interpreter does for itself between two lines ends no turn, but may be what fails at the end.
    hidden.reset();
    if (entry.isHidden) {
      hidden = executed;
      continue;
    }
    take(executed);
  }
  if (hidden) take(*hidden);
  return turns;
}

std::string quoted(const Turn& turn) {
  if (turn.function.empty()) return turn.kind == toString(EventKind::End) ? "its end" : "its start";
  return turn.text.empty() ? "where its turn ended in '" + turn.function + "'"
                           : "'" + turn.text + "' in '" + turn.function + "'";
}

class Following {
 public:
  Following(const PreparedProgram& prepared, const Snapshot& snapshot, const Budget& budget)
      : program_(*prepared.program),
        prepared_(prepared),
        snapshot_(snapshot),
        budget_(budget),
        lines_(snapshot) {}

  FollowedSchedule follow(const AnchoredSchedule& anchored) {
    FollowedSchedule followed;
    std::string error;
    const std::optional<Schedule> before = Schedule::parse(anchored.schedule, error);
    if (!before) {
      followed.why = error;
      return followed;
    }
    followed.schedule = before->model ? anchored.schedule : inThisText(anchored, *before, followed);
    if (followed.schedule.empty()) return followed;
    followed.replayed = replayPrepared(prepared_, snapshot_, followed.schedule, budget_);
    if (followed.replayed.ok)
      followed.how = FollowedSchedule::How::Followed;
    else
      followed.why = followed.replayed.error;
    return followed;
  }

 private:
  /// Empty: `followed` says why there is none.
  std::string inThisText(const AnchoredSchedule& anchored, const Schedule& before,
                         FollowedSchedule& followed) {
    Names names(program_.pointerBits());
    Locations locations(true);
    MachineOptions options;
    options.entry = prepared_.entry;
    // As in a replay: a run that finds out how memory is shared is void.
    constexpr int kMostRuns = 64;
    for (int i = 0; i < kMostRuns; ++i) {
      TermTable terms;
      NamedInputs inputs(names, before, anchored.inputs);
      StepCounter steps(program_, names, lines_);
      TurnScheduler scheduler(anchored.turns, names, steps);
      Machine machine({program_, names, terms, locations}, options, scheduler, inputs, budget_);
      const RunResult run = machine.run();
      if (run.outcome == RunOutcome::Relearned) {
        locations.restart();
        continue;
      }
      // Who fails on the way has nothing left to come to.
      if (scheduler.isDone() || !run.failures.empty())
        return scheduleOf(names, run.trace, run.trace.size(), run.inputs).toString();
      sayWhy(run, names, scheduler.turn(), followed);
      return {};
    }
    followed.why = "the run did not settle";
    return {};
  }

  void sayWhy(const RunResult& run, const Names& names, const Turn& turn, FollowedSchedule& followed) const {
    if (!turn.text.empty() && !lines_.has(turn.text)) {
      followed.why = "the line '" + turn.text + "' is gone";
      return;
    }
    followed.why = turn.thread + " does not come to " + quoted(turn);
    if (run.outcome == RunOutcome::Unsupported) followed.why = "unsupported: " + run.unsupported;
    for (const auto* events : {&run.blocked, &run.pending})
      for (const Event& event : *events) {
        if (names.label(event.thread) != turn.thread || followed.how != FollowedSchedule::How::Lost) continue;
        followed.how = FollowedSchedule::How::Impossible;
        followed.place = sourcePlace(program_, event.place);
        followed.why = turn.thread + " cannot go on to " + quoted(turn) + " there";
      }
  }

  const Program& program_;
  const PreparedProgram& prepared_;
  const Snapshot& snapshot_;
  const Budget budget_;
  SourceLines lines_;
};

PreparedProgram preparedFor(const Snapshot& snapshot, const Options& options) {
  return prepare(snapshot, options.entry, options.properties.count(Property::Overflow) > 0);
}

}  // namespace

AnchoredSchedule anchor(const Snapshot& snapshot, const Options& options, const std::string& text,
                        const Budget& budget, std::string& problem) {
  AnchoredSchedule made{text, {}, {}};
  const std::optional<Schedule> schedule = Schedule::parse(text, problem);
  if (!schedule) return made;
  problem.clear();
  const PreparedProgram prepared = preparedFor(snapshot, options);
  if (!prepared.program) {
    problem = prepared.problem;
    return made;
  }
  const ReplayRun run = replayRun(*prepared.program, prepared.entry, *schedule, budget);
  problem = run.divergence;
  if (!problem.empty() || schedule->model) return made;
  SourceLines lines(snapshot);
  made.turns = turnsOf(*prepared.program, run, *schedule, lines);
  for (const UsedInput& input : run.result.inputs)
    made.inputs.push_back(
        {run.names->label(input.thread), input.name,
         input.isSigned ? signExtend(input.bits, input.width) : static_cast<int64_t>(input.bits)});
  return made;
}

void followEach(const Snapshot& snapshot, const Options& options,
                const std::vector<AnchoredSchedule>& schedules, const Budget& budget, std::string& problem,
                const std::function<void(size_t index, const FollowedSchedule&)>& seen) {
  if (schedules.empty()) return;
  const PreparedProgram prepared = preparedFor(snapshot, options);
  problem = prepared.problem;
  if (!prepared.program) return;
  Following following(prepared, snapshot, budget);
  for (size_t i = 0; i < schedules.size() && budget.check() == StopReason::None; ++i)
    seen(i, following.follow(schedules[i]));
}

}  // namespace heddle

#include "analysis/pipeline/cover.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "analysis/detect/failure_finding.h"
#include "analysis/explore/strategies/strategies.h"
#include "analysis/pipeline/branch_sides.h"
#include "analysis/pipeline/prepare.h"
#include "analysis/pipeline/replay_run.h"
#include "analysis/pipeline/search.h"
#include "analysis/program/bound_text.h"
#include "analysis/program/reachable.h"

namespace heddle {

namespace {

/// One run that is replayed: what it covers.
struct Entry {
  SuiteEntry shown;
  std::vector<bool> covers;  // by side
  ReachLog reach{0};
};

class Coverer {
 public:
  Coverer(const Program& program, FunctionId entry, const Options& options, const CoverObserver& observer)
      : program_(program),
        entry_(entry),
        options_(options),
        observer_(observer),
        sides_(branchSides(program, entry)),
        covered_(sides_.size()),
        log_(program.code.size()) {}

  CoverReport run(const Budget& budget) {
    // By interferences: entries for sides that a thread reaches alone need no other thread's help. Then what
    // is left, without bounds and at last with loops that are cut.
    explore(budget.part(&Tuning::interferences), [&](const Budget& part) { return byInterferences(part); });
    if (!isDone())
      explore(budget.part(&Tuning::sidesWithoutBounds),
              [&](const Budget& part) { return byForest(part, false); });
    if (!isDone()) explore(budget, [&](const Budget& part) { return byForest(part, true); });
    return result();
  }

 private:
  bool isDone() const {
    return complete_ || std::all_of(covered_.begin(), covered_.end(), [](bool covered) { return covered; });
  }

  /// Ends when every side is covered.
  template <typename Explore>
  void explore(const Budget& budget, const Explore& by) {
    std::stop_source enough;
    const std::stop_callback cancelled(budget.stopToken(), [&] { enough.request_stop(); });
    Budget part = budget;
    part.withStop(enough.get_token());
    enough_ = &enough;
    budget_ = &part;
    const ExploreResult explored = by(part);
    enough_ = nullptr;
    note(explored, part);
  }

  ExploreOptions exploreOptions(bool mergePaths) {
    ExploreOptions options;
    options.reach = &log_;
    options.entry = entry_;
    options.unroll = options_.unroll;
    options.team.threads = options_.workers;
    options.mergePaths = mergePaths;
    options.solver = options_.solver == "z3" ? SolverKind::Z3 : SolverKind::Sat;
    return options;
  }

  ExploreResult byInterferences(const Budget& budget) {
    ExploreCallbacks callbacks;
    Runner* runner = nullptr;
    callbacks.merged = [&] { take(*runner); };
    Runner itself(program_, exploreOptions(false), options_.everyAccessIsEvent, callbacks);
    runner = &itself;
    exploreWith("con2colic", itself, budget);
    return itself.result();
  }

  ExploreResult byForest(const Budget& budget, bool deepen) {
    SearchCallbacks callbacks;
    callbacks.witness = [](Runner&, const Witness&) {};
    callbacks.progress = [](const ExploreResult&) {};
    callbacks.ran = [&](Runner& runner) { take(runner); };
    SearchOptions options;
    options.explore = exploreOptions(true);
    options.everyAccessIsEvent = options_.everyAccessIsEvent;
    options.deepen = deepen;
    return Search(program_, std::move(options), callbacks).run(budget).explored;
  }

  /// A run that became part of a forest. Where it came to something new, it is replayed.
  void take(Runner& runner) {
    bool isNew = false;
    seen_.resize(sides_.size());
    for (size_t i = 0; i < sides_.size(); ++i) {
      if (!isCovered(sides_[i], log_)) continue;
      seen_[i] = true;
      isNew |= !covered_[i];
    }
    // Runs that an exploration drops leave their marks as well; the replay tells whose they are.
    std::fill(log_.at.begin(), log_.at.end(), uint8_t{0});
    if (!isNew) return;
    const RunResult& run = runner.lastRun();
    const Schedule schedule = scheduleOf(runner.names(), run.trace, run.trace.size(), run.inputs);
    replay(schedule);
    if (std::all_of(covered_.begin(), covered_.end(), [](bool covered) { return covered; }) && enough_)
      enough_->request_stop();
  }

  void replay(const Schedule& schedule) {
    Entry entry;
    entry.reach = ReachLog(program_.code.size());
    const ReplayRun run = replayRun(program_, entry_, schedule, *budget_, entry.reach);
    if (!run.divergence.empty()) {
      ++notReplayed_;
      return;
    }
    entry.shown.schedule = schedule.toString();
    if (!run.result.failures.empty())
      entry.shown.fails = run.result.failures.front().message;
    else if (run.result.outcome == RunOutcome::Quiescent && run.result.stuck)
      entry.shown.fails = "threads wait for ever";
    bool isNew = false;
    for (const BranchSide& side : sides_) {
      entry.covers.push_back(isCovered(side, entry.reach));
      const size_t i = entry.covers.size() - 1;
      isNew |= entry.covers[i] && !covered_[i];
      if (!entry.covers[i]) continue;
      covered_[i] = true;
      entry.shown.sides += !side.isFailure;
    }
    if (isNew || entries_.empty()) entries_.push_back(std::move(entry));
    if (isNew && observer_) observer_(progress());
  }

  CoverProgress progress() const {
    CoverProgress now;
    for (size_t i = 0; i < sides_.size(); ++i) {
      now.sides += !sides_[i].isFailure;
      now.covered += !sides_[i].isFailure && covered_[i];
    }
    return now;
  }

  void note(const ExploreResult& explored, const Budget& budget) {
    seen_.resize(sides_.size());
    for (size_t i = 0; i < sides_.size(); ++i)
      if (isCovered(sides_[i], log_)) seen_[i] = true;
    executions_ += explored.stats.executions;
    complete_ = explored.complete && explored.bounds.empty() && explored.assumptions.empty() &&
                explored.unsupported.empty() && explored.stop == StopReason::None && !explored.problem;
    limits_.clear();
    if (complete_) return;
    for (const Bound& bound : explored.bounds) limits_.insert(boundText(program_, bound));
    for (const auto& [place, text] : explored.assumptions) limits_.insert("assumed: " + text);
    if (!explored.unsupported.empty()) limits_.insert("unsupported: " + explored.unsupported);
    if (explored.problem && explored.problem.kind != ProblemKind::Strategy)
      limits_.insert(toText(explored.problem));
    const StopReason stop = budget.check();
    if (stop == StopReason::Deadline) limits_.insert("the time budget is spent");
    if (stop == StopReason::Steps) limits_.insert("the step budget is spent");
    if (stop == StopReason::Cancelled && !isDone()) limits_.insert("cancelled");
    if (stop == StopReason::Memory) limits_.insert("the memory limit is reached");
  }

  /// What later entries cover as well is not needed.
  void dropNeedless() {
    for (size_t i = 0; i < entries_.size();) {
      const auto isNeeded = [&] {
        for (size_t side = 0; side < sides_.size(); ++side) {
          if (!entries_[i].covers[side]) continue;
          const bool another = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& other) {
            return &other != &entries_[i] && other.covers[side];
          });
          if (!another) return true;
        }
        return entries_.size() == 1;
      };
      if (isNeeded())
        ++i;
      else
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  CoverReport result() {
    dropNeedless();
    CoverReport report;
    report.complete = complete_;
    report.executions = executions_;
    for (size_t i = 0; i < sides_.size(); ++i) {
      CoverSide shown{sourcePlace(program_, sides_[i].place),
                      sides_[i].text,
                      sides_[i].branch,
                      sides_[i].isFailure,
                      SideState::Open,
                      {}};
      shown.place.function = program_.functions[sides_[i].function].name;
      for (uint32_t entry = 0; entry < entries_.size(); ++entry)
        if (entries_[entry].covers[i]) shown.by.push_back(entry);
      if (!shown.by.empty())
        shown.state = SideState::Covered;
      else if (complete_ && !seen_[i])
        shown.state = SideState::CannotBe;
      report.sides.push_back(std::move(shown));
    }
    for (const FunctionId id : reachableFunctions(program_, entry_)) {
      const Function& function = program_.functions[id];
      if (function.place == kNone) continue;
      CoverFunction shown{function.name, sourcePlace(program_, function.place), 0};
      for (const Entry& entry : entries_)
        shown.hits += (entry.reach.at[function.entry] & ReachLog::kEntered) != 0;
      report.functions.push_back(std::move(shown));
    }
    for (Entry& entry : entries_) report.suite.push_back(std::move(entry.shown));
    if (notReplayed_ != 0 && report.count(SideState::Open) != 0)
      limits_.insert(std::to_string(notReplayed_) + " runs whose schedules do not replay");
    if (report.count(SideState::Open) != 0) report.limits.assign(limits_.begin(), limits_.end());
    return report;
  }

  const Program& program_;
  const FunctionId entry_;
  const Options& options_;
  const CoverObserver& observer_;
  const std::vector<BranchSide> sides_;
  std::vector<bool> covered_, seen_;  // by replays; by any run
  std::vector<Entry> entries_;
  ReachLog log_;
  std::set<std::string> limits_;
  bool complete_ = false;
  uint64_t executions_ = 0, notReplayed_ = 0;
  std::stop_source* enough_ = nullptr;
  const Budget* budget_ = nullptr;
};

}  // namespace

const char* toString(SideState state) {
  switch (state) {
    case SideState::Covered:
      return "covered";
    case SideState::CannotBe:
      return "cannot be";
    case SideState::Open:
      return "open";
  }
  return "";
}

uint32_t CoverReport::count(SideState state) const {
  return static_cast<uint32_t>(std::count_if(sides.begin(), sides.end(), [&](const CoverSide& side) {
    return side.state == state && !side.isFailure;
  }));
}

void takeBeyondAway(CoverReport& report, const std::string& file, size_t lines) {
  const auto isBeyond = [&](const SourcePlace& place) { return place.file == file && place.line > lines; };
  std::erase_if(report.sides, [&](const CoverSide& side) { return isBeyond(side.place); });
  std::erase_if(report.functions, [&](const CoverFunction& function) { return isBeyond(function.place); });
}

CoverReport cover(const Snapshot& snapshot, const Options& options, const Budget& budget,
                  const CoverObserver& observer) {
  const auto started = std::chrono::steady_clock::now();
  CoverReport report;
  const PreparedProgram prepared = prepare(snapshot, options.entry);
  if (prepared.program)
    report = Coverer(*prepared.program, prepared.entry, options, observer).run(budget);
  else
    report.problem = prepared.problem;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return report;
}

}  // namespace heddle

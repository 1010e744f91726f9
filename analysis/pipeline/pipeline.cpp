#include "analysis/pipeline/pipeline.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "analysis/detect/failure_finding.h"
#include "analysis/explore/forest_strategy.h"
#include "analysis/pipeline/prepare.h"
#include "analysis/pipeline/replay_run.h"

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

uint64_t peakRssMb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) / 1024;
}

/// What the exploration says of a property no finding belongs to.
Verdict verdictOf(const ExploreResult& result) {
  if (!result.unsupported.empty()) return Verdict::Unsupported;
  if (result.stop == StopReason::Cancelled) return Verdict::Cancelled;
  if (!result.complete) return Verdict::Incomplete;
  return result.bounds.empty() && result.assumptions.empty() ? Verdict::Verified : Verdict::VerifiedWithinBounds;
}

std::string whyIncomplete(const ExploreResult& result) {
  if (!result.problem.empty()) return result.problem;
  switch (result.stop) {
    case StopReason::Deadline: return "the time budget is spent";
    case StopReason::Steps: return "the step budget is spent";
    case StopReason::Memory: return "the memory limit is reached";
    case StopReason::Cancelled: return "cancelled";
    case StopReason::None: break;
  }
  return "not everything was explored";
}

void fillStats(Stats& stats, const ExploreResult& result) {
  stats.paths = result.paths;
  stats.executions = result.stats.executions;
  stats.events = result.stats.events;
  stats.queries = result.stats.solver.queries;
  stats.sat = result.stats.solver.sat;
  stats.unsat = result.stats.solver.unsat;
  stats.unknown = result.stats.solver.unknown;
  stats.openLeaves = result.stats.openLeaves;
  stats.solverSeconds = result.stats.solver.seconds;
  stats.interpSeconds = result.stats.interpSeconds;
}

}  // namespace

Report analyze(const Snapshot& snapshot, const Options& options, const Budget& budget, const Observer& observer) {
  const Clock::time_point started = Clock::now();
  Report report;
  report.file = snapshot.path;
  report.entry = options.entry;
  report.strategy = options.strategy;
  report.commandSource = snapshot.command.source;
  auto close = [&] {
    report.stats.wallSeconds = secondsSince(started);
    report.stats.peakRssMb = peakRssMb();
    for (const std::string& property : options.properties) report.properties.try_emplace(property, report.verdict);
    return report;
  };
  if (options.strategy != "forest") {
    report.verdict = Verdict::Unsupported;
    report.problem = "strategy '" + options.strategy + "' is not available; use forest";
    return close();
  }

  PreparedProgram prepared = prepare(snapshot, options.entry);
  report.stats.compileSeconds = prepared.compileSeconds;
  if (!prepared.program) {
    report.verdict = prepared.verdict;
    report.problem = prepared.problem;
    report.problemPlace = prepared.problemPlace;
    return close();
  }
  const Program& program = *prepared.program;

  ExploreOptions exploreOptions;
  exploreOptions.entry = prepared.entry;
  exploreOptions.unroll = options.unroll;
  exploreOptions.solver = options.solver == "z3" ? SolverKind::Z3 : SolverKind::Sat;

  std::string replayProblem;
  Runner* running = nullptr;
  ExploreCallbacks callbacks;
  callbacks.witness = [&](const Witness& witness) {
    if (!options.properties.count(propertyOf(witness.failure.kind))) return;
    Finding finding = describeFailure(program, running->names(), witness, snapshot.text);
    // No finding without a schedule that replays to it, in a machine that knows nothing of this exploration.
    const ReplayRun again = replayRun(program, prepared.entry, witness.schedule, budget);
    const bool reproduced =
        std::any_of(again.result.failures.begin(), again.result.failures.end(), [&](const Failure& f) {
          return f.kind == witness.failure.kind && f.place == witness.failure.place;
        });
    if (!reproduced) {
      if (budget.check() == StopReason::None)
        replayProblem = "internal: the schedule of '" + finding.message + "' did not replay";
      return;
    }
    if (report.stats.firstFindingSeconds < 0) report.stats.firstFindingSeconds = secondsSince(started);
    report.findings.push_back(finding);
    observer.finding(finding);
  };
  callbacks.progress = [&](const ExploreResult& result) {
    observer.progress({result.stats.executions, result.paths, result.stats.openLeaves});
  };

  Runner runner(program, exploreOptions, options.everyAccessIsEvent, callbacks);
  running = &runner;
  ForestStrategy(runner).explore(budget);
  ExploreResult& result = runner.result();
  if (!replayProblem.empty()) {
    result.problem = replayProblem;
    result.complete = false;
  }

  fillStats(report.stats, result);
  report.bounds.assign(result.bounds.begin(), result.bounds.end());
  for (const auto& [place, text] : result.assumptions)
    report.assumptions.push_back({text, sourcePlace(program, place)});
  const Verdict rest = verdictOf(result);
  for (const std::string& property : options.properties) {
    const bool violated = std::any_of(report.findings.begin(), report.findings.end(),
                                      [&](const Finding& f) { return f.kind == property; });
    report.properties[property] = violated ? Verdict::Violated : rest;
  }
  report.verdict = report.findings.empty() ? rest : Verdict::Violated;
  if (rest == Verdict::Unsupported) {
    report.problem = result.unsupported;
    report.problemPlace = sourcePlace(program, result.unsupportedPlace);
  } else if (rest == Verdict::Incomplete || rest == Verdict::Cancelled) {
    report.problem = whyIncomplete(result);
  }
  return close();
}

ReplayResult replay(const Snapshot& snapshot, const Options& options, const std::string& text,
                    const Budget& budget) {
  ReplayResult replayed;
  std::string parseError;
  const std::optional<Schedule> schedule = Schedule::parse(text, parseError);
  if (!schedule) {
    replayed.error = parseError;
    return replayed;
  }
  PreparedProgram prepared = prepare(snapshot, options.entry);
  if (!prepared.program) {
    replayed.error = prepared.problem;
    return replayed;
  }
  const Program& program = *prepared.program;
  const ReplayRun run = replayRun(program, prepared.entry, *schedule, budget);
  replayed.ok = run.divergence.empty();
  replayed.error = run.divergence;
  replayed.steps = describeSteps(program, *run.names, run.result.trace);
  replayed.threads = describeThreads(program, *run.names, run.result.trace);
  replayed.inputs = describeInputs(program, *run.names, run.result.inputs);
  replayed.output = run.result.output;
  for (const Failure& failure : run.result.failures) {
    Finding finding;
    finding.kind = propertyOf(failure.kind);
    finding.message = failure.message;
    finding.place = sourcePlace(program, failure.place);
    finding.id = findingId(finding.kind, finding.place, finding.message, snapshot.text);
    replayed.failures.push_back(std::move(finding));
  }
  return replayed;
}

}  // namespace heddle

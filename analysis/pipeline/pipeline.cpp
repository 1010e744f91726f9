#include "analysis/pipeline/pipeline.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "analysis/compile/older_system.h"
#include "analysis/detect/access_summary.h"
#include "analysis/detect/failure_finding.h"
#include "analysis/explore/run/journal.h"
#include "analysis/explore/states/census.h"
#include "analysis/explore/strategies/strategies.h"
#include "analysis/pipeline/finding_publisher.h"
#include "analysis/pipeline/fingerprint.h"
#include "analysis/pipeline/prepare.h"
#include "analysis/pipeline/reach_report.h"
#include "analysis/pipeline/replay_each.h"
#include "analysis/pipeline/replay_run.h"
#include "analysis/pipeline/search.h"
#include "analysis/pipeline/unknown_calls.h"
#include "analysis/pipeline/weak_phase.h"
#include "analysis/program/bound_text.h"
#include "analysis/program/reachable.h"

namespace heddle {

namespace {

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
  return result.bounds.empty() && result.assumptions.empty() ? Verdict::Verified
                                                             : Verdict::VerifiedWithinBounds;
}

Problem whyIncomplete(const ExploreResult& result) {
  if (result.problem) return result.problem;
  switch (result.stop) {
    case StopReason::Deadline:
      return {ProblemKind::Budget, "the time budget is spent"};
    case StopReason::Steps:
      return {ProblemKind::Budget, "the step budget is spent"};
    case StopReason::Memory:
      return {ProblemKind::Budget, "the memory limit is reached"};
    case StopReason::Cancelled:
      return {ProblemKind::Budget, "cancelled"};
    case StopReason::None:
      break;
  }
  return {ProblemKind::Budget, "not everything was explored"};
}

/// No verdict rests on what was never executed, unless everything was explored: then that it never is, is a
/// result.
void judgeReach(const Reach& reach, ExploreResult& result) {
  if (!result.complete || (result.bounds.empty() && result.assumptions.empty())) return;
  const std::string missing = essentialUnreached(reach);
  if (missing.empty()) return;
  result.complete = false;
  result.problem = {ProblemKind::NotReached, "not reached: " + missing};
}

/// Headers that a build would have made rest on a guess; nothing is proved of what the build makes, nor of
/// what does not compile.
void assumeCompiled(const Snapshot& snapshot, const PreparedProgram& prepared, ExploreResult& result) {
  for (const std::string& gap : prepared.gaps) result.assumptions.emplace(kNone, gap);
  const auto assume = [&](const CompileCommand& command) {
    for (const auto& [path, text] : command.made)
      result.assumptions.emplace(kNone,
                                 text.starts_with(kGoneHeader)
                                     ? path + ", which the C library has no more, is empty"
                                     : "the build makes " + path + " as its template or its names suggest");
  };
  assume(snapshot.command);
  for (const Unit& unit : snapshot.units) assume(unit.command);
}

/// Ordered by their text, each text once.
void nameBounds(const Program& program, const std::set<Bound>& bounds, std::vector<NamedBound>& named) {
  std::map<std::string, NamedBound> byText;
  for (const Bound& bound : bounds) {
    std::string text = boundText(program, bound);
    byText.try_emplace(text, NamedBound{bound.kind, text, sourcePlace(program, bound.place)});
  }
  for (auto& [text, bound] : byText) named.push_back(std::move(bound));
}

void nameOpen(const Program& program, const ExploreResult& result, std::vector<OpenPlace>& named) {
  if (result.complete) return;
  for (const auto& [where, branches] : result.open) {
    const char* const what = where.second == OpenKind::Condition ? "condition"
                             : where.second == OpenKind::Value   ? "value"
                                                                 : "step";
    const SourcePlace place = sourcePlace(program, where.first);
    if (place.line != 0) named.push_back({place, what, branches});
  }
  std::stable_sort(named.begin(), named.end(),
                   [](const OpenPlace& a, const OpenPlace& b) { return a.branches > b.branches; });
}

/// Sets the verdict of each property; returns that of the report where nothing was found.
Verdict judgeProperties(const Program& program, const Options& options, const Budget& budget,
                        const std::set<Property>& decided, ExploreResult& result, Report& report) {
  const Verdict rest = verdictOf(result);
  Verdict worst = rest;
  for (const Property property : options.properties) {
    if (infoOf(property).isWarning) continue;
    const bool violated = std::any_of(report.findings.begin(), report.findings.end(),
                                      [&](const Finding& f) { return f.kind == property; });
    Verdict verdict = rest;
    // Complete, but some query of this property got no answer.
    const bool undecided = needsDetector(property) && !decided.contains(property);
    if (undecided && !violated && (rest == Verdict::Verified || rest == Verdict::VerifiedWithinBounds))
      verdict = worst = budget.check() == StopReason::Cancelled ? Verdict::Cancelled : Verdict::Incomplete;
    if (property == Property::Misuse && !result.misuseBounds.empty()) {
      nameBounds(program, result.misuseBounds, report.bounds);
      if (verdict == Verdict::Verified) verdict = Verdict::VerifiedWithinBounds;
      if (worst == Verdict::Verified) worst = Verdict::VerifiedWithinBounds;
    }
    const bool isGreen = verdict == Verdict::Verified || verdict == Verdict::VerifiedWithinBounds;
    const bool isPossible = std::any_of(report.warnings.begin(), report.warnings.end(),
                                        [&](const Finding& f) { return f.possible && f.kind == property; });
    if (isPossible && isGreen && !violated) {
      verdict = worst = Verdict::Incomplete;
      if (!result.problem)
        result.problem = {ProblemKind::Program,
                          std::string("possible: ") + toString(property) + ", if what was assumed can be"};
    }
    report.properties[property] = violated ? Verdict::Violated : verdict;
  }
  return worst;
}

/// Why there is no verdict.
void nameProblem(const Program& program, Verdict worst, const ExploreResult& result, bool isForest,
                 Report& report) {
  if (worst == Verdict::Unsupported) {
    report.problem = result.unsupported;
    report.problemKind = ProblemKind::Program;
    report.problemPlace = sourcePlace(program, result.unsupportedPlace);
  } else if (worst == Verdict::Incomplete || worst == Verdict::Cancelled) {
    const Problem problem =
        result.complete && !isForest
            ? Problem{ProblemKind::Strategy, "races and deadlocks are looked for by the strategy forest only"}
            : whyIncomplete(result);
    report.problem = toText(problem);
    report.problemKind = problem.kind;
  }
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
  stats.states = result.stats.states;
  stats.solverSeconds = result.stats.solver.seconds;
  stats.interpSeconds = result.stats.interpSeconds;
}

}  // namespace

Report analyzePrepared(const std::function<PreparedProgram()>& prepareIt, const Snapshot& snapshot,
                       const Options& options, const Budget& budget, const Observer& observer) {
  const Clock::time_point started = Clock::now();
  Report report;
  report.file = snapshot.path;
  report.entry = options.entry;
  report.strategy = options.strategy;
  report.commandSource = snapshot.command.source;
  auto close = [&] {
    report.stats.wallSeconds = secondsSince(started);
    report.stats.peakRssMb = peakRssMb();
    for (const Property property : options.properties)
      if (!infoOf(property).isWarning) report.properties.try_emplace(property, report.verdict);
    return report;
  };
  const std::optional<StrategyChoice> choice = parseStrategy(options.strategy, report.problem);
  if (!choice) {
    report.verdict = Verdict::Unsupported;
    report.problemKind = ProblemKind::Strategy;
    return close();
  }
  const bool isForest = choice->name == "forest";

  const PreparedProgram prepared = prepareIt();
  report.stats.compileSeconds = prepared.compileSeconds;
  if (!prepared.program) {
    report.verdict = prepared.verdict;
    report.problem = prepared.problem;
    report.problemKind = ProblemKind::Program;
    report.compilerFailed = prepared.compilerFailed;
    report.problemPlace = prepared.problemPlace;
    report.missing = prepared.missing;
    return close();
  }
  const Program& program = *prepared.program;
  for (const FunctionId id : reachableFunctions(program, prepared.entry))
    report.reached.push_back(sourcePlace(program, program.functions[id].place));

  report.unknownCalls = unknownCallsOf(program, prepared.entry);

  ReachLog reachLog(program.code.size());
  ExploreOptions exploreOptions;
  exploreOptions.reach = &reachLog;
  exploreOptions.entry = prepared.entry;
  exploreOptions.unroll = options.unroll;
  exploreOptions.team.threads = options.workers;
  exploreOptions.mergePaths = isForest && !options.census;
  exploreOptions.con2colic = choice->con2colic;
  if (choice->inputs) exploreOptions.fixedInputs = &*choice->inputs;
  exploreOptions.solver = options.solver == "z3" ? SolverKind::Z3 : SolverKind::Sat;

  std::unique_ptr<Journal> journal;
  if (!options.checkpoint.empty()) {
    journal = Journal::open(options.checkpoint, fingerprint(program, snapshot, options, exploreOptions),
                            report.problem);
    if (!journal) {
      report.verdict = Verdict::Unsupported;
      report.problemKind = ProblemKind::Checkpoint;
      return close();
    }
    exploreOptions.journal = journal.get();
  }

  FindingPublisher publisher(program, prepared.entry, snapshot, options, budget, observer, report, started);
  std::optional<SearchResult> weakly;
  if (isForest) weakly = searchWeakPart(program, exploreOptions, options, budget, publisher, report);
  SearchCallbacks callbacks;
  callbacks.witness = [&](Runner& r, const Witness& witness) { publisher.failure(r, witness); };
  callbacks.detected = [&](Detection found) { publisher.detection(std::move(found)); };
  callbacks.progress = [&](const ExploreResult& explored) {
    observer.progress({explored.stats.executions, explored.paths, explored.stats.openLeaves});
  };
  SearchOptions searchOptions;
  searchOptions.explore = exploreOptions;
  searchOptions.everyAccessIsEvent = options.everyAccessIsEvent;
  searchOptions.text = snapshot.text;
  // A journal has no place for what warnings ask once the exploration is over.
  for (const Property property : options.properties)
    if (isForest && (options.checkpoint.empty() || !infoOf(property).isWarning))
      searchOptions.properties.insert(property);
  searchOptions.expectedStates = options.expectedStates;
  searchOptions.deepen = options.unroll == 0 && !options.census && options.checkpoint.empty();
  searchOptions.leavesTime = options.diagnose;
  Search search(program, searchOptions, callbacks);
  Runner& runner = search.runner();
  SearchResult searched;
  if (weakly) {
    // Most of what goes wrong there goes wrong under sequential consistency, too.
    if (publisher.hasWeak()) search.run(budget.part(&Tuning::afterWeakFailure));
    searched = std::move(*weakly);
  } else if (isForest) {
    searched = search.run(budget);
  } else {
    exploreWith(choice->name, runner, budget);
    searched.explored = runner.result();
  }
  ExploreResult& result = searched.explored;
  if (options.census && result.complete) {
    result.complete = takeCensus(runner, CensusOf::All, budget);
    result.paths = runner.result().paths;
    result.stats = runner.result().stats;
  }
  // It was asked for.
  if (options.memoryModel == MemoryModelKind::Sc)
    std::erase_if(result.bounds, [](const Bound& b) { return b.kind == BoundKind::WeakAtomics; });
  if (publisher.problem()) {
    result.problem = publisher.problem();
    result.complete = false;
  }

  exploreOptions.reach = nullptr;  // a diagnosis only repeats what is known
  report.reach = describeReach(program, prepared.entry, reachLog);
  assumeCompiled(snapshot, prepared, result);
  judgeReach(*report.reach, result);
  if (options.summarizeAccesses) report.accesses = summarizeAccesses(program, runner);
  fillStats(report.stats, result);
  if (exploreOptions.fixedInputs && runner.usedInputs()) result.bounds.insert({BoundKind::InputValues});
  nameBounds(program, result.bounds, report.bounds);
  nameOpen(program, result, report.open);
  if (result.coverage) {
    const BranchCoverage& covered = *result.coverage;
    report.bounds.push_back({BoundKind::BranchCoverage, coverageText(covered), {}});
    report.coverage = {covered.branches, covered.byDegree, covered.scenarios, covered.unrealizable,
                       covered.firstFinding};
  }
  for (const auto& [place, text] : result.assumptions)
    report.assumptions.push_back({text, sourcePlace(program, place)});
  const Verdict worst = judgeProperties(program, options, budget, searched.decided, result, report);
  report.verdict = report.findings.empty() ? worst : Verdict::Violated;
  report.provedLocations = result.provedLocations;
  nameProblem(program, worst, result, isForest, report);
  if (options.smallWitnesses) publisher.makeSmaller();
  if (options.diagnose) publisher.explainAll(exploreOptions, runner);
  return close();
}

std::vector<std::string_view> strategiesByName() {
  return strategyNames();
}

Report analyze(const Snapshot& snapshot, const Options& options, const Budget& budget,
               const Observer& observer) {
  const auto prepareIt = [&] {
    return prepare(snapshot, options.entry, options.properties.count(Property::Overflow) > 0);
  };
  return analyzePrepared(prepareIt, snapshot, options, budget, observer);
}

UnknownCalls findUnknownCalls(const Snapshot& snapshot, const std::string& entry) {
  PreparedProgram prepared = prepare(snapshot, "");
  UnknownCalls found{{}, prepared.problem, prepared.problemPlace};
  if (!prepared.program) return found;
  found.problem.clear();
  const std::optional<FunctionId> begin = prepared.program->findFunction(entry);
  found.calls = unknownCallsOf(*prepared.program, begin ? *begin : kNone);
  return found;
}

ReplayResult replayPrepared(const PreparedProgram& prepared, const Snapshot& snapshot,
                            const std::string& text, const Budget& budget) {
  ReplayResult replayed;
  const std::optional<Schedule> schedule = Schedule::parse(text, replayed.error);
  if (!schedule) return replayed;
  if (!prepared.program) {
    replayed.error = prepared.problem;
    return replayed;
  }
  const Program& program = *prepared.program;
  const ReplayRun run = replayRun(program, prepared.entry, *schedule, budget);
  replayed.ok = run.divergence.empty();
  replayed.error = run.divergence;
  replayed.steps = describeShownSteps(program, *run.names, run.result.trace);
  replayed.threads = describeThreads(program, *run.names, run.result.trace);
  replayed.inputs = describeInputs(program, *run.names, run.result.inputs);
  replayed.output = run.result.output;
  replayed.failures = findingsOf(program, run, snapshot.text, false);
  return replayed;
}

ReplayResult replay(const Snapshot& snapshot, const Options& options, const std::string& text,
                    const Budget& budget) {
  ReplayResult replayed;
  if (!Schedule::parse(text, replayed.error)) return replayed;  // not worth a compile
  return replayPrepared(prepare(snapshot, options.entry, options.properties.count(Property::Overflow) > 0),
                        snapshot, text, budget);
}

void replayEach(const Snapshot& snapshot, const Options& options, const std::vector<std::string>& schedules,
                const Budget& budget, const std::function<void(size_t index, const ReplayResult&)>& seen) {
  if (schedules.empty()) return;
  const PreparedProgram prepared =
      prepare(snapshot, options.entry, options.properties.count(Property::Overflow) > 0);
  for (size_t i = 0; i < schedules.size() && budget.check() == StopReason::None; i++)
    seen(i, replayPrepared(prepared, snapshot, schedules[i], budget));
}

}  // namespace heddle

#include "analysis/pipeline/weak_phase.h"

#include <algorithm>

#include "analysis/blocked_step.h"
#include "analysis/detect/failure_finding.h"
#include "analysis/detect/location_name.h"
#include "analysis/detect/order_finding.h"
#include "analysis/interp/weak/axioms.h"
#include "analysis/pipeline/finding_publisher.h"
#include "analysis/pipeline/replay_run.h"
#include "analysis/program/reachable.h"

namespace heddle {

namespace {

std::string verbOf(const Event& access) {
  return access.kind == EventKind::Read ? "reads" : hasWritten(access) ? "writes" : "reads";
}

std::string lifeVerbOf(const Event& access) {
  return access.kind == EventKind::Read ? "uses" : "frees";
}

void describeRacing(const Program& program, const ReplayRun& run, Finding& finding) {
  const Event *primary = &run.accessBefore, *other = &run.lastAccess;
  // As for races of other executions: the write is the more telling place; of two, the one further up.
  const bool firstWrites = hasWritten(*primary), secondWrites = hasWritten(*other);
  const bool isSecondHigher = program.place(other->place).line < program.place(primary->place).line;
  if ((!firstWrites && secondWrites) || (firstWrites == secondWrites && isSecondHigher))
    std::swap(primary, other);
  const bool isLife = isLifeByte(run.names->info(run.raced.object).name);
  const bool areVolatile = primary->isVolatile && other->isVolatile;
  const auto nameAt = [&](const Event& access) {
    return "'" + locationName(program, *run.names, run.raced, access.place) + "'";
  };
  finding.kind = areVolatile ? Property::Volatile : Property::Race;
  finding.message = areVolatile ? "volatile accesses to " + nameAt(*primary) + " that nothing orders"
                                : "data race on " + nameAt(*primary);
  if (!isLife) finding.message += besideHandler(*run.names, {primary->thread, other->thread});
  finding.place = sourcePlace(program, primary->place);
  if (isLife) {
    finding.message =
        nameAt(*primary) + (other->kind == EventKind::Read ? " is freed here while another thread uses it"
                                                           : " is freed by two threads, in no order");
    finding.freedAt = finding.place;
  }
  finding.about = {findingObject(program, *run.names, run.raced)};
  for (const Event* access : {other, primary})
    finding.related.push_back({sourcePlace(program, access->place),
                               run.names->label(access->thread) + " " +
                                   (isLife ? lifeVerbOf(*access) : verbOf(*access)) + " " + nameAt(*access) +
                                   " here, and nothing orders it with the other"});
}

void describeWaiting(const Program& program, const ReplayRun& run, Finding& finding) {
  finding.kind = Property::Deadlock;
  for (const Event& event : run.result.blocked) {
    const std::string thread = run.names->label(event.thread);
    finding.message += (finding.message.empty() ? "deadlock: " : ", ") + thread + " waits for ever";
    finding.related.push_back({sourcePlace(program, event.place), thread + " waits for ever here"});
    finding.steps.push_back({thread, sourcePlace(program, event.place), "waits for ever", kBlockedStep});
  }
  finding.place = sourcePlace(program, run.result.blocked.front().place);
}

/// What was read or overwritten although it was not the latest.
void addWeakReads(const Program& program, const ReplayRun& run, const Schedule& schedule, Finding& finding) {
  for (const TraceEntry& entry : run.result.trace) {
    const std::string thread = run.names->label(entry.thread);
    if (!schedule.writes.contains({thread, entry.operation})) continue;
    const SourcePlace place = sourcePlace(program, entry.place);
    finding.related.push_back({place, thread + ": " + entry.text});
    // The last one is the nearest to what goes wrong.
    finding.explanation.emplace();
    finding.explanation->claim = "the memory orders let " + thread + " take an older write at line " +
                                 std::to_string(place.line) + ": " + entry.text;
    finding.explanation->pattern = "memory order too weak";
  }
  if (!finding.explanation && isRace(finding)) {
    finding.explanation.emplace();
    finding.explanation->claim =
        "no lock, join, or release that is acquired stands between the two accesses of " +
        finding.about.front().name;
  }
}

}  // namespace

bool showsWeakly(const ReplayRun& run, const WeakWitness& witness) {
  switch (witness.kind) {
    case WeakKind::Race:
      return run.race;
    case WeakKind::Stuck:
      return run.result.stuck && !run.result.blocked.empty();
    case WeakKind::Failure:
      break;
  }
  return std::any_of(run.result.failures.begin(), run.result.failures.end(), [&](const Failure& failure) {
    return failure.kind == witness.failure.kind && failure.place == witness.failure.place;
  });
}

static bool isWeak(const Program& program, FunctionId entry, MemoryModelKind model) {
  if (model == MemoryModelKind::Sc) return false;
  const Axioms& axioms = Axioms::of(model);
  if (axioms.coversPlainAccesses() || !axioms.honoursSeqCst()) return true;
  if (program.weakAtomics.empty()) return false;
  const std::vector<FunctionId> reached = reachableFunctions(program, entry);
  return std::any_of(program.weakAtomics.begin(), program.weakAtomics.end(), [&](const auto& weaker) {
    return std::any_of(reached.begin(), reached.end(), [&](FunctionId id) {
      const Function& function = program.functions[id];
      return function.entry <= weaker.first && weaker.first < function.end;
    });
  });
}

std::optional<Finding> describeWeakly(const Program& program, FunctionId entry, const WeakWitness& witness,
                                      std::string_view text, const Budget& budget, Problem& problem) {
  const ReplayRun run = replayRun(program, entry, witness.schedule, budget);
  if (!run.divergence.empty() || !showsWeakly(run, witness)) {
    if (budget.check() == StopReason::None)
      problem = {ProblemKind::Ours, "a schedule did not replay: " + witness.schedule.toString() +
                                        (run.divergence.empty() ? "" : ": " + run.divergence)};
    return std::nullopt;
  }
  Finding finding;
  const std::vector<TraceEntry>& trace = run.result.trace;
  if (witness.kind == WeakKind::Failure) {
    const auto failure = std::find_if(run.result.failures.begin(), run.result.failures.end(),
                                      [&](const Failure& f) { return f.place == witness.failure.place; });
    const size_t length = failure->traceLength == 0 ? trace.size() : failure->traceLength;
    finding = describeFailure(program, *run.names,
                              {*failure,
                               witness.schedule,
                               run.result.inputs,
                               {trace.begin(), trace.begin() + static_cast<std::ptrdiff_t>(length)}},
                              text);
  } else {
    finding.inputs = describeInputs(program, *run.names, run.result.inputs);
    finding.schedule = witness.schedule.toString();
    finding.steps = describeShownSteps(program, *run.names, trace, witness.kind == WeakKind::Race ? 2 : 0);
    finding.threads = describeThreads(program, *run.names, trace);
    if (witness.kind == WeakKind::Race)
      describeRacing(program, run, finding);
    else
      describeWaiting(program, run, finding);
    finding.id = findingId(finding, text);
  }
  addWeakReads(program, run, witness.schedule, finding);
  return finding;
}

static ExploreResult asExplored(const WeakResult& weak) {
  ExploreResult result;
  result.complete = weak.complete;
  result.stop = weak.stop;
  result.problem = weak.problem;
  result.unsupported = weak.unsupported;
  result.unsupportedPlace = weak.unsupportedPlace;
  result.bounds = weak.bounds;
  result.misuseBounds = weak.misuseBounds;
  result.assumptions = weak.assumptions;
  result.paths = weak.executions;
  result.stats.executions = weak.runs;
  result.stats.events = weak.events;
  result.stats.states = weak.graphs;
  return result;
}

std::optional<SearchResult> searchWeakPart(const Program& program, const ExploreOptions& explored,
                                           const Options& options, const Budget& budget,
                                           FindingPublisher& publisher, Report& report) {
  const MemoryModelKind model = options.memoryModel;
  if (!isWeak(program, explored.entry, model)) {
    report.memory = model == MemoryModelKind::Sc
                        ? "sc"
                        : std::string(toString(model)) +
                              ": sequential consistency suffices, as no atomic operation is weaker";
    return std::nullopt;
  }
  WeakOptions weakOptions;
  weakOptions.entry = explored.entry;
  weakOptions.model = model;
  weakOptions.unroll = options.unroll;
  weakOptions.reach = explored.reach;
  weakOptions.inputs = explored.fixedInputs;
  const bool isLast = Axioms::of(model).coversPlainAccesses();
  const Budget part = isLast ? budget.part(1) : budget.part(&Tuning::weakExecutions);
  const WeakResult weak =
      searchWeakly(program, weakOptions, part, [&](const WeakWitness& found) { publisher.weak(found); });
  report.memory = std::string(toString(model));
  SearchResult result;
  result.explored = asExplored(weak);
  if (weak.complete) {
    report.memory += ": every execution visited, " + std::to_string(weak.executions);
    result.decided = {Property::Race, Property::Volatile, Property::Deadlock};
    return result;
  }
  const std::string why = weak.problem                ? weak.problem.text
                          : !weak.unsupported.empty() ? weak.unsupported
                                                      : "its part of the budget is spent";
  report.memory += ": not every execution visited: " + why;
  // Under C11 what follows names its bound: weaker operations are taken as sequentially consistent.
  if (!isLast && weak.stop != StopReason::Cancelled) return std::nullopt;
  return result;
}

}  // namespace heddle

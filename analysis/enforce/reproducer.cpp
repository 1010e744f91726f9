#include <llvm/IR/Module.h>

#include "analysis/detect/failure_finding.h"
#include "analysis/enforce/instrument.h"
#include "analysis/enforce/native_plan.h"
#include "analysis/enforce/native_program.h"
#include "analysis/enforce/runtime_text.h"
#include "analysis/enforce/sites.h"
#include "analysis/pipeline/prepare.h"
#include "analysis/pipeline/replay_run.h"

namespace heddle {

namespace {

std::string runtimeWith(const std::string& plan) {
  std::string text = nativeRuntime();
  const std::string_view mark = "\nHEDDLE_PLAN\n";
  const size_t at = text.find(mark);
  return text.replace(at, mark.size(), "\n" + plan + "\n");
}

/// How the recorded run ends.
struct Ending {
  bool isRace = false, isDeadlock = false, isFailure = false;
  explicit operator bool() const { return isRace || isDeadlock || isFailure; }
};

Ending endingOf(const ReplayRun& run, const std::set<Property>& kinds) {
  Ending ending;
  const auto wants = [&](Property property) { return kinds.count(property) > 0; };
  const auto& failures = run.result.failures;
  if (!failures.empty() && wants(propertyOf(failures.back().kind)))
    ending.isFailure = true;
  else if (run.race && (wants(Property::Race) || wants(Property::Volatile)))
    ending.isRace = true;
  else if (run.result.outcome == RunOutcome::Quiescent && !run.result.blocked.empty() &&
           wants(Property::Deadlock))
    ending.isDeadlock = true;
  return ending;
}

std::string findingText(const Program& program, const ReplayRun& run, const Ending& ending) {
  const auto at = [&](PlaceId place) { return " at " + program.shortPlace(place); };
  if (ending.isFailure) {
    const Failure& failure = run.result.failures.back();
    return failure.message + at(failure.place) + " in " + run.names->label(failure.thread);
  }
  if (ending.isRace)
    return "data race between " + run.names->label(run.accessBefore.thread) + at(run.accessBefore.place) +
           " and " + run.names->label(run.lastAccess.thread) + at(run.lastAccess.place);
  std::string text = "deadlock";
  for (const Event& event : run.result.blocked)
    text += (text == "deadlock" ? ": " : ", ") + run.names->label(event.thread) + at(event.place);
  return text;
}

}  // namespace

NativeProgram reproducer(const Snapshot& snapshot, const Options& options, const std::string& text,
                         std::optional<Property> kind, const Budget& budget) {
  NativeProgram native;
  const std::optional<Schedule> schedule = Schedule::parse(text, native.problem);
  if (!schedule) return native;
  if (schedule->model) {
    native.problem =
        "a native program cannot be made to read anything but the latest write, as this schedule does";
    return native;
  }
  if (options.entry != "main") {
    native.problem = "a native program starts at main, not at '" + options.entry + "'";
    return native;
  }
  CompileResult compiled;
  PreparedProgram prepared =
      prepareModule(snapshot, options.properties.count(Property::Overflow) > 0, compiled);
  std::vector<Site> sites;
  if (compiled.module) {
    native.problem = whyNotNative(*compiled.module, snapshot.environment.signals);
    if (!native.problem.empty()) return native;
    sites = markSites(*compiled.module, true);
    lowerModule(*compiled.module, snapshot, options.entry, prepared);
  }
  if (!prepared.program) {
    native.problem = prepared.problem;
    return native;
  }
  // What only one thread uses needs no order; where that run does not end as it should, everything has one.
  ReplayLog log;
  ReplayRun run;
  Ending ending;
  const std::set<Property> kinds = kind ? std::set{*kind} : options.properties;
  for (const bool everyAccess : {false, true}) {
    for (const bool afterwards : {false, true}) {
      run = recordRun(*prepared.program, prepared.entry, *schedule, budget, everyAccess, afterwards, log);
      ending = endingOf(run, kinds);
      if (ending) break;
    }
    if (ending) break;
  }
  if (!ending) {
    native.problem = run.divergence.empty() ? "the schedule does not show the finding again"
                                            : "the schedule does not replay: " + run.divergence;
    return native;
  }
  NativePlan plan = planOf(run, log, sites, ending.isRace, ending.isDeadlock);
  plan.finding = findingText(*prepared.program, run, ending);
  const bool isMemory = ending.isFailure && run.result.failures.back().kind == FailureKind::Memory;
  if (ending.isFailure && run.result.failures.back().kind == FailureKind::Uninitialized) {
    native.problem = "a native program does not tell that a value was never written: " + plan.finding;
    return native;
  }

  Instrumentation what;
  what.sites = plan.sites;
  what.plannedWaits = true;
  what.heap = isMemory ? HeapKind::Guarded : HeapKind::Zeroed;
  what.inputs = plan.inputs;
  instrument(*compiled.module, sites, what);
  native.bitcode = bitcodeOf(*compiled.module);
  native.runtime = runtimeWith(planText(plan, sites));
  native.notes = plan.notes;
  native.finding = plan.finding;
  native.threads = static_cast<uint32_t>(plan.threads.size());
  native.sites = static_cast<uint32_t>(plan.sites.size());
  for (const NativeThread& thread : plan.threads) native.steps += static_cast<uint32_t>(thread.steps.size());
  return native;
}

}  // namespace heddle

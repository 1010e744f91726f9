#include "tests/unit/diagnose/diagnosed.h"

#include "analysis/detect/deadlock.h"
#include "analysis/detect/race.h"
#include "analysis/diagnose/diagnosis.h"
#include "analysis/explore/strategies/forest_strategy.h"
#include "analysis/pipeline/prepare.h"

namespace heddle::test {

namespace {

Snapshot snapshotOf(const std::string& text, bool withHeaders, const std::string& path = "/nowhere/test.c") {
  Snapshot snapshot;
  snapshot.path = path;
  if (withHeaders)
    snapshot.text =
        "#include <pthread.h>\n#include <assert.h>\n#include <stdlib.h>\nint heddle_input_int(void);\n";
  snapshot.text += text;
  snapshot.command = commandFromFlags(snapshot.path, {});
  return snapshot;
}

}  // namespace

Report explained(const std::string& text, const std::string& solver, uint64_t steps) {
  Options options;
  options.diagnose = true;
  options.solver = solver;
  return analyze(snapshotOf(text, true), options, Budget().withSteps(steps));
}

ReplayResult replayed(const std::string& text, const std::string& schedule) {
  return replay(snapshotOf(text, true), {}, schedule, Budget().withSteps(1'000'000));
}

ProvedCores proveCores(const std::string& text, SolverKind finder, SolverKind prover, bool withHeaders,
                       const std::string& path) {
  ProvedCores result;
  const PreparedProgram prepared = prepare(snapshotOf(text, withHeaders, path), "main");
  if (!prepared.program) {
    result.problem = prepared.problem;
    return result;
  }
  ExploreOptions options;
  options.entry = prepared.entry;
  options.solver = finder;
  options.mergePaths = false;
  std::vector<DiagnosisSubject> subjects;
  ExploreCallbacks callbacks;
  callbacks.witness = [&](const Witness& witness) { subjects.push_back(DiagnosisSubject::of(witness)); };
  Runner runner(*prepared.program, options, false, callbacks);
  const Budget budget = Budget().withSteps(4'000'000);
  ForestStrategy strategy(runner);
  RaceDetector races(strategy, [&](const Race& race) {
    subjects.push_back(DiagnosisSubject::of(runner, race.schedule, race.first, race.second));
  });
  DeadlockDetector deadlocks(strategy, [&](const Deadlock& deadlock) {
    subjects.push_back(DiagnosisSubject::of(runner, deadlock.schedule, deadlock.waiting));
  });
  callbacks.stuck = [&](const StuckRun& run) { deadlocks.stuck(run); };
  strategy.explore(budget, [&] {
    deadlocks.check(budget);
    races.check(budget);
  });
  for (const DiagnosisSubject& subject : subjects) {
    const std::optional<FailingExecution> failing = failingExecution(runner, subject, budget);
    if (!failing) {
      result.problem = "a failing execution could not be followed";
      return result;
    }
    const SourceEvents events(runner.forest());
    ExecutionFormula formula(runner.forest(), events, runner.builder().initialValues(), runner.terms(),
                             finder);
    ExecutionFormula fresh(runner.forest(), events, runner.builder().initialValues(), runner.terms(), prover);
    if (!formula.build(failing->target, budget) || !fresh.build(failing->target, budget)) {
      result.problem = "out of budget";
      return result;
    }
    CoreOptions coreOptions;
    if (subject.kind == DiagnosisSubject::Kind::Race) coreOptions.maxCores = 1;
    const CoreSet set = findCores(runner, events, formula, failing->execution, coreOptions, budget);
    if (!set.problem.empty()) result.problem = set.problem;
    ++result.findings;
    result.complete.push_back(set.complete);
    for (const Core& core : set.cores) {
      ++result.cores;
      result.sizes.push_back(core.orderings.size());
      result.proved += proveCore(runner.names(), fresh, core, budget) ? 1 : 0;
    }
  }
  return result;
}

}  // namespace heddle::test

#include "tests/unit/explore/explored.h"

#include <fstream>
#include <sstream>

#include "analysis/detect/deadlock.h"
#include "analysis/detect/race.h"
#include "analysis/explore/forest/local_paths.h"
#include "analysis/explore/states/census.h"
#include "analysis/explore/states/state_search.h"
#include "analysis/explore/strategies/forest_strategy.h"
#include "analysis/explore/strategies/strategies.h"
#include "analysis/pipeline/prepare.h"
#include "analysis/solver/sat/proof_checker.h"
#include "tests/paths/paths.h"

namespace heddle::test {

namespace {

Snapshot snapshotOf(const std::string& text) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/test.c";
  snapshot.text = withHeaders(text);
  snapshot.command = commandFromFlags(snapshot.path, {});
  return snapshot;
}

/// `file`: below tests/.
Snapshot snapshotOfFile(const std::string& file, const std::vector<std::string>& flags) {
  Snapshot snapshot;
  snapshot.path = sourceDirectory() + "/tests/" + file;
  std::stringstream text;
  text << std::ifstream(snapshot.path).rdbuf();
  snapshot.text = text.str();
  snapshot.command = commandFromFlags(snapshot.path, flags);
  return snapshot;
}

}  // namespace

std::string withHeaders(const std::string& text) {
  return "#include <pthread.h>\n#include <assert.h>\n#include <stdlib.h>\n#include <stdio.h>\n"
         "int heddle_input_int(void); void heddle_assume(int);\n" +
         text;
}

Report check(const std::string& text, const Options& options, uint64_t steps, Budget budget) {
  return analyze(snapshotOf(text), options, budget.withSteps(steps));
}

ReplayResult replayed(const std::string& text, const std::string& schedule) {
  return replay(snapshotOf(text), {}, schedule, Budget().withSteps(1'000'000));
}

namespace {

/// The oracle takes inputs from a list; what happens by itself would be inputs that the list does not have.
/// The reference interpreter judges it (tests/reference).
Snapshot ofWhatTheOracleKnows(const std::string& text) {
  Snapshot snapshot = snapshotOf(text);
  snapshot.environment.noSpuriousWakeups = snapshot.environment.noWeakFailures = true;
  return snapshot;
}

void noteResult(const PreparedProgram& prepared, Runner& runner, Reached& reached) {
  const ExploreResult& result = runner.result();
  reached.complete = result.complete;
  reached.problem = result.problem ? toText(result.problem) : result.unsupported;
  reached.executions = result.stats.executions;
  reached.localPaths = localPaths(runner.forest(), runner.names(), *prepared.program);
  reached.globalPaths =
      globalPaths(runner.forest(), runner.builder().paths(), runner.names(), *prepared.program);
  for (const Witness& witness : result.witnesses) {
    const Place& place = prepared.program->place(witness.failure.place);
    reached.failures.insert(std::to_string(place.line) + ":" + std::to_string(place.column) + " " +
                            witness.failure.message);
  }
}

Reached runForest(const Snapshot& snapshot, const Inputs* inputs, SolverKind solver, bool mergePaths,
                  const SolverTeam::Shape& team = {}, bool inputsFirst = false) {
  Reached reached;
  const PreparedProgram prepared = prepare(snapshot, "main");
  if (!prepared.program) {
    reached.problem = prepared.problem;
    return reached;
  }
  ExploreOptions options;
  options.entry = prepared.entry;
  options.solver = solver;
  options.fixedInputs = inputs;
  options.mergePaths = mergePaths;
  options.inputsFirst = inputsFirst;
  options.team = team;
  // Every derivation of the search is followed; past the limit it is only cut, never wrong.
  const auto proof = std::make_shared<sat::ProofChecker>(5'000'000);
  options.team.search.proof = proof;
  ExploreCallbacks callbacks;
  Runner runner(*prepared.program, options, false, callbacks);
  const Budget budget = Budget().withSteps(2'000'000);
  ForestStrategy strategy(runner);
  RaceDetector races(strategy, [&](const Race& race) {
    const Forest& forest = runner.forest();
    reached.races.insert(placePair(*prepared.program, forest[race.first].place, forest[race.second].place));
  });
  DeadlockDetector deadlocks(strategy, [&](const Deadlock&) { reached.deadlock = true; });
  callbacks.stuck = [&](const StuckRun& run) { deadlocks.stuck(run); };
  bool decided = false;
  strategy.explore(budget, [&] { decided = deadlocks.check(budget) && races.check(budget); });
  noteResult(prepared, runner, reached);
  reached.complete = reached.complete && decided;
  if (!proof->problem().empty()) {
    reached.complete = false;
    reached.problem = "internal: the solver's derivation is wrong: " + proof->problem();
  }
  return reached;
}

Reached runOracle(const Snapshot& snapshot, const std::vector<Inputs>& inputs, bool symbolic,
                  bool valueForks = false) {
  Reached reached;
  const PreparedProgram prepared = prepare(snapshot, "main");
  if (!prepared.program) {
    reached.problem = prepared.problem;
    return reached;
  }
  const ExhaustiveResult result = exploreExhaustively(*prepared.program, prepared.entry, inputs,
                                                      Budget().withSteps(50'000'000), symbolic, valueForks);
  return {result.complete, result.problem, result.localPaths, result.failures,
          result.races,    result.stuck,   result.executions, result.globalPaths};
}

}  // namespace

Reached reachedByForest(const std::string& text, const Inputs& inputs, SolverKind solver) {
  return runForest(ofWhatTheOracleKnows(text), &inputs, solver, false);
}

Reached reachedByForest(const std::string& text, SolverKind solver) {
  return runForest(ofWhatTheOracleKnows(text), nullptr, solver, false);
}

Reached reachedByInputs(const std::string& text) {
  return runForest(ofWhatTheOracleKnows(text), nullptr, SolverKind::Sat, false, {}, true);
}

Reached reachedWithMerging(const std::string& text, const Inputs* inputs) {
  return runForest(ofWhatTheOracleKnows(text), inputs, SolverKind::Sat, true);
}

Reached reachedByTeam(const std::string& text, unsigned threads) {
  SolverTeam::Shape shape;
  shape.threads = threads;
  shape.slice = 100;
  shape.aloneSlices = 1;
  shape.search.pollTicks = 100;
  return runForest(ofWhatTheOracleKnows(text), nullptr, SolverKind::Sat, true, shape);
}

Reached reachedByOracle(const std::string& text, const Inputs& inputs) {
  return runOracle(ofWhatTheOracleKnows(text), {inputs}, false);
}

Reached reachedByOracle(const std::string& text, const std::vector<Inputs>& each) {
  return runOracle(ofWhatTheOracleKnows(text), each, true);
}

namespace {

/// `inputs`: null: all of them.
void searchStates(const PreparedProgram& prepared, const Inputs* inputs, unsigned workers, Reached& reached) {
  const Program& program = *prepared.program;
  StateSearchOptions options{prepared.entry, false, inputs};
  options.workers = workers;
  options.leastAhead = 2;
  StateSearch search(program, options);
  StateSearchResult result;
  for (const uint64_t most : {7, 60, 2'000'000}) result = search.run(most, {});  // it can be interrupted
  reached.eagerSteps += result.eagerSteps;
  reached.complete = reached.complete && result.complete;
  if (!result.complete) reached.problem = result.problem;
  reached.executions += result.executions;
  reached.states += result.states;
  reached.deadlock |= !result.neverStuck;
  for (const auto& [places, how] : result.races)
    reached.races.insert(placePair(program, places.first, places.second));
  for (const auto& [failure, schedule] : result.failures) {
    const auto& [kind, at, message] = failure;
    const Place& place = program.place(at);
    reached.failures.insert(std::to_string(place.line) + ":" + std::to_string(place.column) + " " + message);
  }
}

}  // namespace

Reached reachedByStates(const std::string& text, const std::vector<Inputs>& each) {
  Reached reached;
  const PreparedProgram prepared = prepare(ofWhatTheOracleKnows(text), "main");
  reached.problem = prepared.problem;
  reached.complete = prepared.program != nullptr;
  for (const Inputs& inputs : each)
    if (prepared.program) searchStates(prepared, &inputs, 1, reached);
  return reached;
}

Reached reachedByStates(const std::string& text, unsigned workers) {
  Reached reached;
  const PreparedProgram prepared = prepare(ofWhatTheOracleKnows(text), "main");
  reached.problem = prepared.problem;
  reached.complete = prepared.program != nullptr;
  if (prepared.program) searchStates(prepared, nullptr, workers, reached);
  return reached;
}

namespace {

void exploreBy(const std::string& strategy, Runner& runner, const Budget& budget) {
  if (strategy != "census") {
    exploreWith(strategy, runner, budget);
    return;
  }
  ForestStrategy forest(runner);
  forest.explore(budget);
  ExploreResult& result = runner.result();
  if (result.complete) result.complete = takeCensus(runner, CensusOf::All, budget);
}

Reached runStrategy(const std::string& strategy, const std::string& text, const Inputs* inputs) {
  Reached reached;
  const PreparedProgram prepared = prepare(ofWhatTheOracleKnows(text), "main");
  if (!prepared.program) {
    reached.problem = prepared.problem;
    return reached;
  }
  ExploreOptions options;
  options.entry = prepared.entry;
  options.mergePaths = false;
  options.fixedInputs = inputs;
  const ExploreCallbacks callbacks;
  Runner runner(*prepared.program, options, false, callbacks);
  // The number of scenarios can be out of all proportion to the number of paths.
  const Budget budget = Budget().withSteps(strategy == "con2colic" ? 5'000 : 2'000'000);
  exploreBy(strategy, runner, budget);
  noteResult(prepared, runner, reached);
  return reached;
}

}  // namespace

Reached reachedBy(const std::string& strategy, const std::string& text) {
  return runStrategy(strategy, text, nullptr);
}

ReachedByWorkers reachedByWorkers(const std::string& strategy, const std::string& file,
                                  const std::vector<std::string>& flags, unsigned workers, uint64_t steps) {
  ReachedByWorkers by;
  const PreparedProgram prepared = prepare(snapshotOfFile(file, flags), "main");
  if (!prepared.program) {
    by.reached.problem = prepared.problem;
    return by;
  }
  ExploreOptions options;
  options.entry = prepared.entry;
  options.mergePaths = false;
  options.team.threads = workers;
  const ExploreCallbacks callbacks;
  Runner runner(*prepared.program, options, false, callbacks);
  exploreBy(strategy, runner, Budget().withSteps(steps));
  noteResult(prepared, runner, by.reached);
  by.queries = runner.result().stats.solver.queries;
  for (const Witness& witness : runner.result().witnesses)
    by.schedules.push_back(witness.schedule.toString());
  return by;
}

Reached reachedByValues(const std::string& text, const Inputs& inputs) {
  return runStrategy("mcr", text, &inputs);
}

Reached reachedByOracleOfValues(const std::string& text, const Inputs& inputs) {
  return runOracle(ofWhatTheOracleKnows(text), {inputs}, false, true);
}

std::set<std::string> branchSides(const std::set<std::string>& localPaths) {
  std::set<std::string> sides;
  for (const std::string& path : localPaths) {
    const std::string last = path.substr(path.rfind(' ') + 1);
    if (last.find('=') != std::string::npos) sides.insert(last);
  }
  return sides;
}

Report checkBenchProgram(const std::string& file, const std::vector<std::string>& flags,
                         const Options& options, uint64_t steps) {
  return analyze(snapshotOfFile("bench/programs/" + file, flags), options, Budget().withSteps(steps));
}

}  // namespace heddle::test

#include "analysis/explore/states/census.h"

#include <algorithm>
#include <set>

#include "analysis/explore/forest/thread_prefix.h"
#include "analysis/explore/states/final_states.h"

namespace heddle {

namespace {

/// The formula lets a thread that goes round stay where it is; the machine only while what it waits for does
/// not come. So the execution may have gone on from there, to a path that is a final one.
bool wentOn(const Forest& forest, const GlobalPath& expected, const GlobalPath& actual) {
  const std::set<Forest::Await> awaits = forest.awaits();
  const auto goesRound = [&](ThreadId thread, Position at) {
    return std::any_of(awaits.begin(), awaits.end(), [&](const Forest::Await& await) {
      return await.thread == thread && await.node == at.node && await.slot == at.slot;
    });
  };
  bool someGoRound = false;
  for (ThreadId t = 0; t < expected.size(); ++t) {
    const bool isRound = expected[t].node != kNone && goesRound(t, expected[t]);
    someGoRound |= isRound;
    const Position at = t < actual.size() ? actual[t] : Position{};
    if (!isRound && !follows(forest, at, {ThreadPrefix::End::Observed, expected[t], {}})) return false;
  }
  return someGoRound;
}

}  // namespace

bool takeCensus(Runner& runner, CensusOf which, const Budget& budget) {
  ExploreResult& result = runner.result();
  ForestFormula formula(runner);
  if (!formula.update(budget)) {
    noteNoAnswer(runner, Answer::Timeout, budget);
    return false;
  }
  FinalStates states(runner.forest(), formula);
  if (which == CensusOf::Waiting) states.requireWaiting();
  for (const GlobalPath& path : runner.builder().paths()) states.exclude(path);
  const size_t known = runner.forest().size();
  Answer answer = Answer::Sat;
  std::string problem;
  while ((answer = formula.ask({}, budget)) == Answer::Sat) {
    const GlobalPath expected = states.path();
    ModelInputs inputs;
    std::vector<NodeId> plan = formula.plan(inputs);
    const Runner::Outcome outcome = followPlan(runner, std::move(plan), inputs, {}, budget, problem);
    if (outcome != Runner::Outcome::Merged || !problem.empty()) break;
    const bool isExpected = runner.builder().paths().count(expected) != 0 ||
                            wentOn(runner.forest(), expected, runner.builder().positions());
    if (!isExpected || runner.forest().size() != known) {
      problem = "an execution of the census took another path than its model";
      break;
    }
    states.exclude(expected);
    runner.progress();
  }
  result.stats.solver += formula.solver().stats();
  if (!problem.empty() && !result.problem) result.problem = runner.whyMissed(problem);
  if (answer != Answer::Unsat && answer != Answer::Sat) noteNoAnswer(runner, answer, budget);
  return answer == Answer::Unsat;
}

}  // namespace heddle

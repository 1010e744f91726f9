#include "analysis/explore/census.h"

#include "analysis/explore/final_states.h"

namespace heddle {

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
    if (runner.builder().paths().count(expected) == 0 || runner.forest().size() != known) {
      problem = "an execution of the census took another path than its model";
      break;
    }
    states.exclude(expected);
    runner.progress();
  }
  addStats(result.stats.solver, formula.solver().stats());
  if (!problem.empty() && !result.problem) result.problem = {ProblemKind::Ours, problem};
  if (answer != Answer::Unsat && answer != Answer::Sat) noteNoAnswer(runner, answer, budget);
  return answer == Answer::Unsat;
}

}  // namespace heddle

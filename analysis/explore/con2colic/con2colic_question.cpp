#include "analysis/explore/con2colic/con2colic_question.h"

#include <utility>

namespace heddle {

namespace {

/// The reads that find a write of their own thread, or the initial value.
std::vector<std::pair<NodeId, LocationId>> localReads(const Forest& forest, const Scenario& scenario) {
  std::vector<std::pair<NodeId, LocationId>> reads;
  for (const ThreadPrefix& end : scenario.ends)
    for (NodeId id = end.at.node; id != kNone; id = forest[id].parent) {
      if (!isMemoryRead(forest[id])) continue;
      for (const NodeCell& cell : forest[id].cells)
        if (scenario.interferences.count({id, cell.location}) == 0) reads.emplace_back(id, cell.location);
    }
  return reads;
}

}  // namespace

Con2colicAnswer answerTo(const FormulaParts& parts, const Scenario& scenario, bool cores, Budget budget) {
  PathEvents events;
  for (const ThreadPrefix& end : scenario.ends) events.threads.push_back(pathOf(parts.forest, end));
  PathFormula formula(parts, events);
  formula.fixReads(scenario.interferences);
  Con2colicAnswer result;
  result.answer = formula.check(budget);
  if (result.answer == Answer::Sat) result.plan = formula.plan(result.inputs);
  if (result.answer == Answer::Unsat)
    result.reads = cores ? formula.coreReads(budget) : localReads(parts.forest, scenario);
  result.stats = formula.stats();
  result.budget = std::move(budget);
  return result;
}

}  // namespace heddle

#include "analysis/diagnose/nearest_passing.h"

#include <algorithm>
#include <map>

namespace heddle {

namespace {

std::vector<Ordering> changedIn(const RecordedExecution& execution, const SourceEvents& events,
                                const std::vector<Ordering>& orderings) {
  std::map<SourceEventId, size_t> position;
  for (size_t i = 0; i < execution.order.size(); ++i) position[events.of(execution.order[i])] = i;
  std::vector<Ordering> changed;
  for (const Ordering& o : orderings) {
    const auto before = position.find(o.before), after = position.find(o.after);
    if (before != position.end() && after != position.end() && after->second < before->second)
      changed.push_back(o);
  }
  return changed;
}

}  // namespace

std::optional<NearestPassing> findNearestPassing(Runner& runner, const SourceEvents& events,
                                                 ExecutionFormula& formula, const Core& core,
                                                 const NearestOptions& options, const Budget& budget) {
  const std::vector<Ordering> orderings =
      orderingsOf(runner.forest(), events, formula.precedence(), core.failing, Pairs::Dependent);
  if (orderings.size() > options.maxOrderings) return std::nullopt;
  std::vector<Lit> kept;
  for (const Ordering& ordering : orderings) kept.push_back(formula.ordering(ordering));
  const std::vector<Lit> atMost = formula.countDropped(kept, options.maxChanged);
  std::vector<Lit> hard{formula.passes(), formula.noFailure(),
                        formula.inputs(runner.names(), core.failing.inputs)};
  NearestPassing nearest;
  Answer answer = Answer::Unsat;
  for (uint32_t k = 1; k < atMost.size() && answer == Answer::Unsat; ++k) {
    hard.push_back(atMost[k]);
    answer = formula.check(hard, budget);
    hard.pop_back();
    nearest.fewest = answer == Answer::Sat;
  }
  if (answer == Answer::Unsat) answer = formula.check(hard, budget);
  if (answer != Answer::Sat) return std::nullopt;
  ModelInputs inputs;
  std::optional<RecordedExecution> run = followPlan(runner, formula.plan(inputs), inputs, budget);
  if (!run || !run->failures.empty() || !run->blocked.empty()) return std::nullopt;
  nearest.execution = std::move(*run);
  nearest.changed = changedIn(nearest.execution, events, orderings);
  return nearest;
}

}  // namespace heddle

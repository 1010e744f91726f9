#include "analysis/explore/formula/forest_formula.h"

#include <algorithm>

#include "analysis/explore/forest/linearize.h"
#include "analysis/explore/run/guided_scheduler.h"

namespace heddle {

ForestFormula::ForestFormula(const FormulaParts& parts)
    : forest_(parts.forest),
      solver_(makeSolver(parts.solver, parts.terms)),
      encoder_(parts.forest, parts.initialValues, parts.terms, *solver_) {}

bool ForestFormula::update(const Budget& budget) {
  return encoder_.update(budget);
}

Answer ForestFormula::ask(std::span<const Lit> literals, const Budget& budget) {
  asked_.assign(literals.begin(), literals.end());
  std::vector<Lit> assumptions;
  for (const GrowthGuards::Group& group : encoder_.groups()) assumptions.push_back(-group.guard);
  assumptions.insert(assumptions.end(), literals.begin(), literals.end());
  budget.spend();
  return solver_->check(assumptions, budget);
}

std::vector<NodeId> ForestFormula::plan(ModelInputs& inputs) const {
  for (NodeId id = 0; id < encoder_.size(); ++id)
    if (forest_[id].kind == NodeKind::Input) inputs.set(id, solver_->modelTerm(forest_[id].term));
  return orderOfModel(
             forest_, encoder_.size(), [&](NodeId id) { return solver_->modelValue(encoder_.on(id)); },
             [&](NodeId id) { return solver_->modelPosition(encoder_.order(id)); })
      .whole();
}

std::vector<Lit> ForestFormula::core() const {
  std::vector<Lit> needed;
  for (const Lit lit : solver_->core())
    if (std::find(asked_.begin(), asked_.end(), lit) != asked_.end()) needed.push_back(lit);
  return needed;
}

Lit ForestFormula::reached(Position at) {
  if (at.node == kNone) return Solver::kTrue;
  const Node& n = forest_[at.node];
  if (n.kind == NodeKind::TryLock) {
    // Either outcome is an event of its own, executed at once.
    const NodeId outcome = forest_.child(at.node, at.slot);
    return outcome == kNone ? encoder_.side(at.node, at.slot) : encoder_.on(outcome);
  }
  if (n.kind == NodeKind::Branch || n.kind == NodeKind::Choice) return encoder_.side(at.node, at.slot);
  return encoder_.on(at.node);
}

Runner::Outcome followPlan(Runner& runner, std::vector<NodeId> plan, InputSource& inputs,
                           std::vector<ThreadId> first, const Budget& budget, std::string& problem) {
  GuidedScheduler scheduler(runner.forest(), runner.builder(), std::move(plan), std::move(first));
  const Runner::Outcome outcome = runner.follow(scheduler, inputs, budget);
  if (outcome != Runner::Outcome::Merged) return outcome;
  problem = scheduler.divergence();
  if (problem.empty() && !scheduler.planDone()) problem = "a run ended before its plan";
  // What stopped the run at a place that cannot be modelled is reported there.
  if (!problem.empty() && !runner.result().problem && runner.lastRun().unsupported.empty())
    runner.result().problem = runner.whyMissed(problem);
  return outcome;
}

void noteNoAnswer(Runner& runner, Answer answer, const Budget& budget) {
  ExploreResult& result = runner.result();
  if (result.stop == StopReason::None) result.stop = budget.check();
  if (answer == Answer::OutOfMemory) result.stop = StopReason::Memory;
  if (result.stop == StopReason::None && !result.problem)
    result.problem = {ProblemKind::Budget, std::string("the solver answered ") + toString(answer)};
}

}  // namespace heddle

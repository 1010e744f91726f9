#include "analysis/explore/strategies/forest_strategy.h"

#include <algorithm>

#include "analysis/explore/forest/linearize.h"
#include "analysis/explore/run/guided_scheduler.h"
#include "analysis/explore/run/journal.h"
#include "analysis/interp/schedulers/alternating.h"
#include "analysis/interp/schedulers/random.h"

namespace heddle {

void ForestStrategy::restart() {
  const ExploreOptions& options = runner_.options();
  if (options.solver == SolverKind::Sat)
    solver_ = std::make_unique<SolverTeam>(runner_.terms(), options.team);
  else
    solver_ = makeSolver(options.solver, runner_.terms());
  encoder_ = std::make_unique<Encoder>(runner_.forest(), runner_.builder().initialValues(), runner_.terms(),
                                       *solver_);
  timesEmptied_ = runner_.timesEmptied();
  leaves_.clear();
  inputs_.reset();
  nothingNew_ = false;
  scanned_ = 0;
}

bool ForestStrategy::isVoid(bool& again) const {
  const bool isEmptied = runner_.timesEmptied() != timesEmptied_;
  again = isEmptied && runner_.builder().divergences().empty();
  return isEmptied;
}

bool ForestStrategy::firstRuns(const Budget& budget) {
  // Most shallow bugs fall in the first few runs, and these teach which objects are shared before anything is
  // encoded.
  const ExploreOptions& options = runner_.options();
  uint64_t seed = options.seed;
  for (uint32_t i = 0; i <= options.randomRuns;) {
    std::unique_ptr<InputSource> inputs;
    if (options.fixedInputs)
      inputs = std::make_unique<FixedInputs>(runner_.names(), *options.fixedInputs);
    else if (i == 0)
      inputs = std::make_unique<ModelInputs>();
    else
      inputs = std::make_unique<RandomInputs>(seed + i);
    GuidedScheduler inTurns(runner_.forest(), runner_.builder(), {}, {});
    AlternatingScheduler alternating;
    RandomScheduler random(seed + i);
    Scheduler* const schedulers[] = {&inTurns, &alternating, &random};
    Scheduler& scheduler = *schedulers[std::min<uint32_t>(i, 2)];
    switch (runner_.run(scheduler, *inputs, budget)) {
      case Runner::Outcome::Ended:
        return false;
      case Runner::Outcome::Restarted:
        i = 0;
        break;
      case Runner::Outcome::Merged:
        ++i;
        break;
    }
    if (const StopReason stop = budget.check(); stop != StopReason::None) {
      runner_.result().stop = stop;
      return false;
    }
  }
  return true;
}

void ForestStrategy::collectLeaves() {
  const Forest& forest = runner_.forest();
  for (; scanned_ < forest.size(); ++scanned_) {
    const NodeId id = static_cast<NodeId>(scanned_);
    const Node& n = forest[id];
    if (n.kind == NodeKind::Branch) {
      for (const uint64_t slot : {0, 1}) {
        if (isDeadEnd(n, slot)) continue;
        leaves_.push_back({id, slot, Leaf::Kind::Side, n.errorSide == static_cast<int>(slot), false});
      }
    } else if (n.kind == NodeKind::Choice) {
      leaves_.push_back({id, 0, Leaf::Kind::OtherValue, false, false});
    } else if (n.kind == NodeKind::Event && !n.executed) {
      leaves_.push_back({id, 0, Leaf::Kind::Pending, false, false});
    }
  }
  for (const Leaf& leaf : leaves_)
    if (!leaf.closed) solver_->prefer(literal(leaf));
}

void ForestStrategy::closeExplored() {
  const Forest& forest = runner_.forest();
  for (Leaf& leaf : leaves_) {
    if (leaf.closed) continue;
    if (leaf.kind == Leaf::Kind::Side) leaf.closed = forest.sideTaken(leaf.node, leaf.slot);
    if (inputs_ && leaf.kind != Leaf::Kind::Pending) leaf.closed |= inputs_->isRefuted(leaf.node, leaf.slot);
    if (leaf.kind == Leaf::Kind::Pending) leaf.closed = forest[leaf.node].executed;
  }
}

void ForestStrategy::noteOpen() {
  ExploreResult& result = runner_.result();
  result.open.clear();
  if (result.complete || runner_.forest().size() < scanned_) return;
  for (const Leaf& leaf : leaves_) {
    if (leaf.closed) continue;
    const OpenKind kind = leaf.kind == Leaf::Kind::Side         ? OpenKind::Condition
                          : leaf.kind == Leaf::Kind::OtherValue ? OpenKind::Value
                                                                : OpenKind::Step;
    ++result.open[{runner_.forest()[leaf.node].place, kind}];
  }
}

Lit ForestStrategy::literal(const Leaf& leaf) {
  switch (leaf.kind) {
    case Leaf::Kind::Side:
      return encoder_->side(leaf.node, leaf.slot);
    case Leaf::Kind::OtherValue:
      return encoder_->otherValue(leaf.node);
    case Leaf::Kind::Pending:
      return encoder_->on(leaf.node);
  }
  return -Solver::kTrue;
}

Answer ForestStrategy::query(std::span<const Lit> literals, const Budget& budget) {
  std::vector<Lit> assumptions;
  for (const GrowthGuards::Group& group : encoder_->groups()) assumptions.push_back(-group.guard);
  assumptions.insert(assumptions.end(), literals.begin(), literals.end());
  budget.spend();
  return solver_->check(assumptions, budget);
}

Answer ForestStrategy::ask(const std::vector<size_t>& open, const Budget& budget) {
  const Lit some = solver_->newLit();
  std::vector<Lit> clause{-some};
  for (const size_t i : open) clause.push_back(literal(leaves_[i]));
  solver_->addClause(clause);
  const Lit assumption[] = {some};
  return query(assumption, budget);
}

bool ForestStrategy::isSequential() const {
  return runner_.names().threadCount() <= 1;
}

std::vector<NodeId> ForestStrategy::modelPlan(ModelInputs& inputs, std::span<const ThreadId> mayStay) const {
  const Forest& forest = runner_.forest();
  for (NodeId id = 0; id < encoder_->size(); ++id)
    if (forest[id].kind == NodeKind::Input) inputs.set(id, solver_->modelTerm(forest[id].term));
  const ModelOrder order = orderOfModel(
      forest, encoder_->size(), [&](NodeId id) { return solver_->modelValue(encoder_->on(id)); },
      [&](NodeId id) { return solver_->modelPosition(encoder_->order(id)); });
  std::vector<NodeId> plan = withFewSwitches(forest, order.before);
  for (const NodeId id : order.inOpenSection)
    if (std::find(mayStay.begin(), mayStay.end(), forest[id].thread) != mayStay.end()) plan.push_back(id);
  return plan;
}

ForestStrategy::Plan ForestStrategy::planFor(const std::vector<size_t>& leaves) {
  Plan plan;
  for (const size_t i : leaves)
    if (solver_->modelValue(literal(leaves_[i]))) {
      plan.leaves.push_back(i);
      const ThreadId thread = runner_.forest()[leaves_[i].node].thread;
      if (std::find(plan.first.begin(), plan.first.end(), thread) == plan.first.end())
        plan.first.push_back(thread);
    }
  plan.events = modelPlan(plan.inputs, plan.first);
  return plan;
}

Runner::Outcome ForestStrategy::vary(const Plan& plan, const Budget& budget) {
  uint32_t idle = 0;
  if (isSequential()) return Runner::Outcome::Merged;  // the same inputs lead the same way
  while (idle < runner_.options().idleRuns) {
    const uint64_t seed = runner_.options().seed + runner_.result().stats.executions;
    RandomScheduler random(seed);
    const size_t length = idle % 2 == 0 ? plan.events.size() : seed * 7919 % (plan.events.size() + 1);
    GuidedScheduler scheduler(
        runner_.forest(), runner_.builder(),
        {plan.events.begin(), plan.events.begin() + static_cast<std::ptrdiff_t>(length)}, {});
    scheduler.randomAfter(random);
    ModelInputs inputs = plan.inputs;
    const size_t nodesBefore = runner_.forest().size();
    const Runner::Outcome outcome = runner_.follow(scheduler, inputs, budget);
    if (outcome != Runner::Outcome::Merged) return outcome;
    idle = runner_.forest().size() == nodesBefore ? idle + 1 : 0;
  }
  closeExplored();
  return Runner::Outcome::Merged;
}

Runner::Outcome ForestStrategy::follow(const Plan& plan, const Budget& budget) {
  const Forest& forest = runner_.forest();
  const std::vector<size_t>& hit = plan.leaves;
  GuidedScheduler scheduler(forest, runner_.builder(), plan.events, plan.first);
  ModelInputs inputs = plan.inputs;
  const size_t nodesBefore = forest.size();
  const Runner::Outcome outcome = runner_.follow(scheduler, inputs, budget);
  if (outcome != Runner::Outcome::Merged) return outcome;

  closeExplored();
  std::string problem = scheduler.divergence();
  for (const size_t i : hit) {
    Leaf& leaf = leaves_[i];
    if (leaf.kind == Leaf::Kind::OtherValue || leaf.closed) continue;
    // Never ask for it again, and never claim that it was explored.
    leaf.closed = true;
    // A run that was too long was cut, which is a bound with a name of its own.
    if (problem.empty() && runner_.lastRun().outcome != RunOutcome::OutOfBudget)
      problem = "a run did not reach the leaf it was made for";
  }
  // A choice has no side of its own to check; a run that brought nothing new would be asked for again for
  // ever.
  const bool stuck =
      hit.empty() || (problem.empty() && forest.size() == nodesBefore &&
                      std::all_of(hit.begin(), hit.end(),
                                  [&](size_t i) { return leaves_[i].kind == Leaf::Kind::OtherValue; }) &&
                      runner_.builder().divergences().size() > 0);
  if (stuck) problem = "a model led to nothing new", nothingNew_ = true;
  if (!problem.empty() && !runner_.result().problem && runner_.lastRun().unsupported.empty())
    runner_.result().problem = runner_.whyMissed(problem);
  return outcome;
}

void ForestStrategy::noteStop(Answer answer, const Budget& budget) {
  ExploreResult& result = runner_.result();
  result.stop = budget.check();
  if (answer == Answer::OutOfMemory) result.stop = StopReason::Memory;
  if (result.stop == StopReason::None)
    result.problem = {ProblemKind::Budget, std::string("the solver answered ") + toString(answer)};
}

bool ForestStrategy::round(const Budget& budget, bool& again) {
  ExploreResult& result = runner_.result();
  if (nothingNew_) return false;
  if (beforeQuestions_) {
    beforeQuestions_();
    if (isVoid(again)) return false;
  }
  const bool isMuch = runner_.forest().size() > encoder_->size() + budget.tuning().largeQuestion;
  if (isMuch && proveOtherwise(again, true)) return !isProved_ && !isVoid(again);
  if (!encoder_->update(budget)) {
    result.stop = budget.check();
    return false;
  }
  closeExplored();
  collectLeaves();
  closeExplored();
  std::vector<size_t> open;
  for (size_t i = 0; i < leaves_.size(); ++i)
    if (!leaves_[i].closed) open.push_back(i);
  result.stats.openLeaves = open.size();
  result.stats.solver = solver_->stats();
  runner_.progress();
  if (!open.empty() && proveOtherwise(again, false)) return !isProved_ && !isVoid(again);
  suggestLastRun();
  const std::optional<Answer> answer = open.empty() ? Answer::Unsat : askOrProve(open, budget, again);
  if (!answer) return !isProved_ && !isVoid(again);
  if (answer == Answer::Unsat) {
    result.complete = true;
    result.stats.openLeaves = 0;
    return false;
  }
  if (answer != Answer::Sat) {
    noteStop(*answer, budget);
    return false;
  }
  const Plan plan = planFor(open);
  Runner::Outcome outcome = follow(plan, budget);
  if (outcome == Runner::Outcome::Merged) outcome = vary(plan, budget);
  again = outcome == Runner::Outcome::Restarted;
  return outcome == Runner::Outcome::Merged;
}

std::optional<Answer> ForestStrategy::askOrProve(const std::vector<size_t>& open, const Budget& budget,
                                                 bool& again) {
  // A report must not depend on the time that a question takes where steps are counted.
  const bool isTimed = budget.deadline() && budget.stepLimit() == Budget::kUnlimitedSteps;
  if (otherProof_ && isTimed && !hasTakenLong_) {
    const Budget part = budget.part(&Tuning::firstAnswer);
    const Answer answer = ask(open, part);
    if (answer != Answer::Timeout || budget.check() != StopReason::None) return answer;
    hasTakenLong_ = true;
    if (proveOtherwise(again, true)) return std::nullopt;
  }
  return ask(open, budget);
}

bool ForestStrategy::proveOtherwise(bool& again, bool takesLong) {
  if (!otherProof_) return false;
  ExploreResult& result = runner_.result();
  const size_t known = runner_.forest().size();
  isProved_ = otherProof_(takesLong);
  const bool isGone = isVoid(again);
  if (isProved_) {
    result.complete = true;
    result.stats.openLeaves = 0;
  }
  // It may have executed what it found.
  return isProved_ || isGone || runner_.forest().size() != known;
}

bool ForestStrategy::searchInputs(const Budget& budget, bool& again) {
  if (!runner_.options().inputsFirst || !isSequential()) return true;
  inputs_ = std::make_unique<InputSearch>(runner_);
  const Runner::Outcome outcome = inputs_->explore(budget);
  again = outcome == Runner::Outcome::Restarted;
  if (outcome != Runner::Outcome::Merged) return false;
  runner_.result().stop = budget.check();
  return runner_.result().stop == StopReason::None;
}

void ForestStrategy::suggestLastRun() {
  // Most of it is part of the next model, too.
  std::vector<OrderNode> order;
  for (const NodeId id : runner_.builder().executed()) order.push_back(encoder_->order(id));
  solver_->suggestOrder(order);
}

void ForestStrategy::explore(const Budget& budget, const std::function<void()>& queries) {
  ExploreResult& result = runner_.result();
  bool again = true;
  const bool resumed = runner_.options().journal && !runner_.options().journal->runs().empty();
  if (resumed && !runner_.resume(budget)) again = false;
  while (again) {
    again = false;
    result.complete = false;
    restart();
    // What was resumed began with them, unless all of it taught nothing but what is shared.
    if (runner_.forest().size() == 0 && !firstRuns(budget)) break;
    if (!searchInputs(budget, again)) {
      if (again) continue;
      break;
    }
    uint64_t queriesAt = result.stats.executions + budget.tuning().executionsBeforeDetectors;
    bool goOn = true;
    while (goOn && !again) {
      goOn = round(budget, again);
      if (!goOn && (!result.complete || isProved_)) break;
      if (goOn && result.stats.executions < queriesAt) continue;
      if (proveOtherwise(again, false)) {
        if (isProved_ || isVoid(again)) break;
        goOn = true;
        continue;
      }
      queriesAt = 2 * result.stats.executions;
      if (!encoder_->update(budget)) {
        result.stop = budget.check();
        break;
      }
      const size_t known = runner_.forest().size();
      queries();
      // The runs that confirm a race or a deadlock may teach something new.
      if (isVoid(again)) break;
      if (runner_.forest().size() != known) {
        result.complete = false;
        goOn = true;
      }
    }
  }
  if (solver_) result.stats.solver = solver_->stats();
  if (!runner_.builder().divergences().empty() && !result.problem)
    result.problem = runner_.whyMissed(runner_.builder().divergences().front());
  if (result.problem || result.stop != StopReason::None) result.complete = false;
  noteOpen();
}

}  // namespace heddle

#include "analysis/explore/forest_strategy.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "analysis/explore/guided_scheduler.h"
#include "analysis/explore/linearize.h"
#include "analysis/interp/schedulers/random.h"

namespace heddle {

void ForestStrategy::restart() {
  const ExploreOptions& options = runner_.options();
  if (options.solver == SolverKind::Sat) {
    auto team = std::make_unique<SolverTeam>(runner_.terms(), options.team);
    team_ = team.get();
    solver_ = std::move(team);
  } else {
    solver_ = makeSolver(options.solver, runner_.terms());
  }
  encoder_ = std::make_unique<Encoder>(runner_.forest(), runner_.builder().initialValues(), runner_.terms(),
                                       *solver_);
  leaves_.clear();
  nothingNew_ = false;
  scanned_ = 0;
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
    RandomScheduler random(seed + i);
    Scheduler& scheduler = i == 0 ? static_cast<Scheduler&>(inTurns) : random;
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
        if (slot == 0 && n.role == BranchRole::Assume) continue;
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
    if (leaf.kind == Leaf::Kind::Pending) leaf.closed = forest[leaf.node].executed;
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

std::vector<Lit> ForestStrategy::assuming(std::span<const Lit> literals) const {
  std::vector<Lit> assumptions;
  for (const Encoder::Group& group : encoder_->groups()) assumptions.push_back(-group.guard);
  assumptions.insert(assumptions.end(), literals.begin(), literals.end());
  return assumptions;
}

Answer ForestStrategy::query(std::span<const Lit> literals, const Budget& budget) {
  budget.spend();
  return solver_->check(assuming(literals), budget);
}

Lit ForestStrategy::someOf(const std::vector<size_t>& leaves) {
  const Lit some = solver_->newLit();
  std::vector<Lit> clause{-some};
  for (const size_t i : leaves) clause.push_back(literal(leaves_[i]));
  solver_->addClause(clause);
  return some;
}

std::vector<std::vector<size_t>> ForestStrategy::openParts() {
  std::vector<size_t> open;
  for (const bool rested : {false, true}) {
    for (size_t i = 0; i < leaves_.size(); ++i) {
      if (rested) leaves_[i].resting = false;
      if (!leaves_[i].closed && !leaves_[i].resting) open.push_back(i);
    }
    if (!open.empty()) break;
  }
  const size_t members = team_ ? team_->members() : 1;
  const size_t count = std::max<size_t>(1, std::min(members, open.size()));
  // One thread's leaves stay together: models for different parts then have less in common.
  const Forest& forest = runner_.forest();
  if (count > 1)
    std::stable_sort(open.begin(), open.end(), [&](size_t a, size_t b) {
      return forest[leaves_[a].node].thread < forest[leaves_[b].node].thread;
    });
  std::vector<std::vector<size_t>> parts(count);
  for (size_t i = 0; i < open.size(); ++i) parts[i * count / open.size()].push_back(open[i]);
  return parts;
}

std::vector<NodeId> ForestStrategy::modelPlan(ModelInputs& inputs, std::span<const ThreadId> mayStay) const {
  const Forest& forest = runner_.forest();
  std::set<NodeId> left;
  for (NodeId id = 0; id < forest.size(); ++id)
    if (forest[id].kind == NodeKind::SectionEnd && solver_->modelValue(encoder_->on(id)))
      left.insert(forest[id].section);
  std::vector<std::pair<uint64_t, NodeId>> order;
  std::vector<NodeId> staying;
  for (NodeId id = 0; id < forest.size(); ++id) {
    const Node& n = forest[id];
    if (n.kind == NodeKind::Input) {
      inputs.set(id, solver_->modelTerm(n.term));
    } else if (n.kind == NodeKind::Event && solver_->modelValue(encoder_->on(id))) {
      if (n.section == kNone || left.count(n.section))
        order.emplace_back(solver_->modelPosition(encoder_->order(id)), id);
      else if (std::find(mayStay.begin(), mayStay.end(), n.thread) != mayStay.end())
        staying.push_back(id);
    }
  }
  std::sort(order.begin(), order.end());
  std::vector<NodeId> plan;
  for (const auto& [position, id] : order) plan.push_back(id);
  plan = withFewSwitches(forest, plan);
  plan.insert(plan.end(), staying.begin(), staying.end());
  return plan;
}

std::string ForestStrategy::blame(const std::string& problem) const {
  // Where terms are dropped, a model need not be an execution.
  if (!runner_.result().assumptions.empty())
    return "a value that is only known from one execution decides what another one does (see the "
           "assumptions)";
  return "internal: " + problem;
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

Runner::Outcome ForestStrategy::follow(Plan plan, const Budget& budget) {
  const Forest& forest = runner_.forest();
  const std::vector<size_t>& hit = plan.leaves;
  GuidedScheduler scheduler(forest, runner_.builder(), std::move(plan.events), plan.first);
  std::unique_ptr<InputSource> fixed;
  if (runner_.options().fixedInputs)
    fixed = std::make_unique<FixedInputs>(runner_.names(), *runner_.options().fixedInputs);
  const size_t nodesBefore = forest.size();
  const Runner::Outcome outcome = runner_.run(scheduler, fixed ? *fixed : plan.inputs, budget);
  if (outcome != Runner::Outcome::Merged) return outcome;

  closeExplored();
  std::string problem = scheduler.divergence();
  for (const size_t i : hit) {
    Leaf& leaf = leaves_[i];
    if (leaf.kind == Leaf::Kind::OtherValue || leaf.closed) continue;
    // Never ask for it again, and never claim that it was explored.
    leaf.closed = true;
    if (problem.empty()) problem = "a run did not reach the leaf it was made for";
  }
  // A choice has no side of its own to check; a run that brought nothing new would be asked for again for
  // ever.
  const bool stuck =
      hit.empty() || (problem.empty() && forest.size() == nodesBefore &&
                      std::all_of(hit.begin(), hit.end(),
                                  [&](size_t i) { return leaves_[i].kind == Leaf::Kind::OtherValue; }) &&
                      runner_.builder().divergences().size() > 0);
  if (stuck) problem = "a model led to nothing new", nothingNew_ = true;
  if (!problem.empty() && runner_.result().problem.empty() && runner_.lastRun().unsupported.empty())
    runner_.result().problem = blame(problem);
  return outcome;
}

void ForestStrategy::noteStop(Answer answer, const Budget& budget) {
  ExploreResult& result = runner_.result();
  result.stop = budget.check();
  if (answer == Answer::OutOfMemory) result.stop = StopReason::Memory;
  if (result.stop == StopReason::None)
    result.problem = std::string("the solver answered ") + toString(answer);
}

bool ForestStrategy::round(const Budget& budget, bool& again) {
  ExploreResult& result = runner_.result();
  if (nothingNew_) return false;
  if (!encoder_->update(budget)) {
    result.stop = budget.check();
    return false;
  }
  closeExplored();
  collectLeaves();
  closeExplored();
  const std::vector<std::vector<size_t>> parts = openParts();
  result.stats.openLeaves = static_cast<uint64_t>(
      std::count_if(leaves_.begin(), leaves_.end(), [](const Leaf& leaf) { return !leaf.closed; }));
  result.stats.solver = solver_->stats();
  runner_.progress();
  std::vector<Answer> answers{Answer::Unsat};
  if (!parts[0].empty()) {
    std::vector<std::vector<Lit>> questions;
    for (const std::vector<size_t>& part : parts) {
      const Lit some[] = {someOf(part)};
      questions.push_back(assuming(some));
    }
    budget.spend(questions.size());
    if (questions.size() == 1)
      answers[0] = solver_->check(questions[0], budget);
    else
      answers = team_->checkEach(questions, budget);
  }
  std::vector<Plan> plans;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (answers[i] == Answer::Unsat)
      for (const size_t leaf : parts[i]) leaves_[leaf].resting = true;
    if (answers[i] != Answer::Sat) continue;
    if (parts.size() > 1) team_->show(i);
    plans.push_back(planFor(parts[i]));
  }
  if (plans.empty()) {
    const auto undecided =
        std::find_if(answers.begin(), answers.end(), [](Answer a) { return a != Answer::Unsat; });
    if (undecided != answers.end()) {
      noteStop(*undecided, budget);
      return false;
    }
    // Nothing rested from earlier rounds, or it has been asked for just now.
    const size_t asked =
        std::accumulate(parts.begin(), parts.end(), size_t{0},
                        [](size_t sum, const std::vector<size_t>& part) { return sum + part.size(); });
    if (asked < result.stats.openLeaves) return true;
    result.complete = true;
    result.stats.openLeaves = 0;
    return false;
  }
  for (Plan& plan : plans) {
    const bool stillOpen = plan.leaves.empty() || std::any_of(plan.leaves.begin(), plan.leaves.end(),
                                                              [&](size_t i) { return !leaves_[i].closed; });
    if (!stillOpen) continue;
    const Runner::Outcome outcome = follow(std::move(plan), budget);
    again = outcome == Runner::Outcome::Restarted;
    if (outcome != Runner::Outcome::Merged) return false;
  }
  return true;
}

void ForestStrategy::explore(const Budget& budget, const std::function<void()>& queries) {
  ExploreResult& result = runner_.result();
  constexpr uint64_t kFirstQueries = 32;  // executions; doubled each time
  bool again = true;
  while (again) {
    again = false;
    result.complete = false;
    restart();
    if (!firstRuns(budget)) break;
    const uint64_t restarts = result.stats.restarts;
    uint64_t queriesAt = result.stats.executions + kFirstQueries;
    bool goOn = true;
    while (goOn && !again) {
      goOn = round(budget, again);
      if (!goOn && !result.complete) break;
      if (goOn && result.stats.executions < queriesAt) continue;
      queriesAt = 2 * result.stats.executions;
      if (!encoder_->update(budget)) {
        result.stop = budget.check();
        break;
      }
      const size_t known = runner_.forest().size();
      queries();
      // The runs that confirm a race or a deadlock may teach something new.
      again = result.stats.restarts != restarts;
      if (runner_.forest().size() != known) {
        result.complete = false;
        goOn = true;
      }
    }
  }
  if (solver_) result.stats.solver = solver_->stats();
  if (!runner_.builder().divergences().empty() && result.problem.empty())
    result.problem = blame(runner_.builder().divergences().front());
  if (!result.problem.empty() || result.stop != StopReason::None) result.complete = false;
}

}  // namespace heddle

#include "analysis/diagnose/execution_formula.h"

#include <algorithm>

#include "analysis/explore/forest/linearize.h"

namespace heddle {

ExecutionFormula::ExecutionFormula(const Forest& forest, const SourceEvents& events,
                                   const std::vector<Term>& initialValues, TermTable& terms, SolverKind kind)
    : forest_(forest),
      events_(events),
      solver_(makeSolver(kind, terms)),
      encoder_(forest, initialValues, terms, *solver_),
      terms_(terms) {}

bool ExecutionFormula::build(const FailureTarget& target, const Budget& budget) {
  if (!encoder_.update(budget)) return false;
  for (NodeId id = 0; id < forest_.size(); ++id) {
    for (const auto& [slot, child] : forest_[id].children) continued_.emplace(id, slot);
  }
  const StuckLiterals stuck = encoder_.stuck();
  solver_->addClause({-stuck.onlySureWays});
  for (const auto& [node, lit] : stuck.waiting) waits_.emplace(node, lit);
  completeRounds(stuck);
  if (!completeNodes(budget)) return false;
  define(target);
  return true;
}

bool ExecutionFormula::completeNodes(const Budget& budget) {
  constexpr NodeId kBetweenLooks = 256;
  for (NodeId id = 0; id < forest_.size(); ++id) {
    if (id % kBetweenLooks == 0 && budget.check() != StopReason::None) return false;
    const Node& n = forest_[id];
    if (isFork(n.kind)) completeFork(id);
    if (n.parent != kNone) completeChild(id);
    // A thread that was created begins.
    if (n.kind == NodeKind::Event && n.event == EventKind::Create)
      if (const NodeId root = forest_.root(n.other); root != kNone)
        solver_->addClause({-encoder_.on(id), encoder_.on(root)});
  }
  return true;
}

void ExecutionFormula::completeRounds(const StuckLiterals& stuck) {
  // An input may let it go on any time.
  std::map<std::pair<NodeId, uint64_t>, std::vector<Lit>> stays;
  for (const auto& [await, spins] : stuck.spinning) stays[{await->node, await->slot}].push_back(spins);
  for (const Forest::Await& await : forest_.awaits())
    if (takesMore(await.how)) stays.erase({await.node, await.slot});
  for (auto& [at, clause] : stays) {
    clause.push_back(-encoder_.reach(at.first, at.second));
    if (const NodeId child = forest_.child(at.first, at.second); child != kNone)
      clause.push_back(encoder_.on(child));
    solver_->addClause(clause);
  }
}

void ExecutionFormula::completeFork(NodeId id) {
  const Node& n = forest_[id];
  std::vector<Lit> clause{-encoder_.on(id)};
  const auto side = [&](uint64_t slot) {
    const Lit lit = encoder_.side(id, slot);
    if (continued_.count({id, slot}))
      clause.push_back(lit);
    else
      solver_->addClause({-lit});
  };
  if (n.kind == NodeKind::Choice) {
    for (const uint64_t value : n.sides) side(value);
  } else {
    // Where an assumption fails the thread stops, and others may fail afterwards.
    if (isDeadEnd(n, 0))
      clause.push_back(encoder_.side(id, 0));
    else
      side(0);
    side(1);
  }
  solver_->addClause(clause);
}

void ExecutionFormula::completeChild(NodeId id) {
  const Node& n = forest_[id];
  const Lit here = encoder_.reach(n.parent, n.slot);
  const auto waits = waits_.find(id);
  if (waits != waits_.end())
    solver_->addClause({-here, encoder_.on(id), waits->second});
  else
    solver_->addClause({-here, encoder_.on(id)});
}

Lit ExecutionFormula::stuckAt(NodeId id) {
  const Node& n = forest_[id];
  const Lit here = encoder_.reach(n.parent, n.slot), on = encoder_.on(id);
  const Lit stuck = solver_->newLit();
  solver_->addClause({-stuck, here});
  solver_->addClause({-stuck, -on});
  solver_->addClause({stuck, -here, on});
  return stuck;
}

void ExecutionFormula::define(const FailureTarget& target) {
  fails_ = solver_->newLit();
  passes_ = solver_->newLit();
  std::vector<Lit> somePasses{-passes_};
  for (const FailureTarget::Group& group : target.groups) {
    std::vector<Lit> someFails{-fails_};
    const Lit nonePresent = solver_->newLit();
    for (const NodeId node : group.nodes) {
      const Lit lit = group.stuck ? stuckAt(node) : encoder_.on(node);
      someFails.push_back(lit);
      solver_->addClause({-nonePresent, -lit});
    }
    solver_->addClause(someFails);
    somePasses.push_back(nonePresent);
  }
  // What passes is to be an execution of the program as it is meant.
  for (NodeId id = 0; id < forest_.size(); ++id)
    if (isDeadEnd(forest_[id], 0)) solver_->addClause({-passes_, -encoder_.side(id, 0)});
  solver_->addClause(somePasses);
  noFailure_ = solver_->newLit();
  for (NodeId id = 0; id < forest_.size(); ++id)
    if (forest_[id].failed) solver_->addClause({-noFailure_, -encoder_.on(id)});
  for (const auto& [id, lit] : waits_) {
    const Node& n = forest_[id];
    solver_->addClause({-noFailure_, -encoder_.reach(n.parent, n.slot), encoder_.on(id)});
  }
}

Lit ExecutionFormula::happensBefore(NodeId a, NodeId b) {
  const Lit lit = solver_->newLit();
  solver_->addClause({-lit, encoder_.on(a)});
  if (precedence().always(b, a))
    solver_->addClause({-lit});
  else if (!precedence().always(a, b))
    solver_->addClause({-lit, solver_->before(encoder_.order(a), encoder_.order(b))});
  return lit;
}

Lit ExecutionFormula::ordering(const Ordering& ordering) {
  const auto [it, isNew] = orderings_.try_emplace(ordering, 0);
  if (!isNew) return it->second;
  const Lit lit = it->second = solver_->newLit();
  for (const NodeId b : events_[ordering.after].nodes) {
    const Lit onB = encoder_.on(b);
    std::vector<Lit> some{-lit, -onB};
    for (const NodeId a : events_[ordering.before].nodes) {
      if (ordering.causal) {
        some.push_back(happensBefore(a, b));
        continue;
      }
      if (precedence().always(a, b)) continue;
      const Lit onA = encoder_.on(a);
      if (precedence().always(b, a))
        solver_->addClause({-lit, -onA, -onB});
      else
        solver_->addClause({-lit, -onA, -onB, solver_->before(encoder_.order(a), encoder_.order(b))});
    }
    if (ordering.causal) solver_->addClause(some);
  }
  return lit;
}

Lit ExecutionFormula::violated(const Ordering& ordering) {
  const auto [it, isNew] = violations_.try_emplace(ordering, 0);
  if (!isNew) return it->second;
  const Lit lit = it->second = solver_->newLit();
  std::vector<Lit> clause{-lit};
  for (const NodeId b : events_[ordering.after].nodes) {
    if (!ordering.causal) {
      for (const NodeId a : events_[ordering.before].nodes) {
        if (precedence().always(a, b)) continue;
        const Lit pair = happensBefore(b, a);
        solver_->addClause({-pair, encoder_.on(a)});
        clause.push_back(pair);
      }
      continue;
    }
    const Lit without = solver_->newLit();
    solver_->addClause({-without, encoder_.on(b)});
    for (const NodeId a : events_[ordering.before].nodes) {
      if (precedence().always(a, b))
        solver_->addClause({-without, -encoder_.on(a)});
      else if (!precedence().always(b, a))
        solver_->addClause(
            {-without, -encoder_.on(a), solver_->before(encoder_.order(b), encoder_.order(a))});
    }
    clause.push_back(without);
  }
  solver_->addClause(clause);
  return lit;
}

Lit ExecutionFormula::inputs(const Names& names, const std::vector<UsedInput>& used) {
  std::map<std::pair<std::string, uint32_t>, uint64_t> values;
  for (const UsedInput& input : used) values[{names.label(input.thread), input.ordinal}] = input.bits;
  const Lit lit = solver_->newLit();
  // The number of a node among its thread's inputs, from 0.
  std::vector<uint32_t> ordinals(forest_.size(), 0);
  for (NodeId id = 0; id < forest_.size(); ++id) {
    const Node& n = forest_[id];
    if (n.parent != kNone)
      ordinals[id] = ordinals[n.parent] + (forest_[n.parent].kind == NodeKind::Input ? 1 : 0);
    if (n.kind != NodeKind::Input) continue;
    const auto value = values.find({names.label(n.thread), ordinals[id]});
    if (value == values.end()) continue;
    const unsigned width = terms_.width(n.term);
    solver_->addClause(
        {-lit, -encoder_.on(id),
         solver_->condition(terms_.eq(n.term, terms_.constant(value->second & widthMask(width), width)))});
  }
  return lit;
}

std::vector<Lit> ExecutionFormula::countDropped(const std::vector<Lit>& literals, uint32_t most) {
  // A sequential counter (Sinz 2005): seen[k] after i literals says that more than k of them were dropped.
  // Forward implications are enough to forbid a count.
  std::vector<Lit> seen(most + 1, -Solver::kTrue);
  for (const Lit literal : literals) {
    std::vector<Lit> next;
    for (uint32_t k = 0; k <= most; ++k) {
      const Lit lit = solver_->newLit();
      solver_->addClause({-seen[k], lit});
      const Lit before = k == 0 ? Solver::kTrue : seen[k - 1];
      solver_->addClause({literal, -before, lit});
      next.push_back(lit);
    }
    seen = std::move(next);
  }
  std::vector<Lit> atMost;
  for (const Lit more : seen) atMost.push_back(-more);
  return atMost;
}

void ExecutionFormula::block(const std::vector<Ordering>& core) {
  std::vector<Lit> clause{-fails_};
  for (const Ordering& ordering : core) clause.push_back(violated(ordering));
  solver_->addClause(clause);
}

Answer ExecutionFormula::check(std::span<const Lit> literals, const Budget& budget) {
  std::vector<Lit> assumptions;
  for (const GrowthGuards::Group& group : encoder_.groups()) assumptions.push_back(-group.guard);
  assumptions.insert(assumptions.end(), literals.begin(), literals.end());
  budget.spend();
  return solver_->check(assumptions, budget);
}

std::vector<NodeId> ExecutionFormula::plan(ModelInputs& inputs) const {
  for (NodeId id = 0; id < encoder_.size(); ++id)
    if (forest_[id].kind == NodeKind::Input) inputs.set(id, solver_->modelTerm(forest_[id].term));
  const ModelOrder order = orderOfModel(
      forest_, encoder_.size(), [&](NodeId id) { return solver_->modelValue(encoder_.on(id)); },
      [&](NodeId id) { return solver_->modelPosition(encoder_.order(id)); });
  return withFewSwitches(forest_, order.whole());
}

}  // namespace heddle

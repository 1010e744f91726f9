#include "analysis/explore/strategies/input_search.h"

#include <algorithm>

#include "analysis/explore/run/guided_scheduler.h"

namespace heddle {

namespace {
constexpr uint64_t kWorkForAPath = 4'000'000;  // of the solver for one path: less than a second
}  // namespace

void InputSearch::collect(const std::shared_ptr<const Inputs>& from) {
  const Forest& forest = runner_.forest();
  for (; scanned_ < forest.size(); ++scanned_) {
    const auto id = static_cast<NodeId>(scanned_);
    const Node& node = forest[id];
    if (node.kind == NodeKind::Input)
      inputOf_[static_cast<uint32_t>(runner_.terms().node(node.term).value)] = id;
    if (node.kind == NodeKind::Branch) {
      for (const uint64_t slot : {0, 1}) {
        if (isDeadEnd(node, slot)) continue;
        if (forest.sideTaken(id, slot)) taken_.emplace(node.place, slot);
        forks_.push_back({id, slot, false, from});
        queue(forks_.size() - 1);
      }
    } else if (node.kind == NodeKind::Choice) {
      forks_.push_back({id, 0, true, from});
      queue(forks_.size() - 1);
    }
  }
}

bool InputSearch::isNew(const Fork& fork) const {
  return !fork.isValue && !taken_.contains({runner_.forest()[fork.node].place, fork.slot});
}

void InputSearch::queue(size_t fork) {
  const Node& node = runner_.forest()[forks_[fork].node];
  // Each further value of a choice lies further away.
  const auto depth = static_cast<uint32_t>(node.depth + node.sides.size());
  waiting_.emplace(!isNew(forks_[fork]), depth, fork);
}

bool InputSearch::isTaken(const Fork& fork) const {
  return !fork.isValue && runner_.forest().sideTaken(fork.node, fork.slot);
}

std::optional<std::vector<Term>> InputSearch::conditionsOf(const Fork& fork) const {
  const Forest& forest = runner_.forest();
  TermTable& terms = runner_.terms();
  const auto equals = [&](Term term, uint64_t value) {
    return terms.eq(term, terms.constant(value, terms.width(term)));
  };
  std::vector<Term> conditions;
  const Node& last = forest[fork.node];
  if (fork.isValue)
    for (const uint64_t value : last.sides) conditions.push_back(terms.logicalNot(equals(last.term, value)));
  else
    conditions.push_back(fork.slot != 0 ? last.term : terms.logicalNot(last.term));
  for (NodeId id = fork.node; forest[id].parent != kNone; id = forest[id].parent) {
    const Node& node = forest[forest[id].parent];
    const uint64_t slot = forest[id].slot;
    if (node.kind == NodeKind::Merge) return std::nullopt;
    // What it reads in an event, the way there has written or not.
    if (std::any_of(node.cells.begin(), node.cells.end(),
                    [](const NodeCell& cell) { return cell.symbol != kNoTerm; }))
      return std::nullopt;
    if (node.kind == NodeKind::Branch)
      conditions.push_back(slot != 0 ? node.term : terms.logicalNot(node.term));
    if (node.kind == NodeKind::Choice) conditions.push_back(equals(node.term, slot));
  }
  if (forest[fork.node].kind == NodeKind::Merge) return std::nullopt;
  return conditions;
}

Answer InputSearch::solve(const std::vector<Term>& conditions, Inputs& inputs, const Budget& budget) {
  const TermTable& terms = runner_.terms();
  const std::unique_ptr<Solver> solver = makeSolver(SolverKind::Sat, terms);
  solver->limitWork(kWorkForAPath);
  std::vector<Lit> literals;
  std::set<uint32_t> symbols;
  for (const Term condition : conditions) {
    if (terms.isConst(condition)) {
      if ((terms.constValue(condition) & 1) == 0) return Answer::Unsat;
      continue;
    }
    literals.push_back(solver->condition(condition));
    const std::vector<uint32_t>& more = symbols_.of(condition);
    symbols.insert(more.begin(), more.end());
  }
  budget.spend();
  const Answer answer = solver->check(literals, budget);
  runner_.result().stats.solver += solver->stats();
  if (answer == Answer::Sat)
    for (const uint32_t symbol : symbols) inputs[symbol] = solver->modelTerm(terms.symbolTerm(symbol));
  return answer;
}

Runner::Outcome InputSearch::explore(const Budget& budget) {
  const Forest& forest = runner_.forest();
  collect(nullptr);
  while (!waiting_.empty() && budget.check() == StopReason::None && runner_.names().threadCount() <= 1) {
    const auto [isOld, depth, index] = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    const Fork fork = forks_[index];
    if (isTaken(fork)) continue;
    if (!isOld && !isNew(fork)) {
      queue(index);
      continue;
    }
    std::optional<std::vector<Term>> conditions = conditionsOf(fork);
    if (!conditions) continue;
    auto inputs = std::make_shared<Inputs>();
    if (fork.from) {
      *inputs = *fork.from;
      if (!fork.isValue) {
        const Term turned = conditions->front();
        conditions = symbols_.related(turned, {conditions->begin() + 1, conditions->end()});
        conditions->push_back(turned);
      }
    }
    const Answer answer = solve(*conditions, *inputs, budget);
    if (answer == Answer::Unsat) refuted_.emplace(fork.node, fork.slot);
    if (answer != Answer::Sat) continue;
    ModelInputs values;
    for (const auto& [symbol, bits] : *inputs)
      if (const auto node = inputOf_.find(symbol); node != inputOf_.end()) values.set(node->second, bits);
    GuidedScheduler inTurns(forest, runner_.builder(), {}, {});
    const uint64_t before = runner_.timesEmptied();
    const Runner::Outcome outcome = runner_.follow(inTurns, values, budget);
    if (outcome != Runner::Outcome::Merged || runner_.timesEmptied() != before) return outcome;
    if (fork.isValue && forest.size() != scanned_) queue(index);
    if (!fork.isValue && isTaken(fork)) taken_.emplace(forest[fork.node].place, fork.slot);
    collect(inputs);
    runner_.result().stats.openLeaves = waiting_.size();
    runner_.progress();
  }
  return Runner::Outcome::Merged;
}

}  // namespace heddle

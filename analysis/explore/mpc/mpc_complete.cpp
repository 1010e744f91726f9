#include "analysis/explore/mpc/mpc_complete.h"

#include <algorithm>

#include "analysis/explore/states/census.h"

namespace heddle {

size_t MpcCompleteStrategy::knowledge() const {
  // A side of a fork, or an event that some run only waited for, is new even if the thread stops right behind
  // it.
  const Forest& forest = runner_.forest();
  size_t known = forest.size();
  for (NodeId id = 0; id < forest.size(); ++id)
    known += forest[id].sides.size() + (forest[id].executed ? 1 : 0);
  return known;
}

void MpcCompleteStrategy::restart() {
  formula_ = std::make_unique<ForestFormula>(runner_);
  splits_.clear();
  cores_.clear();
  otherValues_.clear();
  closedAt_ = askedAt_ = 0;
  ended_ = restarted_ = false;
}

void MpcCompleteStrategy::explore(const Budget& budget) {
  ExploreResult& result = runner_.result();
  do {
    restart();
    ModelInputs zeros;
    if (run({}, zeros, {}, budget)) split({});
    while (!ended_ && !restarted_) {
      if (splits_.empty()) {
        bool grown = false;
        if (!growBesides(grown, budget) || !grown) break;
        continue;
      }
      Split& next = splits_.front();
      if (next.combinations.done()) {
        splits_.pop_front();
        continue;
      }
      Combination prefix;
      const bool due = takeCombination(runner_.forest(), next, prefix);
      next.combinations.advance();
      if (due && !handle(prefix, budget)) break;
      if (result.stop = budget.check(); result.stop != StopReason::None) ended_ = true;
      result.stats.openLeaves = splits_.size();
      runner_.progress();
    }
    result.stats.solver += formula_->solver().stats();
    // Combinations of prefixes tell paths apart by their branches. Where threads wait for ever, one may do so
    // at several places between two branches.
    if (!ended_ && !restarted_) result.complete = takeCensus(runner_, CensusOf::Waiting, budget);
  } while (restarted_ && !ended_);
  if (!runner_.builder().divergences().empty() && !result.problem)
    result.problem = runner_.whyMissed(runner_.builder().divergences().front());
  if (result.problem || result.stop != StopReason::None) result.complete = false;
}

bool MpcCompleteStrategy::run(std::vector<NodeId> plan, InputSource& inputs, std::vector<ThreadId> first,
                              const Budget& budget) {
  const size_t known = knowledge();
  std::string problem;
  const Runner::Outcome outcome =
      followPlan(runner_, std::move(plan), inputs, std::move(first), budget, problem);
  restarted_ = outcome == Runner::Outcome::Restarted;
  ended_ = outcome == Runner::Outcome::Ended || !problem.empty() || !runner_.lastRun().unsupported.empty();
  if (restarted_ || ended_) return false;
  if (knowledge() != known) cores_.clear();
  if (!formula_->update(budget)) return stopAt(Answer::Timeout, budget);
  return true;
}

bool MpcCompleteStrategy::stopAt(Answer answer, const Budget& budget) {
  noteNoAnswer(runner_, answer, budget);
  ended_ = true;
  return false;
}

void MpcCompleteStrategy::split(const Combination& prefix) {
  const Forest& forest = runner_.forest();
  const GlobalPath path = runner_.builder().positions();
  std::vector<std::vector<ThreadPrefix>> options(path.size());
  bool observedIsPossible = true;
  for (ThreadId t = 0; t < path.size(); ++t) {
    const Position at = path[t];
    const ThreadPrefix from = t < prefix.size() ? prefix[t] : ThreadPrefix{};
    const bool cut = at.node != kNone && isDeadEnd(forest[at.node], at.slot);
    if (cut)
      observedIsPossible = false;
    else
      options[t].push_back({ThreadPrefix::End::Observed, at, {}});
    for (ThreadPrefix& way : deviationsAfter(forest, at, from)) options[t].push_back(std::move(way));
    // A thread that waited at the end of this run may go on in another.
    const NodeId pending = at.node == kNone || cut ? kNone : forest.child(at.node, at.slot);
    if (pending != kNone) options[t].push_back({ThreadPrefix::End::Observed, {pending, 0}, {}});
  }
  std::vector<NodeId> creates(path.size(), kNone);
  for (const Position& at : path)
    for (NodeId id = at.node; id != kNone; id = forest[id].parent)
      if (forest[id].kind == NodeKind::Event && forest[id].event == EventKind::Create &&
          forest[id].other < creates.size())
        creates[forest[id].other] = id;
  splits_.push_back({PrefixProduct(std::move(options), observedIsPossible), prefix, std::move(creates)});
}

bool MpcCompleteStrategy::takeCombination(const Forest& forest, const Split& split, Combination& prefix) {
  prefix = split.combinations.current();
  for (ThreadId t = 0; t < prefix.size(); ++t) {
    const NodeId create = split.creates[t];
    if (create == kNone) continue;
    const NodeId creator = prefix[forest[create].thread].at.node;
    if (creator != kNone && forest[create].depth <= forest[creator].depth &&
        forest.isAncestor(create, creator))
      continue;
    // Without its creation the thread is not there: its ways to go on are one.
    if (!split.combinations.isFirst(t)) return false;
    prefix[t] = t < split.from.size() ? split.from[t] : ThreadPrefix{};
  }
  return true;
}

Lit MpcCompleteStrategy::literal(const ThreadPrefix& prefix) {
  const Forest& forest = runner_.forest();
  if (!prefix.deviates() || forest[prefix.at.node].kind != NodeKind::Choice)
    return formula_->reached(prefix.at);
  const NodeId choice = prefix.at.node;
  Lit& lit = otherValues_[{choice, prefix.excluded}];
  if (lit != 0) return lit;
  Solver& solver = formula_->solver();
  TermTable& terms = runner_.terms();
  const Term term = forest[choice].term;
  lit = solver.newLit();
  solver.addClause({-lit, formula_->encoder().on(choice)});
  for (const uint64_t value : prefix.excluded)
    solver.addClause({-lit, -solver.condition(terms.eq(term, terms.constant(value, terms.width(term))))});
  return lit;
}

namespace {

/// Every execution that satisfies `has` satisfies `needed`.
bool implies(const Forest& forest, const ThreadPrefix& has, const ThreadPrefix& needed) {
  if (has == needed) return true;
  const bool open = has.deviates() && forest[has.at.node].kind == NodeKind::Choice;
  if (!open || has.at.node != needed.at.node) return follows(forest, has.at, needed);
  return needed.deviates() &&
         std::all_of(needed.excluded.begin(), needed.excluded.end(), [&](uint64_t value) {
           return std::find(has.excluded.begin(), has.excluded.end(), value) != has.excluded.end();
         });
}

}  // namespace

bool MpcCompleteStrategy::excluded(const Combination& prefix) const {
  const Forest& forest = runner_.forest();
  return std::any_of(cores_.begin(), cores_.end(), [&](const Core& core) {
    return std::all_of(core.begin(), core.end(), [&](const auto& condition) {
      const auto& [thread, needed] = condition;
      return thread < prefix.size() && implies(forest, prefix[thread], needed);
    });
  });
}

bool MpcCompleteStrategy::handle(const Combination& prefix, const Budget& budget) {
  for (;;) {
    if (!excluded(prefix)) {
      std::vector<Lit> literals;
      for (const ThreadPrefix& p : prefix)
        if (p.at.node != kNone) literals.push_back(literal(p));
      const Answer answer = formula_->ask(literals, budget);
      if (answer == Answer::Sat) {
        ModelInputs inputs;
        std::vector<NodeId> plan = formula_->plan(inputs);
        if (!run(std::move(plan), inputs, {}, budget)) return false;
        split(prefix);
        return true;
      }
      if (answer != Answer::Unsat) return stopAt(answer, budget);
      noteCore(prefix);
    }
    bool grown = false;
    if (!grow(prefix, grown, budget)) return false;
    if (!grown) return true;
  }
}

void MpcCompleteStrategy::noteCore(const Combination& prefix) {
  const std::vector<Lit> needed = formula_->core();
  Core core;
  for (ThreadId t = 0; t < prefix.size(); ++t)
    if (prefix[t].at.node != kNone &&
        std::find(needed.begin(), needed.end(), literal(prefix[t])) != needed.end())
      core.emplace_back(t, prefix[t]);
  cores_.push_back(std::move(core));
}

std::vector<Lit> MpcCompleteStrategy::keepTo(const Combination& prefix) {
  const Forest& forest = runner_.forest();
  Encoder& encoder = formula_->encoder();
  std::vector<Lit> literals;
  for (const ThreadPrefix& p : prefix) {
    if (p.at.node == kNone) continue;
    for (const Position& fork : forksTo(forest, p.at)) {
      const Node& n = forest[fork.node];
      if (n.kind != NodeKind::Choice) {
        literals.push_back(-encoder.side(fork.node, 1 - fork.slot));
      } else if (p.deviates() && fork.node == p.at.node) {
        for (const uint64_t value : p.excluded) literals.push_back(-encoder.side(fork.node, value));
      } else {
        for (const uint64_t value : n.sides)
          if (value != fork.slot) literals.push_back(-encoder.side(fork.node, value));
      }
    }
  }
  return literals;
}

std::vector<Lit> MpcCompleteStrategy::openContinuations(const Combination& prefix) {
  const Forest& forest = runner_.forest();
  Encoder& encoder = formula_->encoder();
  std::vector<Lit> open;
  auto compatible = [&](Position at) {
    const ThreadId thread = forest[at.node].thread;
    if (thread >= prefix.size()) return true;
    // Behind the prefix, or on the way to it.
    const ThreadPrefix& p = prefix[thread];
    if (forest[at.node].kind == NodeKind::Choice && p.at.node != kNone &&
        forest.isAncestor(at.node, p.at.node))
      return p.at.node == at.node && p.deviates();  // else the prefix fixes the value
    return follows(forest, at, p) || follows(forest, p.at, {ThreadPrefix::End::Observed, at, {}});
  };
  for (NodeId id = 0; id < forest.size(); ++id) {
    const Node& n = forest[id];
    if (n.kind == NodeKind::Branch) {
      for (const uint64_t slot : {0, 1})
        if (!forest.sideTaken(id, slot) && !isDeadEnd(n, slot) && compatible({id, slot}))
          open.push_back(encoder.side(id, slot));
    } else if (n.kind == NodeKind::Choice) {
      if (compatible({id, 0})) open.push_back(encoder.otherValue(id));
    } else if (n.kind == NodeKind::Event && !n.executed && compatible({id, 0})) {
      open.push_back(encoder.on(id));
    }
  }
  return open;
}

bool MpcCompleteStrategy::grow(const Combination& prefix, bool& grown, const Budget& budget) {
  // Once nothing at all is open, nothing need be asked until the forest grows.
  const size_t known = knowledge();
  if (closedAt_ != known && askedAt_ != known) {
    const Answer answer = askOpen({}, {}, budget);
    if (answer == Answer::Unsat) closedAt_ = known;
    if (answer != Answer::Unsat && answer != Answer::Sat) return stopAt(answer, budget);
    askedAt_ = known;
  }
  if (closedAt_ == known) return true;
  const Answer answer = askOpen(prefix, keepTo(prefix), budget);
  if (answer == Answer::Unsat) return true;
  if (answer != Answer::Sat) return stopAt(answer, budget);
  return runOpen(grown, budget);
}

bool MpcCompleteStrategy::growBesides(bool& grown, const Budget& budget) {
  if (closedAt_ == knowledge()) return true;
  const Answer answer = askOpen({}, {}, budget);
  if (answer == Answer::Unsat) {
    closedAt_ = knowledge();
    return true;
  }
  if (answer != Answer::Sat) return stopAt(answer, budget);
  if (!runOpen(grown, budget)) return false;
  split({});
  return true;
}

bool MpcCompleteStrategy::runOpen(bool& grown, const Budget& budget) {
  const size_t known = knowledge();
  ModelInputs inputs;
  std::vector<NodeId> plan = formula_->plan(inputs);
  if (!run(std::move(plan), inputs, {}, budget)) return false;
  grown = knowledge() != known;
  if (!grown) {
    runner_.result().problem = runner_.whyMissed("a run did not reach the continuation it was made for");
    ended_ = true;
  }
  return grown;
}

Answer MpcCompleteStrategy::askOpen(const Combination& prefix, std::vector<Lit> literals,
                                    const Budget& budget) {
  const std::vector<Lit> open = openContinuations(prefix);
  if (open.empty()) return Answer::Unsat;
  Solver& solver = formula_->solver();
  const Lit some = solver.newLit();
  std::vector<Lit> clause{-some};
  clause.insert(clause.end(), open.begin(), open.end());
  solver.addClause(clause);
  literals.push_back(some);
  return formula_->ask(literals, budget);
}

}  // namespace heddle

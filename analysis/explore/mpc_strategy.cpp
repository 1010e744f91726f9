#include "analysis/explore/mpc_strategy.h"

#include <algorithm>

#include "analysis/explore/forest_formula.h"

namespace heddle {

namespace {

const ThreadPrefix kNothing;

const ThreadPrefix& prefixOf(const std::vector<ThreadPrefix>& prefixes, ThreadId thread) {
  return thread < prefixes.size() ? prefixes[thread] : kNothing;
}

/// What main does before its path first forks: the other threads need it to exist.
ThreadPrefix beforeFirstFork(const Forest& forest, Position at) {
  const std::vector<Position> forks = forksTo(forest, at);
  if (forks.empty()) return {ThreadPrefix::End::Observed, at, {}};
  const Node& fork = forest[forks.front().node];
  return {ThreadPrefix::End::Observed, {fork.parent, fork.slot}, {}};
}

/// `base`, which `whole` begins with, and the events behind it up to the thread's next fork: a prefix of the
/// paper is a sequence of branch choices, and what follows the last of them unconditionally belongs to it
/// (Figure 7).
ThreadPrefix upToNextFork(const Forest& forest, const ThreadPrefix& base, const ThreadPrefix& whole) {
  if (whole.at.node == kNone) return base;
  const std::vector<Position> forks = forksTo(forest, whole.at);
  size_t next = 0;
  if (base.at.node != kNone) {
    while (next < forks.size() && forest[forks[next].node].depth <= forest[base.at.node].depth) ++next;
  }
  if (next == forks.size()) return whole.deviates() ? base : whole;
  const Node& fork = forest[forks[next].node];
  return {ThreadPrefix::End::Observed, {fork.parent, fork.slot}, {}};
}

bool failedAssumption(const Forest& forest, Position at) {
  return at.node != kNone && isDeadEnd(forest[at.node], at.slot);
}

/// All non-empty subsets of `threads`, largest first (Definition 3.4: the biggest core excludes the most
/// threads from being extended).
std::vector<std::vector<ThreadId>> subsetsLargestFirst(const std::vector<ThreadId>& threads) {
  constexpr size_t kMost = 12;
  const size_t size = std::min(threads.size(), kMost);
  std::vector<std::vector<ThreadId>> subsets;
  for (uint32_t mask = 1; mask < (1u << size); ++mask) {
    std::vector<ThreadId> subset;
    for (size_t i = 0; i < size; ++i)
      if (mask >> i & 1) subset.push_back(threads[i]);
    subsets.push_back(std::move(subset));
  }
  std::stable_sort(subsets.begin(), subsets.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return subsets;
}

}  // namespace

void MpcStrategy::explore(const Budget& budget) {
  ExploreResult& result = runner_.result();
  do {
    restarted_ = ended_ = false;
    splits_.clear();
    execute({}, budget);
    while (!ended_ && !restarted_ && !splits_.empty()) {
      Split& split = splits_.front();
      if (split.combinations.done()) {
        splits_.pop_front();
        continue;
      }
      const std::vector<ThreadPrefix> prefix = split.combinations.current();
      const std::vector<ThreadPrefix> base = split.base;
      split.combinations.advance();
      if (!handle(prefix, base, budget)) break;
      if (result.stop = budget.check(); result.stop != StopReason::None) ended_ = true;
      runner_.progress();
    }
  } while (restarted_ && !ended_);
  if (!result.problem && !runner_.builder().divergences().empty())
    result.problem = runner_.whyMissed(runner_.builder().divergences().front());
  if (!result.problem && result.stop == StopReason::None)
    result.problem = {ProblemKind::Strategy,
                      "this strategy can miss paths, so it proves nothing; use mpc-s2-fixed or forest"};
}

bool MpcStrategy::execute(Item item, const Budget& budget) {
  std::string problem;
  switch (followPlan(runner_, std::move(item.plan), item.inputs, item.first, budget, problem)) {
    case Runner::Outcome::Restarted:
      restarted_ = true;
      return false;
    case Runner::Outcome::Ended:
      ended_ = true;
      return false;
    case Runner::Outcome::Merged:
      break;
  }
  if (!problem.empty() || !runner_.lastRun().unsupported.empty()) {
    ended_ = true;
    return false;
  }
  split(item);
  return true;
}

void MpcStrategy::split(const Item& item) {
  const Forest& forest = runner_.forest();
  const GlobalPath path = runner_.builder().positions();
  const size_t threads = std::max(path.size(), item.prefix.size());
  std::vector<std::vector<ThreadPrefix>> options(threads);
  bool observedIsPossible = true, followed = true;
  for (ThreadId t = 0; t < threads; ++t) {
    const Position at = t < path.size() ? path[t] : Position{};
    const ThreadPrefix& prefix = prefixOf(item.prefix, t);
    if (!follows(forest, at, prefix)) {
      options[t] = {prefix};
      followed = false;
      continue;
    }
    if (failedAssumption(forest, at))
      observedIsPossible = false;
    else
      options[t].push_back({ThreadPrefix::End::Observed, at, {}});
    for (ThreadPrefix& way : deviationsAfter(forest, at, prefix)) options[t].push_back(std::move(way));
    if (options[t].empty()) return;
  }
  std::vector<ThreadPrefix> base = followed ? item.prefix : item.base;
  if (base.empty()) base.push_back(beforeFirstFork(forest, path[kMainThread]));
  splits_.push_back({PrefixProduct(std::move(options), followed && observedIsPossible), std::move(base)});
}

Answer MpcStrategy::ask(std::vector<ThreadPrefix>& prefix, Item& item, std::vector<ThreadId>* core,
                        const Budget& budget) {
  const std::optional<PathEvents> events = eventsOf(runner_.forest(), prefix);
  if (!events) return Answer::Unknown;  // part of another combination
  PathFormula formula(runner_, *events);
  const Answer answer = formula.check(budget);
  if (answer == Answer::Sat) item.plan = formula.plan(item.inputs);
  if (answer == Answer::Unsat && core) *core = formula.coreThreads(budget);
  addStats(runner_.result().stats.solver, formula.stats());
  if (answer != Answer::Sat && answer != Answer::Unsat) {
    noteNoAnswer(runner_, answer, budget);
    ended_ = true;
  }
  return answer;
}

bool MpcStrategy::handle(const std::vector<ThreadPrefix>& wanted, const std::vector<ThreadPrefix>& base,
                         const Budget& budget) {
  std::vector<ThreadPrefix> prefix = wanted;
  Item item;
  std::vector<ThreadId> core;
  const Answer answer = ask(prefix, item, &core, budget);
  if (ended_) return false;
  if (answer == Answer::Sat) {
    item.prefix = item.base = prefix;
    return execute(std::move(item), budget);
  }
  if (answer == Answer::Unsat && cores_) return extend(prefix, base, core, budget);
  return true;
}

bool MpcStrategy::extend(const std::vector<ThreadPrefix>& prefix, const std::vector<ThreadPrefix>& base,
                         const std::vector<ThreadId>& core, const Budget& budget) {
  for (const std::vector<ThreadId>& held : subsetsLargestFirst(core)) {
    Item item;
    std::vector<ThreadPrefix> extended = prefix;
    for (ThreadId t = 0; t < prefix.size(); ++t) {
      if (std::find(held.begin(), held.end(), t) != held.end())
        extended[t] = upToNextFork(runner_.forest(), prefixOf(base, t), prefix[t]);
      else if (prefix[t].deviates())
        item.first.push_back(t);
    }
    if (item.first.empty()) continue;  // nobody would be extended
    const Answer answer = ask(extended, item, nullptr, budget);
    if (ended_) return false;
    if (answer != Answer::Sat) continue;
    item.prefix = prefix;
    item.base = extended;
    return execute(std::move(item), budget);
  }
  return true;
}

}  // namespace heddle

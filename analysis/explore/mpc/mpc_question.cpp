#include "analysis/explore/mpc/mpc_question.h"

#include <algorithm>

#include "analysis/explore/formula/forest_formula.h"

namespace heddle {

namespace {

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

/// One formula. `prefix` may be cut, see eventsOf.
Answer ask(const FormulaParts& parts, std::vector<ThreadPrefix>& prefix, MpcAnswer& into,
           std::vector<ThreadId>* core, const Budget& budget) {
  const std::optional<PathEvents> events = eventsOf(parts.forest, prefix);
  if (!events) return Answer::Unsat;  // part of another combination
  PathFormula formula(parts, *events);
  const Answer answer = formula.check(budget);
  if (answer == Answer::Sat) into.item.plan = formula.plan(into.item.inputs);
  if (answer == Answer::Unsat && core) *core = formula.coreThreads(budget);
  into.stats += formula.stats();
  return answer;
}

/// Strategy 2 for an unsatisfiable prefix.
Answer extend(const FormulaParts& parts, const MpcQuestion& question, const std::vector<ThreadPrefix>& prefix,
              const std::vector<ThreadId>& core, MpcAnswer& into) {
  for (const std::vector<ThreadId>& held : subsetsLargestFirst(core)) {
    std::vector<ThreadPrefix> extended = prefix;
    std::vector<ThreadId> first;
    for (ThreadId t = 0; t < prefix.size(); ++t) {
      if (std::find(held.begin(), held.end(), t) != held.end())
        extended[t] = upToNextFork(parts.forest, prefixOf(question.base, t), prefix[t]);
      else if (prefix[t].deviates())
        first.push_back(t);
    }
    if (first.empty()) continue;  // nobody would be extended
    const Answer answer = ask(parts, extended, into, nullptr, question.budget);
    if (answer == Answer::Unsat) continue;
    into.item.prefix = prefix;
    into.item.base = std::move(extended);
    into.item.first = std::move(first);
    return answer;
  }
  return Answer::Unsat;
}

}  // namespace

MpcAnswer answer(const FormulaParts& parts, const MpcQuestion& question, bool cores) {
  MpcAnswer result;
  std::vector<ThreadPrefix> prefix = question.prefix;
  std::vector<ThreadId> core;
  result.answer = ask(parts, prefix, result, &core, question.budget);
  if (result.answer == Answer::Sat)
    result.item.prefix = result.item.base = std::move(prefix);
  else if (result.answer == Answer::Unsat && cores)
    result.answer = extend(parts, question, prefix, core, result);
  return result;
}

}  // namespace heddle

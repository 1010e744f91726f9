#include "analysis/diagnose/cores.h"

#include <algorithm>
#include <map>

namespace heddle {

namespace {

/// What kind of order it is; larger ones are kept in a core rather than smaller ones, because they say more.
enum class Weight : uint8_t { Independent, Synchronization, WriteWrite, ReadWrite, WriteRead };

struct Weighted {
  Ordering ordering;
  Weight weight = Weight::Synchronization;
  size_t distance = 0;  // in the execution
};

bool isSynchronization(EventKind kind) {
  return kind != EventKind::Read && kind != EventKind::Write && kind != EventKind::Update;
}

bool dependent(const Node& a, const Node& b) {
  if (a.event == EventKind::Read && b.event == EventKind::Read) return false;
  return std::any_of(a.cells.begin(), a.cells.end(),
                     [&](const NodeCell& cell) { return cellAt(b, cell.location) != nullptr; });
}

/// Unlocks say nothing that the acquisitions do not.
bool counts(const Node& n) {
  return n.event != EventKind::Unlock && !n.cells.empty();
}

Weight weightOf(const Node& a, const Node& b) {
  if (!dependent(a, b)) return Weight::Independent;
  if (isSynchronization(a.event) || isSynchronization(b.event)) return Weight::Synchronization;
  if (a.event == EventKind::Read) return Weight::ReadWrite;
  return b.event == EventKind::Write ? Weight::WriteWrite : Weight::WriteRead;
}

/// Removes one after the other what is not needed, beginning with the first. False: some answer is missing.
bool minimize(ExecutionFormula& formula, const std::vector<Lit>& hard, std::vector<Lit>& soft,
              const Budget& budget) {
  const auto keepCore = [&] {
    const std::vector<Lit>& needed = formula.core();
    std::erase_if(soft, [&](Lit l) { return std::find(needed.begin(), needed.end(), l) == needed.end(); });
  };
  keepCore();
  for (size_t i = 0; i < soft.size();) {
    std::vector<Lit> literals = hard;
    for (size_t j = 0; j < soft.size(); ++j)
      if (j != i) literals.push_back(soft[j]);
    const Answer answer = formula.check(literals, budget);
    if (answer == Answer::Sat) {
      ++i;
    } else if (answer == Answer::Unsat) {
      soft.erase(soft.begin() + static_cast<std::ptrdiff_t>(i));
      // The first i elements are needed in every unsatisfiable subset, so they stay.
      keepCore();
    } else {
      return false;
    }
  }
  return true;
}

/// The core of one failing execution; false when there is an answer missing, or none (`problem`).
bool coreOf(Runner& runner, const SourceEvents& events, ExecutionFormula& formula, Core& core,
            const Budget& budget, std::string& problem) {
  const std::vector<Lit> hard{formula.passes(), formula.inputs(runner.names(), core.failing.inputs)};
  std::vector<Lit> soft;
  std::map<Lit, Ordering> meaning;
  Answer answer = Answer::Sat;
  for (const Pairs pairs : {Pairs::Dependent, Pairs::Causal, Pairs::All}) {
    if (answer != Answer::Sat) break;
    soft.clear();
    for (const Ordering& candidate :
         orderingsOf(runner.forest(), events, formula.precedence(), core.failing, pairs)) {
      soft.push_back(formula.ordering(candidate));
      meaning[soft.back()] = candidate;
    }
    core.pairs = pairs;
    core.softSize = soft.size();
    std::vector<Lit> all = hard;
    all.insert(all.end(), soft.begin(), soft.end());
    answer = formula.check(all, budget);
  }
  if (answer == Answer::Sat) problem = "the orderings of a failing execution do not determine it";
  if (answer != Answer::Unsat) return false;
  core.minimal = minimize(formula, hard, soft, budget);
  for (const Lit lit : soft) core.orderings.push_back(meaning[lit]);
  // In the order of the failing execution.
  std::map<SourceEventId, size_t> position;
  for (size_t i = 0; i < core.failing.order.size(); ++i)
    position.try_emplace(events.of(core.failing.order[i]), i);
  const auto at = [&](SourceEventId id) {
    const auto it = position.find(id);
    return it == position.end() ? core.failing.order.size() : it->second;
  };
  std::sort(core.orderings.begin(), core.orderings.end(), [&](const Ordering& a, const Ordering& b) {
    return std::pair(at(a.before), at(a.after)) < std::pair(at(b.before), at(b.after));
  });
  return true;
}

}  // namespace

std::vector<Ordering> orderingsOf(const Forest& forest, const SourceEvents& events,
                                  const Precedence& precedence, const RecordedExecution& execution,
                                  Pairs pairs) {
  std::vector<NodeId> nodes = execution.order;
  nodes.insert(nodes.end(), execution.blocked.begin(), execution.blocked.end());
  std::vector<Weighted> found;
  for (size_t j = 0; j < nodes.size(); ++j) {
    const Node& b = forest[nodes[j]];
    if (!counts(b)) continue;
    for (size_t i = 0; i < j && i < execution.order.size(); ++i) {
      const Node& a = forest[nodes[i]];
      if (a.thread == b.thread || !counts(a) || precedence.always(nodes[i], nodes[j])) continue;
      const Weight weight = weightOf(a, b);
      if (weight == Weight::Independent && pairs != Pairs::All) continue;
      const bool causal = pairs == Pairs::Causal && a.event != EventKind::Read;
      found.push_back({{events.of(nodes[i]), events.of(nodes[j]), causal}, weight, j - i});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Weighted& a, const Weighted& b) {
    if (a.weight != b.weight) return a.weight < b.weight;
    return a.distance > b.distance;
  });
  std::vector<Ordering> orderings;
  for (const Weighted& one : found) orderings.push_back(one.ordering);
  return orderings;
}

CoreSet findCores(Runner& runner, const SourceEvents& events, ExecutionFormula& formula,
                  const RecordedExecution& first, const CoreOptions& options, const Budget& budget) {
  CoreSet set;
  RecordedExecution failing = first;
  const size_t known = runner.forest().size();
  while (set.cores.size() < options.maxCores) {
    Core core;
    core.failing = std::move(failing);
    if (!coreOf(runner, events, formula, core, budget, set.problem)) return set;
    const bool always = core.orderings.empty();
    formula.block(core.orderings);
    set.cores.push_back(std::move(core));
    // No ordering is to blame, so there is none to block either.
    if (always) return set;
    const Lit fails[] = {formula.fails()};
    const Answer answer = formula.check(fails, budget);
    set.complete = answer == Answer::Unsat;
    if (answer != Answer::Sat) return set;
    ModelInputs inputs;
    std::optional<RecordedExecution> next = followPlan(runner, formula.plan(inputs), inputs, budget);
    if (!next || runner.forest().size() != known) {
      if (budget.check() == StopReason::None) set.problem = "a failing execution could not be followed";
      return set;
    }
    failing = std::move(*next);
  }
  return set;
}

bool proveCore(const Names& names, ExecutionFormula& formula, const Core& core, const Budget& budget) {
  const std::vector<Lit> hard{formula.passes(), formula.inputs(names, core.failing.inputs)};
  for (size_t left = 0; left <= core.orderings.size(); ++left) {
    std::vector<Lit> literals = hard;
    for (size_t i = 0; i < core.orderings.size(); ++i)
      if (i != left) literals.push_back(formula.ordering(core.orderings[i]));
    const Answer expected = left == core.orderings.size() ? Answer::Unsat : Answer::Sat;
    if (formula.check(literals, budget) != expected) return false;
  }
  return true;
}

}  // namespace heddle

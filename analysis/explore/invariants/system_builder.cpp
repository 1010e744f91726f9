#include "analysis/explore/invariants/system_builder.h"

#include <algorithm>

#include "analysis/explore/invariants/stuck_conditions.h"

namespace heddle {

namespace {

Term fitted(TermTable& terms, Term term, unsigned width) {
  return terms.width(term) > width ? terms.extract(term, 0, width) : term;
}

}  // namespace

bool SystemBuilder::build(FunctionId entry, const Budget& budget) {
  for (uint64_t attempt = 0; attempt < budget.tuning().systemAttempts; ++attempt) {
    const bool isDone = followAll(entry, budget);
    if (!problem().empty() || budget.check() != StopReason::None) return false;
    if (facts_.grew()) continue;
    if (!isDone || (forbidsStuck_ && !noteStuck(budget))) return false;
    if (facts_.grew()) continue;
    finish();
    return true;
  }
  return false;
}

bool SystemBuilder::followAll(FunctionId entry, const Budget& budget) {
  locations_.clear();
  numbers_.clear();
  waiting_.clear();
  std::vector<Term> values;
  system_.initial = arrive(stepper_.start(entry).state, values);
  size_t steps = 0;
  while (!waiting_.empty()) {
    budget.spend();
    if (!problem().empty() || budget.check() != StopReason::None) return false;
    const SystemLocation number = waiting_.back();
    waiting_.pop_back();
    locations_[number].isWaiting = false;
    expand(number);
    steps += locations_[number].steps.size();
    if (locations_.size() > budget.tuning().systemLocations || steps > budget.tuning().systemSteps) {
      stepper_.refuse("too many locations");
      return false;
    }
  }
  return true;
}

void SystemBuilder::takeSteps(SystemLocation number, const SymbolicPath& from,
                              std::vector<SymbolicPath>& out) {
  const SymbolicState& state = locations_[number].state;
  std::vector<ThreadId> heads, others;
  for (ThreadId thread = 0; thread < state.threads.size(); ++thread) {
    if (state.threads[thread].at == StandsAt::Barrier || !stepper_.mayStep(state, thread)) continue;
    // Nothing that others do has to do with a join of who has ended.
    if (state.threads[thread].at == StandsAt::Join) return stepper_.step(from, thread, out);
    (state.threads[thread].at == StandsAt::Head ? heads : others).push_back(thread);
  }
  for (const ThreadId thread : others) stepper_.step(from, thread, out);
  passBarriers(from, out);
  if (heads.empty()) return;
  std::vector<SymbolicPath> together{from};
  for (const ThreadId thread : heads) {
    std::vector<SymbolicPath> next;
    for (const SymbolicPath& path : together) stepper_.step(path, thread, next);
    together = std::move(next);
  }
  for (SymbolicPath& path : together) out.push_back(std::move(path));
}

/// All who have arrived pass in one step. Any of them may be told that it was the last.
void SystemBuilder::passBarriers(const SymbolicPath& from, std::vector<SymbolicPath>& out) {
  for (const auto& [barrier, count] : from.state.barriers) {
    const std::vector<ThreadId> arrived = from.state.arrived(barrier);
    if (arrived.size() < count) continue;
    for (const ThreadId last : arrived) {
      std::vector<SymbolicPath> passed{from};
      for (const ThreadId thread : arrived) passed.front().state.threads[thread].at = StandsAt::Head;
      for (const ThreadId thread : arrived) {
        std::vector<SymbolicPath> next;
        for (const SymbolicPath& path : passed) stepper_.pass(path, thread, thread == last, next);
        passed = std::move(next);
      }
      for (SymbolicPath& path : passed) out.push_back(std::move(path));
    }
  }
}

void SystemBuilder::expand(SystemLocation number) {
  SymbolicPath from;
  from.state = locations_[number].state;
  std::vector<SymbolicPath> reached;
  stepper_.takeViolations();
  takeSteps(number, from, reached);
  std::vector<std::vector<Term>> obligations = stepper_.takeViolations();
  if (!problem().empty()) return;
  std::vector<Step> steps;
  for (SymbolicPath& path : reached) {
    Step step{number, 0, std::move(path.when), {}};
    step.to = arrive(path.state, step.values);
    steps.push_back(std::move(step));
  }
  Location& location = locations_[number];
  location.steps = std::move(steps);
  location.obligations = std::move(obligations);
  noteRaces(location);
}

bool SystemBuilder::noteStuck(const Budget& budget) {
  StuckConditions stuck(stepper_, terms_, facts_);
  for (Location& location : locations_) {
    budget.spend();
    if (budget.check() != StopReason::None) return false;
    if (auto when = stuck.of(location.state)) location.obligations.push_back(std::move(*when));
    if (!problem().empty()) return false;
  }
  return true;
}

void SystemBuilder::noteRaces(Location& location) {
  const auto count = static_cast<ThreadId>(location.state.threads.size());
  for (ThreadId a = 0; a < count; ++a) {
    const std::optional<SymbolicAccess> first = stepper_.accessOf(location.state, a);
    if (!first) continue;
    for (ThreadId b = a + 1; b < count; ++b) {
      const std::optional<SymbolicAccess> second = stepper_.accessOf(location.state, b);
      if (!second || first->resource != second->resource || (!first->changes && !second->changes) ||
          (first->isAtomic && second->isAtomic))
        continue;
      location.obligations.emplace_back();
      if (first->bytes == second->bytes)
        location.obligations.back().push_back(terms_.eq(first->offset, second->offset));
    }
  }
}

SystemLocation SystemBuilder::arrive(const SymbolicState& state, std::vector<Term>& values) {
  SymbolicState at = state;
  values.clear();
  for (const Term* entry : at.entries()) values.push_back(*entry);
  const auto [known, isNew] =
      numbers_.try_emplace(state.key(), static_cast<SystemLocation>(locations_.size()));
  const SystemLocation number = known->second;
  if (isNew) {
    for (Term* entry : at.entries())
      if (*entry != kUndefined && !terms_.isConst(*entry)) *entry = terms_.symbol(terms_.width(*entry));
    locations_.push_back({std::move(at), {}, {}, false});
  }
  Location& location = locations_[number];
  if ((isNew || join(location, values)) && !location.isWaiting) {
    location.isWaiting = true;
    waiting_.push_back(number);
  }
  return number;
}

bool SystemBuilder::join(Location& location, const std::vector<Term>& values) {
  bool changed = false;
  const std::vector<Term*> entries = location.state.entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    Term& held = *entries[i];
    if (held == values[i] || held == kUndefined) continue;
    if (values[i] == kUndefined) {
      held = kUndefined;
      changed = true;
      continue;
    }
    // A constant of the program has 64 bits, whatever it is for.
    const unsigned width = std::min(terms_.width(held), terms_.width(values[i]));
    const bool isVariable = terms_.node(held).op == TermOp::Symbol;
    if (isVariable && terms_.width(held) == width) continue;
    if (!isVariable && fitted(terms_, held, width) == fitted(terms_, values[i], width)) continue;
    held = terms_.symbol(width);
    changed = true;
  }
  return changed;
}

void SystemBuilder::finish() {
  system_.unproven = stepper_.unproven();
  system_.hasLoops = stepper_.hasLoops();
  std::vector<std::vector<size_t>> entriesOf(locations_.size());
  for (SystemLocation number = 0; number < locations_.size(); ++number) {
    system_.variables.emplace_back();
    const std::vector<Term*> entries = locations_[number].state.entries();
    for (size_t i = 0; i < entries.size(); ++i) {
      if (*entries[i] == kUndefined || terms_.isConst(*entries[i])) continue;
      system_.variables.back().push_back(*entries[i]);
      entriesOf[number].push_back(i);
    }
  }
  for (Location& location : locations_) {
    for (Step& step : location.steps) {
      SystemStep made{step.from, step.to, std::move(step.when), {}};
      const std::vector<Term>& variables = system_.variables[step.to];
      for (size_t i = 0; i < variables.size(); ++i)
        made.values.push_back(fitted(terms_, step.values[entriesOf[step.to][i]], terms_.width(variables[i])));
      system_.steps.push_back(std::move(made));
    }
  }
  for (SystemLocation number = 0; number < locations_.size(); ++number)
    for (std::vector<Term>& when : locations_[number].obligations)
      system_.obligations.push_back({number, std::move(when)});
}

}  // namespace heddle

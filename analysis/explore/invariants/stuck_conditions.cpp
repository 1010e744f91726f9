#include "analysis/explore/invariants/stuck_conditions.h"

#include <utility>

namespace heddle {

namespace {

/// Of one round; of what goes on longer it is not known that it ends.
constexpr size_t kMostRoundSteps = 12, kMostRoundPaths = 64;

StateKey keyOf(const SymbolicThread& thread) {
  StateKey key;
  thread.addTo(key);
  return key;
}

}  // namespace

Term StuckConditions::all(const std::vector<Term>& conditions) const {
  Term held = terms_.constant(1, 1);
  for (const Term condition : conditions) held = terms_.binary(TermOp::And, held, condition);
  return held;
}

Term StuckConditions::isUnchanged(const SymbolicState& before, const SymbolicState& after) const {
  std::vector<Term> same;
  for (const auto& [address, cell] : after.cells) {
    const auto old = before.cells.find(address);
    if (old == before.cells.end() || !facts_.isShared(address)) continue;
    const Term a = old->second.value, b = cell.value;
    if (a == b || a == kUndefined || b == kUndefined || terms_.width(a) != terms_.width(b)) continue;
    same.push_back(terms_.eq(a, b));
  }
  return all(same);
}

std::optional<Term> StuckConditions::goesRound(const SymbolicState& state, ThreadId thread) {
  if (!stepper_.mayWaitInLoop(state.threads[thread])) return std::nullopt;
  const StateKey begin = keyOf(state.threads[thread]);
  std::optional<Term> found;
  const auto add = [&](Term condition) {
    found = found ? terms_.binary(TermOp::Or, *found, condition) : condition;
  };
  std::vector<std::pair<SymbolicPath, size_t>> open;
  open.emplace_back(SymbolicPath{state, {}, {}}, 0);
  for (size_t paths = 0; !open.empty(); ++paths) {
    const auto [path, steps] = std::move(open.back());
    open.pop_back();
    std::vector<SymbolicPath> next;
    stepper_.step(path, thread, next);
    for (SymbolicPath& reached : next) {
      // An input of the round is another one next time, and may lead elsewhere.
      if (reached.askedToLeave) continue;
      const SymbolicThread& at = reached.state.threads[thread];
      const bool isBack = keyOf(at) == begin;
      if (isBack)
        add(terms_.binary(TermOp::And, all(reached.when), isUnchanged(state, reached.state)));
      else if (at.at == StandsAt::Barrier || !stepper_.isEnabled(reached.state, thread) ||
               !stepper_.mayWaitInLoop(at))
        continue;  // it is blocked there, lets others pass a barrier, has ended, or has left the loop
      else if (steps + 1 == kMostRoundSteps || paths >= kMostRoundPaths)
        add(all(reached.when));
      else
        open.emplace_back(std::move(reached), steps + 1);
    }
  }
  stepper_.takeViolations();  // they are those of the steps themselves
  return found;
}

std::optional<std::vector<Term>> StuckConditions::of(const SymbolicState& state) {
  if (state.isProcessOver) return std::nullopt;
  std::vector<Term> when;
  bool someAlive = false;
  for (ThreadId thread = 0; thread < state.threads.size(); ++thread) {
    if (!state.threads[thread].isAlive()) continue;
    someAlive = true;
    if (!stepper_.isEnabled(state, thread)) continue;
    if (state.threads[thread].at == StandsAt::Barrier) return std::nullopt;
    const std::optional<Term> round = goesRound(state, thread);
    if (!round) return std::nullopt;
    when.push_back(*round);
  }
  if (!someAlive) return std::nullopt;
  return when;
}

}  // namespace heddle

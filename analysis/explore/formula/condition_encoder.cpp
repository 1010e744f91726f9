#include "analysis/explore/formula/condition_encoder.h"

namespace heddle {

ConditionEncoder::Condition& ConditionEncoder::conditionOf(NodeId id) {
  Condition& condition = conditions_[forest_[id].cells[0].location];
  if (condition.group == kNone) condition.group = guards_.newGroup();
  return condition;
}

void ConditionEncoder::encodeSignal(NodeId id) {
  Condition& condition = conditionOf(id);
  condition.signals.push_back(id);
  for (Waker& waker : condition.wakers) addWake(waker, id);
}

void ConditionEncoder::encodeWake(NodeId id) {
  Condition& condition = conditionOf(id);
  Waker waker;
  waker.node = id;
  const Lit on = nodes_.on(id);
  waker.guard = guards_.newGuard(condition.group, on);
  solver_.addClause({-on, guards_.lit(waker.guard)});
  // In its place before addWake, which looks at the other wakers.
  condition.wakers.push_back(std::move(waker));
  for (const NodeId signal : condition.signals) addWake(condition.wakers.back(), signal);
}

void ConditionEncoder::addWake(Waker& waker, NodeId signal) {
  const Node& s = forest_[signal];
  const Node& w = forest_[waker.node];
  // A thread that waits does not signal.
  if (budget_.stopped() || s.thread == w.thread) return;
  const Lit chosen = solver_.newLit();
  solver_.guard(chosen, nodes_.on(waker.node));
  solver_.addClause({-chosen, nodes_.on(signal)});
  solver_.addClause({-chosen, sections_.before(w.acquire, signal)});
  solver_.addClause({-chosen, sections_.before(signal, waker.node)});
  if (s.event == EventKind::Signal)
    for (const Waker& other : conditions_[s.cells[0].location].wakers)
      for (const auto& [node, lit] : other.chosen)
        if (node == signal) solver_.addClause({-chosen, -lit});
  waker.chosen.emplace_back(signal, chosen);
  guards_.grow(waker.guard, chosen);
}

std::span<const NodeId> ConditionEncoder::signals(LocationId location) const {
  const auto it = conditions_.find(location);
  return it == conditions_.end() ? std::span<const NodeId>() : it->second.signals;
}

std::span<const ConditionEncoder::Waker> ConditionEncoder::wakers(LocationId location) const {
  const auto it = conditions_.find(location);
  return it == conditions_.end() ? std::span<const Waker>() : it->second.wakers;
}

}  // namespace heddle

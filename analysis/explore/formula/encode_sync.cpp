// Condition variables and atomic sections.
//
// A Wake happens only if a Signal between its Wait and itself is its own, or a Broadcast lies there.
//
// The events of an atomic section share one place in the order, so nothing can come between them. A thread
// may stop in the middle of a section, but then no event of another thread comes after the section, and no
// other thread stops in the middle of one.
#include "analysis/explore/formula/encoder.h"

namespace heddle {

void Encoder::encodeSignal(NodeId id) {
  ConditionState& state = conditions_[forest_[id].cells[0].location];
  if (state.group == kNone) state.group = newGroup();
  state.signals.push_back(id);
  for (Waker& waker : state.wakers) addWake(waker, id);
}

void Encoder::encodeWake(NodeId id) {
  ConditionState& state = conditions_[forest_[id].cells[0].location];
  if (state.group == kNone) state.group = newGroup();
  Waker waker;
  waker.node = id;
  const Lit on = encoded_[id].on;
  waker.guard = newGuard(state.group, on);
  solver_.addClause({-on, guardLit(waker.guard)});
  state.wakers.push_back(std::move(waker));
  // By index: addWake looks at the other wakers.
  for (const NodeId signal : state.signals) addWake(state.wakers.back(), signal);
}

void Encoder::addWake(Waker& waker, NodeId signal) {
  const Node& s = forest_[signal];
  const Node& w = forest_[waker.node];
  // A thread that waits does not signal.
  if (stopped() || s.thread == w.thread) return;
  const Lit chosen = solver_.newLit();
  solver_.guard(chosen, encoded_[waker.node].on);
  solver_.addClause({-chosen, encoded_[signal].on});
  solver_.addClause({-chosen, before(w.acquire, signal)});
  solver_.addClause({-chosen, before(signal, waker.node)});
  if (s.event == EventKind::Signal)
    for (const Waker& other : conditions_[s.cells[0].location].wakers)
      for (const auto& [node, lit] : other.chosen)
        if (node == signal) solver_.addClause({-chosen, -lit});
  waker.chosen.emplace_back(signal, chosen);
  grow(waker.guard, chosen);
}

// --- atomic sections ---

void Encoder::encodeSection(NodeId first) {
  const Lit on = encoded_[first].on;
  Section section;
  section.done = solver_.newLit();
  solver_.guard(section.done, on);
  const ThreadId own = forest_[first].thread;
  if (thread(own).sectionGroup == kNone) thread(own).sectionGroup = newGroup();
  section.guard = newGuard(thread(own).sectionGroup, section.done);
  solver_.addClause({-section.done, guardLit(section.guard)});
  sections_.emplace(first, section);
  if (thread(own).inSection == 0) {
    const Lit stays = solver_.newLit();
    for (const ThreadState& other : threads_)
      if (other.inSection) solver_.addClause({-stays, -other.inSection});
    thread(own).inSection = stays;
  }
  solver_.addClause({-on, section.done, thread(own).inSection});
}

void Encoder::encodeSectionEnd(NodeId id) {
  const Node& n = forest_[id];
  encoded_[id].on = reach(n.parent, n.slot);
  grow(sections_.at(n.section).guard, encoded_[id].on);
}

Lit Encoder::sectionDone(NodeId event) {
  const NodeId first = forest_[event].section;
  return first == kNone ? Solver::kTrue : sections_.at(first).done;
}

Lit Encoder::before(NodeId a, NodeId b) {
  const Lit lit = solver_.before(encoded_[a].order, encoded_[b].order);
  if (forest_[a].section == kNone && forest_[b].section == kNone) return lit;
  if (!sectionOrders_.emplace(a, b).second) return lit;
  if (forest_[a].section != kNone)
    solver_.addClause({-lit, -encoded_[a].on, -encoded_[b].on, sectionDone(a)});
  if (forest_[b].section != kNone) solver_.addClause({lit, -encoded_[a].on, -encoded_[b].on, sectionDone(b)});
  return lit;
}

}  // namespace heddle

#include "analysis/explore/formula/node_literals.h"

#include <algorithm>

namespace heddle {

NodeId NodeLiterals::add() {
  encoded_.emplace_back();
  return static_cast<NodeId>(encoded_.size() - 1);
}

Lit NodeLiterals::reach(NodeId parent, uint64_t slot) {
  const Node& p = forest_[parent];
  const bool forks = isFork(p.kind);
  return forks ? side(parent, slot) : encoded_[parent].on;
}

Lit NodeLiterals::side(NodeId node, uint64_t slot) {
  for (const auto& [s, lit] : encoded_[node].sides)
    if (s == slot) return lit;
  // Only a choice gets sides later than itself.
  encodeChoiceSides(node);
  for (const auto& [s, lit] : encoded_[node].sides)
    if (s == slot) return lit;
  return -Solver::kTrue;
}

Lit NodeLiterals::encodeReached(NodeId id) {
  const Node& n = forest_[id];
  return encoded_[id].on = reach(n.parent, n.slot);
}

void NodeLiterals::encodeBranch(NodeId id) {
  const Lit here = encodeReached(id);
  const Lit condition = solver_.condition(forest_[id].term);
  for (const uint64_t slot : {0, 1}) {
    const Lit lit = solver_.newLit();
    solver_.addClause({-lit, here});
    solver_.addClause({-lit, slot == 1 ? condition : -condition});
    encoded_[id].sides.emplace_back(slot, lit);
  }
}

void NodeLiterals::encodeChoice(NodeId id) {
  encoded_[id].other = encodeReached(id);
  choices_.push_back(id);
  encodeChoiceSides(id);
}

void NodeLiterals::encodeChoiceSides(NodeId id) {
  const Node& n = forest_[id];
  for (const uint64_t value : n.sides) {
    auto& sides = encoded_[id].sides;
    if (std::any_of(sides.begin(), sides.end(), [&](const auto& s) { return s.first == value; })) continue;
    const Lit equal = solver_.condition(terms_.eq(n.term, terms_.constant(value, terms_.width(n.term))));
    const Lit lit = solver_.newLit();
    solver_.addClause({-lit, encoded_[id].on});
    solver_.addClause({-lit, equal});
    sides.emplace_back(value, lit);
    const Lit other = solver_.newLit();
    solver_.addClause({-other, encoded_[id].other});
    solver_.addClause({-other, -equal});
    encoded_[id].other = other;
  }
}

void NodeLiterals::updateChoices() {
  for (const NodeId choice : choices_) encodeChoiceSides(choice);
}

void NodeLiterals::encodeTryLock(NodeId id) {
  const Lit here = encodeReached(id);
  const Lit busy = solver_.newLit(), acquired = solver_.newLit();
  solver_.addClause({-busy, here});
  solver_.addClause({-acquired, here});
  solver_.addClause({-busy, -acquired});
  encoded_[id].sides = {{0, busy}, {1, acquired}};
}

}  // namespace heddle

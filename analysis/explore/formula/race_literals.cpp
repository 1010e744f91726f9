#include "analysis/explore/formula/race_literals.h"

namespace heddle {

Lit RaceLiterals::comesLast(NodeId event, NodeId except) {
  const NodeId first = forest_[event].section == kNone ? event : forest_[event].section;
  const Lit isLast = solver_.newLit();
  for (NodeId id = 0; id < nodes_.size(); ++id)
    if (id != except && isOrdered(forest_[id]) && forest_[id].thread != forest_[event].thread)
      solver_.addClause({-isLast, -nodes_.on(id), sections_.before(id, first)});
  return isLast;
}

Lit RaceLiterals::writes(NodeId update) {
  const Term condition = forest_[update].writesIf;
  return condition == kNoTerm ? Solver::kTrue : solver_.condition(condition);
}

Lit RaceLiterals::leftOrEnds(NodeId event) {
  const NodeId section = forest_[event].section;
  if (section == kNone) return Solver::kTrue;
  const Lit leaves = solver_.newLit();
  std::vector<Lit> ways{-leaves, sections_.done(event)};
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    const Node& n = forest_[id];
    if (n.kind == NodeKind::Event && n.event == EventKind::End && n.endsProcess &&
        sectionAround(forest_, id) == section)
      ways.push_back(nodes_.on(id));
  }
  solver_.addClause(ways);
  return leaves;
}

std::vector<Lit> RaceLiterals::nextBesideLast(NodeId last, NodeId other) {
  const Node& o = forest_[other];
  return {comesLast(last, kNone),         nodes_.on(last),  leftOrEnds(last), writes(last),
          nodes_.reach(o.parent, o.slot), -nodes_.on(other)};
}

std::vector<Lit> RaceLiterals::rightBefore(NodeId inside, NodeId other) {
  const NodeId first = forest_[inside].section, previous = forest_[first].lastEvent;
  const Lit isNext = solver_.newLit();
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    if (id == other || !isOrdered(forest_[id]) || forest_[id].thread == forest_[inside].thread) continue;
    if (forest_[id].thread != forest_[other].thread)
      solver_.addClause({-isNext, -nodes_.on(id), sections_.before(id, other)});
    else if (forest_.reaches(other, id))
      solver_.addClause({-isNext, -nodes_.on(id)});
  }
  if (previous != kNone) solver_.addClause({-isNext, sections_.before(previous, other)});
  return {
      isNext,        comesLast(inside, kNone),      nodes_.on(inside), leftOrEnds(inside), nodes_.on(other),
      writes(other), sections_.before(other, first)};
}

std::vector<Lit> RaceLiterals::rightAfter(NodeId inside, NodeId exchange) {
  return {comesLast(inside, exchange), nodes_.on(inside),
          leftOrEnds(inside),          sections_.before(forest_[inside].section, exchange),
          nodes_.on(exchange),         writes(exchange)};
}

std::vector<Lit> RaceLiterals::bothNext(NodeId a, NodeId b) {
  const Node& x = forest_[a];
  const Node& y = forest_[b];
  return {nodes_.reach(x.parent, x.slot), -nodes_.on(a), nodes_.reach(y.parent, y.slot), -nodes_.on(b)};
}

std::vector<Lit> RaceLiterals::inOrder(NodeId first, NodeId between, NodeId last) {
  return {nodes_.on(first),
          nodes_.on(between),
          writes(between),
          nodes_.on(last),
          sections_.before(first, between),
          sections_.before(between, last)};
}

}  // namespace heddle

#include "analysis/explore/formula/thread_encoder.h"

namespace heddle {

void ThreadEncoder::encodeStart(NodeId id) {
  const Node& n = forest_[id];
  const bool isMain = n.thread == kMainThread;
  const Lit on = isMain ? Solver::kTrue : solver_.newLit();
  nodes_.setOn(id, on);
  nodes_.setOrder(id, solver_.newOrderNode(on));
  if (isMain) return;
  if (n.term != kNoTerm) solver_.guardSymbol(n.term, on);
  ThreadState& t = thread(n.thread);
  if (t.createGroup == kNone) t.createGroup = guards_.newGroup();
  t.startGuard = guards_.newGuard(t.createGroup, on);
  solver_.addClause({-on, guards_.lit(t.startGuard)});
  for (const NodeId create : t.creates) startByCreate(id, create);
}

void ThreadEncoder::encodeCreate(NodeId id) {
  const Node& n = forest_[id];
  precedence_.addCreate(id);
  ThreadState& t = thread(n.other);
  t.creates.push_back(id);
  const NodeId root = forest_.root(n.other);
  if (t.startGuard == kNone || root == kNone) return;
  startByCreate(root, id);
}

void ThreadEncoder::startByCreate(NodeId start, NodeId create) {
  solver_.addEdge(nodes_.order(create), nodes_.order(start));
  const Lit chosen = solver_.newLit();
  solver_.addClause({-chosen, nodes_.on(create)});
  solver_.addClause({-chosen, sections_.done(create)});
  const Node& s = forest_[start];
  if (s.term != kNoTerm) solver_.addEqualityIf(chosen, s.term, forest_[create].term);
  guards_.grow(thread(s.thread).startGuard, chosen);
}

void ThreadEncoder::encodeEnd(NodeId id) {
  // Nobody joins a thread that took the process with it.
  if (forest_[id].endsProcess) return;
  ThreadState& t = thread(forest_[id].thread);
  t.ends.push_back(id);
  for (const auto& [join, guard] : t.joins) addJoinEnd(join, guard, id);
}

void ThreadEncoder::encodeJoin(NodeId id) {
  const Lit on = nodes_.on(id);
  ThreadState& t = thread(forest_[id].other);
  if (t.endGroup == kNone) t.endGroup = guards_.newGroup();
  const uint32_t guard = guards_.newGuard(t.endGroup, on);
  solver_.addClause({-on, guards_.lit(guard)});
  t.joins.emplace_back(id, guard);
  for (const NodeId end : t.ends) addJoinEnd(id, guard, end);
}

void ThreadEncoder::addJoinEnd(NodeId join, uint32_t guard, NodeId end) {
  // The order is conditional: an unconditional edge out of an end that does not happen could reach, through
  // the joins on its path, events that do.
  const Lit chosen = solver_.newLit();
  solver_.guard(chosen, nodes_.on(join));
  solver_.addClause({-chosen, nodes_.on(end)});
  solver_.addClause({-chosen, sections_.before(end, join)});
  guards_.grow(guard, chosen);
}

std::span<const NodeId> ThreadEncoder::creates(ThreadId thread) const {
  return thread < threads_.size() ? threads_[thread].creates : std::span<const NodeId>();
}

std::span<const NodeId> ThreadEncoder::ends(ThreadId thread) const {
  return thread < threads_.size() ? threads_[thread].ends : std::span<const NodeId>();
}

ThreadEncoder::ThreadState& ThreadEncoder::thread(ThreadId id) {
  if (id >= threads_.size()) threads_.resize(id + 1);
  return threads_[id];
}

}  // namespace heddle

#include "analysis/interp/weak/rc11.h"

#include "analysis/interp/weak/graph_relations.h"

namespace heddle {

namespace {

bool meet(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] & b[i]) return true;
  return false;
}

}  // namespace

bool Rc11::mayExclude(const ExecutionGraph& graph, const OpenAccess& access) const {
  return access.order() == MemoryOrder::SeqCst || graph.isBehindScFence(access.thread);
}

bool Rc11::isConsistent(const ExecutionGraph& graph) const {
  const GraphRelations picture(graph, true);
  const size_t n = picture.size();
  std::vector<size_t> sc;
  for (size_t v = 0; v < n; ++v) {
    const GraphEvent& event = picture.event(v);
    const bool hasOrder = picture.isOpen(picture.vertices[v].first) || event.kind == GraphEventKind::Fence;
    if (hasOrder && event.order == MemoryOrder::SeqCst) sc.push_back(v);
  }
  if (sc.size() < 2) return true;
  const auto isFence = [&](size_t v) { return picture.event(v).kind == GraphEventKind::Fence; };
  Relation before(n), behind(n), program(n), elsewhere(n);
  for (size_t a = 0; a < n; ++a)
    for (size_t b = 0; b < n; ++b) {
      if (!picture.happensBefore(a, b)) continue;
      before.add(a, b);
      behind.add(b, a);
      if (picture.vertices[a].thread != picture.vertices[b].thread) continue;
      program.add(a, b);
      if (!picture.isSameLocation(a, b)) elsewhere.add(a, b);
    }
  const Relation reads = picture.readsFrom(), after = picture.afterwards();
  Relation base = elsewhere.then(before).then(elsewhere);  // scb
  for (size_t a = 0; a < n; ++a) {
    base.unite(a, program[a]);
    base.unite(a, after[a]);
    before.forEach(a, [&](size_t b) {
      if (picture.isSameLocation(a, b)) base.add(a, b);
    });
  }
  Relation extended = after.then(reads);  // eco
  for (size_t a = 0; a < n; ++a) {
    extended.unite(a, after[a]);
    extended.unite(a, reads[a]);
  }
  Relation ordered(sc.size());
  for (size_t i = 0; i < sc.size(); ++i) {
    const size_t a = sc[i];
    std::vector<uint64_t> reached = base[a], communicated((n + 63) / 64);
    const auto unite = [](std::vector<uint64_t>& row, const std::vector<uint64_t>& more) {
      for (size_t word = 0; word < row.size(); ++word) row[word] |= more[word];
    };
    if (isFence(a))
      before.forEach(a, [&](size_t x) {
        unite(reached, base[x]);
        unite(communicated, extended[x]);
      });
    for (size_t k = 0; k < sc.size(); ++k) {
      const size_t b = sc[k];
      const bool byAccess = (reached[b / 64] >> (b % 64)) & 1;
      const bool toFence = isFence(b) && meet(reached, behind[b]);
      const bool betweenFences =
          isFence(a) && isFence(b) && (before.has(a, b) || meet(communicated, behind[b]));
      if (byAccess || toFence || betweenFences) ordered.add(i, k);
    }
  }
  return ordered.isAcyclic();
}

}  // namespace heddle

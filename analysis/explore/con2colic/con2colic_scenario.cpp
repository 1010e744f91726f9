#include "analysis/explore/con2colic/con2colic_scenario.h"

#include <algorithm>
#include <set>

namespace heddle {

namespace {

/// The path `longer` begins with `shorter`.
bool beginsWith(const Forest& forest, const ThreadPrefix& longer, const ThreadPrefix& shorter) {
  return shorter.at.node == kNone || longer == shorter || follows(forest, longer.at, shorter);
}

template <typename Key>
bool addAll(std::map<Key, NodeId>& into, const std::map<Key, NodeId>& from) {
  return std::all_of(from.begin(), from.end(),
                     [&](const auto& edge) { return into.insert(edge).first->second == edge.second; });
}

}  // namespace

const ThreadPrefix& Scenario::end(ThreadId thread) const {
  return prefixOf(ends, thread);
}

void Scenario::setEnd(ThreadId thread, ThreadPrefix end) {
  if (thread >= ends.size()) ends.resize(thread + 1);
  ends[thread] = std::move(end);
}

uint32_t Scenario::degree() const {
  std::set<std::pair<NodeId, NodeId>> edges;
  for (const auto& [read, write] : interferences) edges.emplace(read.first, write);
  return static_cast<uint32_t>(edges.size());
}

std::vector<uint64_t> Scenario::key() const {
  std::vector<uint64_t> key{sinkThread};
  size_t threads = ends.size();
  while (threads > 0 && ends[threads - 1].at.node == kNone) --threads;
  for (size_t t = 0; t < threads; ++t) {
    key.push_back(uint64_t{ends[t].at.node} << 1 | (ends[t].deviates() ? 1 : 0));
    key.push_back(ends[t].at.slot);
    key.push_back(ends[t].excluded.size());
    key.insert(key.end(), ends[t].excluded.begin(), ends[t].excluded.end());
  }
  key.push_back(interferences.size());
  for (const auto& [read, write] : interferences) {
    key.push_back(uint64_t{read.first} << 32 | read.second);
    key.push_back(write);
  }
  for (const auto& [node, cause] : causes) key.push_back(uint64_t{node} << 32 | cause);
  return key;
}

bool contains(const Forest& forest, const Scenario& scenario, NodeId event) {
  const ThreadPrefix& end = scenario.end(forest[event].thread);
  return end.at.node != kNone && forest[event].depth <= forest[end.at.node].depth &&
         forest.isAncestor(event, end.at.node);
}

std::vector<NodeId> heldAfter(const Forest& forest, const ThreadPrefix& end) {
  if (end.at.node == kNone) return {};
  const Node& n = forest[end.at.node];
  std::vector<NodeId> held = n.held;
  if (n.kind != NodeKind::Event) return held;
  if (n.event == EventKind::Lock) held.push_back(end.at.node);
  if (n.event == EventKind::Unlock) std::erase(held, n.acquire);
  return held;
}

std::optional<Scenario> merged(const Forest& forest, const Scenario& into, const Scenario& other) {
  Scenario both = into;
  for (ThreadId t = 0; t < other.ends.size(); ++t) {
    const ThreadPrefix& mine = into.end(t);
    const ThreadPrefix& its = other.ends[t];
    if (beginsWith(forest, mine, its)) continue;
    if (t == into.sinkThread || !beginsWith(forest, its, mine)) return std::nullopt;
    both.setEnd(t, its);
  }
  if (!addAll(both.interferences, other.interferences) || !addAll(both.causes, other.causes))
    return std::nullopt;
  return both;
}

ThreadPrefix seenUpTo(const Forest& forest, const ThreadPrefix& along, NodeId event) {
  const NodeId section = forest[event].section;
  if (section == kNone) return upTo(event);
  NodeId left = event, id = along.at.node;
  for (; id != kNone && id != event; id = forest[id].parent)
    if (forest[id].kind == NodeKind::SectionEnd && forest[id].section == section) left = id;
  return upTo(id == event ? left : event);
}

Scenario causalScenario(const Forest& forest, const Scenario& scenario, ThreadId thread, ThreadPrefix sink) {
  Scenario causal;
  causal.sinkThread = thread;
  std::vector<std::pair<ThreadId, ThreadPrefix>> due{{thread, std::move(sink)}};
  auto need = [&](NodeId event) {
    const ThreadId by = forest[event].thread;
    due.emplace_back(by, seenUpTo(forest, scenario.end(by), event));
  };
  while (!due.empty()) {
    auto [t, end] = std::move(due.back());
    due.pop_back();
    const ThreadPrefix known = causal.end(t);
    if (end.at.node == kNone || beginsWith(forest, known, end)) continue;
    for (NodeId id = end.at.node; id != kNone && id != known.at.node; id = forest[id].parent) {
      if (const auto cause = scenario.causes.find(id); cause != scenario.causes.end()) {
        causal.causes.insert(*cause);
        need(cause->second);
      }
      for (const NodeCell& cell : forest[id].cells)
        if (const auto edge = scenario.interferences.find({id, cell.location});
            edge != scenario.interferences.end()) {
          causal.interferences.insert(*edge);
          need(edge->second);
        }
    }
    causal.setEnd(t, std::move(end));
  }
  return causal;
}

}  // namespace heddle

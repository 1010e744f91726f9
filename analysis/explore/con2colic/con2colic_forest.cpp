#include "analysis/explore/con2colic/con2colic_forest.h"

#include <algorithm>

namespace heddle {

namespace {

std::vector<Dependency> offeredBy(const Forest& forest, NodeId id) {
  const Node& n = forest[id];
  std::vector<Dependency> offers;
  if (n.kind != NodeKind::Event || !n.executed) return offers;
  if (isMemoryWrite(n))
    for (const NodeCell& cell : n.cells) offers.push_back({Dependency::Kind::Write, cell.location});
  if (n.event == EventKind::End && !n.endsProcess) offers.push_back({Dependency::Kind::End, n.thread});
  if (n.event == EventKind::Signal || n.event == EventKind::Broadcast)
    offers.push_back({Dependency::Kind::Signal, n.cells[0].location});
  if (n.event == EventKind::Lock) offers.push_back({Dependency::Kind::Lock, n.cells[0].location});
  if (n.event == EventKind::Unlock && heldAfter(forest, upTo(id)).empty())
    offers.push_back({Dependency::Kind::Release, n.thread});
  return offers;
}

}  // namespace

void InterferenceForest::clear() {
  sources_.clear();
  byDependency_.clear();
  known_.clear();
}

std::vector<size_t> InterferenceForest::add(const Scenario& scenario, ThreadId thread,
                                            const ThreadPrefix& from) {
  std::vector<NodeId> events;
  for (NodeId id = scenario.end(thread).at.node; id != kNone && id != from.at.node; id = forest_[id].parent)
    events.push_back(id);
  std::reverse(events.begin(), events.end());
  // A sink that is an event was executed for the first time in this run.
  if (from.at.node != kNone && !from.deviates()) events.insert(events.begin(), from.at.node);
  std::vector<size_t> added;
  for (const NodeId id : events) {
    const std::vector<Dependency> offers = offeredBy(forest_, id);
    if (offers.empty()) continue;
    const ThreadPrefix seen = seenUpTo(forest_, scenario.end(thread), id);
    const Scenario causal = causalScenario(forest_, scenario, thread, seen);
    // Several writes of an atomic section are seen from the same place on.
    std::vector<uint64_t> key = causal.key();
    key.push_back(id);
    for (const Dependency& offer : offers) {
      if (!known_.emplace(offer, key).second) continue;
      byDependency_[offer].push_back(sources_.size());
      added.push_back(sources_.size());
      sources_.push_back({offer, id, causal});
    }
  }
  return added;
}

const std::vector<size_t>& InterferenceForest::offering(const Dependency& dependency) const {
  static const std::vector<size_t> kNoEdges;
  const auto it = byDependency_.find(dependency);
  return it == byDependency_.end() ? kNoEdges : it->second;
}

bool InterferenceForest::isFirstRelease(NodeId release, const ThreadPrefix& after) const {
  for (NodeId id = forest_[release].parent; id != after.at.node; id = forest_[id].parent)
    if (id == kNone || (forest_[id].kind == NodeKind::Event && forest_[id].event == EventKind::Unlock &&
                        heldAfter(forest_, upTo(id)).empty()))
      return false;
  return true;
}

std::vector<Scenario> InterferenceForest::untilReleased(const Scenario& scenario) const {
  std::vector<Scenario> released, due{scenario};
  while (!due.empty()) {
    const Scenario next = std::move(due.back());
    due.pop_back();
    bool extended = false;
    for (ThreadId t = 0; t < next.ends.size() && !extended; ++t) {
      if (t == next.sinkThread || heldAfter(forest_, next.ends[t]).empty()) continue;
      for (const size_t number : offering({Dependency::Kind::Release, t})) {
        const Source& release = sources_[number];
        if (!follows(forest_, {release.node, 0}, next.ends[t]) || !isFirstRelease(release.node, next.ends[t]))
          continue;
        std::optional<Scenario> longer = merged(forest_, next, release.scenario);
        if (!longer) continue;
        due.push_back(std::move(*longer));
        extended = true;
      }
    }
    if (!extended) released.push_back(next);
  }
  return released;
}

}  // namespace heddle

#include "analysis/explore/forest/linearize.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace heddle {

namespace {

constexpr size_t kNowhere = static_cast<size_t>(-1);

/// What came last at a location or a mutex.
struct LastAt {
  size_t write = kNowhere;
  std::vector<size_t> readers;
};

std::vector<std::vector<size_t>> predecessors(const Forest& forest, const std::vector<NodeId>& plan) {
  std::vector<std::vector<size_t>> before(plan.size());
  std::unordered_map<LocationId, LastAt> last;
  std::map<ThreadId, size_t> created, ended;
  for (size_t i = 0; i < plan.size(); ++i) {
    const Node& n = forest[plan[i]];
    auto after = [&](size_t j) {
      if (j != kNowhere) before[i].push_back(j);
    };
    const bool onlyReads = n.event == EventKind::Read;
    for (const NodeCell& cell : n.cells) {
      LastAt& at = last[cell.location];
      after(at.write);
      if (onlyReads) {
        at.readers.push_back(i);
        continue;
      }
      for (const size_t reader : at.readers) after(reader);
      at.readers.clear();
      at.write = i;
    }
    if (n.event == EventKind::Create) created[n.other] = i;
    if (n.event == EventKind::End) ended[n.thread] = i;
    if (n.event == EventKind::Start && created.count(n.thread)) after(created[n.thread]);
    if (n.event == EventKind::Join && ended.count(n.other)) after(ended[n.other]);
  }
  // An atomic section begins when all of it can happen.
  std::unordered_map<NodeId, size_t> first;
  for (size_t i = 0; i < plan.size(); ++i) {
    const NodeId section = forest[plan[i]].section;
    if (section == kNone) continue;
    const size_t leader = first.try_emplace(section, i).first->second;
    if (leader == i) continue;
    for (const size_t j : before[i])
      if (j < leader) before[leader].push_back(j);
  }
  return before;
}

}  // namespace

ModelOrder orderOfModel(const Forest& forest, size_t size, const std::function<bool(NodeId)>& happens,
                        const std::function<uint64_t(NodeId)>& position) {
  std::set<NodeId> left;
  std::vector<std::pair<uint64_t, NodeId>> events;
  for (NodeId id = 0; id < size; ++id) {
    if (forest[id].kind == NodeKind::SectionEnd && happens(id)) left.insert(forest[id].section);
    if (forest[id].kind == NodeKind::Event && happens(id)) events.emplace_back(position(id), id);
  }
  std::sort(events.begin(), events.end());
  ModelOrder order;
  for (const auto& [at, id] : events) {
    const NodeId section = sectionAround(forest, id);
    (section == kNone || left.count(section) ? order.before : order.inOpenSection).push_back(id);
  }
  return order;
}

std::vector<NodeId> ModelOrder::whole() const {
  std::vector<NodeId> all = before;
  all.insert(all.end(), inOpenSection.begin(), inOpenSection.end());
  return all;
}

std::vector<NodeId> withFewSwitches(const Forest& forest, const std::vector<NodeId>& plan) {
  const std::vector<std::vector<size_t>> before = predecessors(forest, plan);
  std::map<ThreadId, std::vector<size_t>> events;
  for (size_t i = 0; i < plan.size(); ++i) events[forest[plan[i]].thread].push_back(i);
  std::map<ThreadId, size_t> at;
  std::vector<bool> done(plan.size(), false);
  auto ready = [&](ThreadId thread) {
    const std::vector<size_t>& own = events[thread];
    if (at[thread] == own.size()) return false;
    for (const size_t j : before[own[at[thread]]])
      if (!done[j]) return false;
    return true;
  };
  std::vector<NodeId> order;
  ThreadId current = kNone;
  while (order.size() < plan.size()) {
    if (current == kNone || !ready(current)) {
      // The ready thread whose next event comes first in the plan; one is always ready, the plan being an
      // order itself.
      size_t earliest = kNowhere;
      for (const auto& [thread, own] : events)
        if (ready(thread) && own[at[thread]] < earliest) earliest = own[at[thread]];
      current = forest[plan[earliest]].thread;
    }
    const size_t i = events[current][at[current]++];
    done[i] = true;
    order.push_back(plan[i]);
  }
  return order;
}

}  // namespace heddle

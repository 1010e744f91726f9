#include "analysis/diagnose/source_events.h"

#include <map>
#include <tuple>

namespace heddle {

namespace {

using Site = std::pair<PlaceId, EventKind>;
using Key = std::tuple<ThreadId, PlaceId, EventKind, uint32_t>;

/// A node of a depth-first walk: entered, then left again.
struct Visit {
  NodeId node = kNone;
  bool leave = false;
};

}  // namespace

SourceEvents::SourceEvents(const Forest& forest) : groups_(forest.size(), kNone) {
  std::map<Key, SourceEventId> known;
  std::map<Site, uint32_t> executed;  // on the path to the node at hand
  std::vector<Visit> open;
  for (NodeId root = 0; root < forest.size(); ++root) {
    if (forest[root].parent != kNone) continue;
    executed.clear();
    open.push_back({root, false});
    while (!open.empty()) {
      const auto [node, leave] = open.back();
      open.pop_back();
      const Node& n = forest[node];
      if (n.kind == NodeKind::Event) {
        uint32_t& count = executed[{n.place, n.event}];
        if (leave) {
          --count;
          continue;
        }
        const auto [it, isNew] = known.try_emplace(Key{n.thread, n.place, n.event, count},
                                                   static_cast<SourceEventId>(events_.size()));
        if (isNew) events_.push_back({n.thread, n.place, n.event, count, {}});
        events_[it->second].nodes.push_back(node);
        groups_[node] = it->second;
        ++count;
        open.push_back({node, true});
      }
      for (const auto& [slot, child] : n.children) open.push_back({child, false});
    }
  }
}

}  // namespace heddle

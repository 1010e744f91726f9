#include "analysis/diagnose/pattern.h"

#include <algorithm>
#include <set>
#include <string>

namespace heddle {

namespace {

bool isData(const Node& n) {
  return isMemoryRead(n) || isMemoryWrite(n);
}

const char* kindName(const Node& n) {
  if (n.event == EventKind::Update) return "update";
  return n.event == EventKind::Write ? "write" : "read";
}

bool sameLocation(const Node& a, const Node& b) {
  return std::any_of(a.cells.begin(), a.cells.end(),
                     [&](const NodeCell& cell) { return cellAt(b, cell.location) != nullptr; });
}

/// No serial order of the two threads gives all three accesses what they see.
bool unserializable(const Node& first, const Node& remote, const Node& last) {
  const bool around = isMemoryWrite(first) && isMemoryWrite(last);
  return isMemoryWrite(remote) ? !around : around;
}

}  // namespace

std::optional<Interruption> findInterruption(const Forest& forest, const SourceEvents& events,
                                             const Core& core) {
  std::set<SourceEventId> mentioned;
  for (const Ordering& o : core.orderings) mentioned.insert({o.before, o.after});
  std::vector<NodeId> order;
  for (const NodeId node : core.failing.order)
    if (isData(forest[node]) && mentioned.count(events.of(node))) order.push_back(node);
  std::optional<Interruption> best;
  size_t bestSpan = 0;
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t k = i + 2; k < order.size(); ++k) {
      const Node& first = forest[order[i]];
      const Node& last = forest[order[k]];
      if (first.thread != last.thread) continue;
      for (size_t j = i + 1; j < k; ++j) {
        const Node& remote = forest[order[j]];
        if (remote.thread == first.thread) continue;
        const bool toFirst = sameLocation(first, remote), toLast = sameLocation(remote, last);
        const bool one =
            toFirst && toLast && sameLocation(first, last) && unserializable(first, remote, last);
        if (!one && !toFirst && !toLast) continue;
        const size_t span = k - i;
        const bool better =
            !best || (one && !best->oneVariable) || (one == best->oneVariable && span < bestSpan);
        if (!better) continue;
        best = Interruption{order[i], order[j], order[k], one};
        bestSpan = span;
      }
    }
  return best;
}

std::string tripleName(const Forest& forest, const Interruption& interruption) {
  return std::string(kindName(forest[interruption.first])) + "-" + kindName(forest[interruption.remote]) +
         "-" + kindName(forest[interruption.last]);
}

bool isOrderViolation(const SourceEvents& events, const Core& core) {
  std::set<std::pair<ThreadId, ThreadId>> directions;
  for (const Ordering& o : core.orderings)
    directions.insert({events[o.before].thread, events[o.after].thread});
  return !directions.empty() && std::none_of(directions.begin(), directions.end(), [&](const auto& d) {
    return directions.count({d.second, d.first}) != 0;
  });
}

}  // namespace heddle

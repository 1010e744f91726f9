#include "analysis/diagnose/pattern.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

namespace heddle {

namespace {

bool isData(const Node& n) {
  return isMemoryAccess(n) && !n.rule;
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

/// The closest interruption among the events of an execution; one over one variable comes before others.
std::optional<Interruption> closest(const Forest& forest, const std::vector<NodeId>& order,
                                    const std::function<bool(const Interruption&)>& accept) {
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
        const Interruption found{order[i], order[j], order[k], one};
        const size_t span = k - i;
        const bool better =
            !best || (one && !best->oneVariable) || (one == best->oneVariable && span < bestSpan);
        if (!better || !accept(found)) continue;
        best = found;
        bestSpan = span;
      }
    }
  return best;
}

std::set<SourceEventId> mentionedIn(const Core& core) {
  std::set<SourceEventId> mentioned;
  for (const Ordering& o : core.orderings) mentioned.insert({o.before, o.after});
  return mentioned;
}

}  // namespace

std::optional<Interruption> findInterruption(const Forest& forest, const SourceEvents& events,
                                             const Core& core) {
  const std::set<SourceEventId> mentioned = mentionedIn(core);
  std::vector<NodeId> order;
  for (const NodeId node : core.failing.order)
    if (isData(forest[node]) && mentioned.count(events.of(node))) order.push_back(node);
  return closest(forest, order, [](const Interruption&) { return true; });
}

std::optional<Interruption> findWiderInterruption(const Forest& forest, const SourceEvents& events,
                                                  const Core& core) {
  constexpr size_t kMost = 200;  // events; the search looks at all triples
  const std::set<SourceEventId> mentioned = mentionedIn(core);
  const auto isMentioned = [&](NodeId node) { return mentioned.count(events.of(node)) != 0; };
  std::set<LocationId> locations;
  for (const NodeId node : core.failing.order)
    if (isData(forest[node]) && isMentioned(node))
      for (const NodeCell& cell : forest[node].cells) locations.insert(cell.location);
  std::vector<NodeId> order;
  for (const NodeId node : core.failing.order) {
    const std::vector<NodeCell>& cells = forest[node].cells;
    if (isData(forest[node]) && std::any_of(cells.begin(), cells.end(), [&](const NodeCell& cell) {
          return locations.count(cell.location) != 0;
        }))
      order.push_back(node);
  }
  if (order.size() > kMost) return std::nullopt;
  return closest(forest, order, [&](const Interruption& found) {
    return found.oneVariable &&
           (isMentioned(found.first) || isMentioned(found.remote) || isMentioned(found.last));
  });
}

std::string tripleName(const Forest& forest, const Interruption& interruption) {
  return std::string(kindName(forest[interruption.first])) + "-" + kindName(forest[interruption.remote]) +
         "-" + kindName(forest[interruption.last]);
}

bool isOrderViolation(const SourceEvents& events, const Core& core) {
  std::set<ThreadId> early, late;
  for (const Ordering& o : core.orderings) {
    early.insert(events[o.before].thread);
    late.insert(events[o.after].thread);
  }
  return !early.empty() &&
         std::none_of(early.begin(), early.end(), [&](ThreadId thread) { return late.count(thread) != 0; });
}

}  // namespace heddle

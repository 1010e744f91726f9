#include "analysis/diagnose/kept_lock.h"

#include <map>

namespace heddle {

bool acquires(const Node& n) {
  return n.event == EventKind::Lock || isRule(n, "semaphore", "wait") ||
         isRule(n, "read-write lock", "read-lock") || isRule(n, "read-write lock", "write-lock");
}

bool releases(const Node& n) {
  return n.event == EventKind::Unlock || isRule(n, "semaphore", "post") ||
         isRule(n, "read-write lock", "read-unlock") || isRule(n, "read-write lock", "write-unlock");
}

NodeId keptLock(const Forest& forest, const std::vector<NodeId>& order, LocationId lock) {
  std::map<ThreadId, NodeId> held;
  NodeId kept = kNone;
  for (const NodeId node : order) {
    const Node& n = forest[node];
    const auto last = held.find(n.thread);
    if (n.event == EventKind::End) {
      if (last != held.end()) kept = last->second;
    } else if (cellAt(n, lock) && acquires(n)) {
      held[n.thread] = node;
    } else if (last != held.end() && releases(n) && (cellAt(n, lock) || n.acquire == last->second)) {
      held.erase(last);
    }
  }
  return kept;
}

}  // namespace heddle

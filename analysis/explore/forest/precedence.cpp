#include "analysis/explore/forest/precedence.h"

#include <algorithm>

namespace heddle {

void Precedence::addCreate(NodeId create) {
  const ThreadId child = forest_[create].other;
  if (child >= creates_.size()) creates_.resize(child + 1);
  creates_[child].push_back(create);
}

bool Precedence::beforeStart(NodeId a, ThreadId thread) const {
  if (thread >= creates_.size()) return false;
  for (const NodeId create : creates_[thread]) {
    const ThreadId creator = forest_[create].thread;
    if (creator == forest_[a].thread ? forest_.reaches(a, create) : beforeStart(a, creator)) return true;
  }
  return false;
}

bool Precedence::always(NodeId a, NodeId b) const {
  const Node& x = forest_[a];
  const Node& y = forest_[b];
  if (x.thread == y.thread) return a != b && forest_.reaches(a, b);
  for (NodeId join = y.lastJoin; join != kNone; join = forest_[join].lastJoin)
    if (forest_[join].other == x.thread) return true;
  const std::vector<ThreadId>& joined = forest_[y.segment].joined;
  if (std::binary_search(joined.begin(), joined.end(), x.thread)) return true;
  return beforeStart(a, y.thread);
}

}  // namespace heddle

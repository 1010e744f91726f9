// Locks that a thread takes and never gives back: mutexes, spin locks, read-write locks, and semaphores where
// they are used like locks.
//
// Threading: pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/explore/forest/forest.h"

namespace heddle {

/// The operation `verb` of a kind of object whose state is a cell ("semaphore", "read-write lock", …).
inline bool isRule(const Node& n, std::string_view object, std::string_view verb) {
  return n.rule && n.rule->object == object && n.rule->verb == verb;
}

bool acquires(const Node& n);
bool releases(const Node& n);

/// The acquisition of `lock` that a thread had not released when it ended, in an execution with these events;
/// kNone: there is none.
NodeId keptLock(const Forest& forest, const std::vector<NodeId>& order, LocationId lock);

}  // namespace heddle

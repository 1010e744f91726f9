// Kept locks: locks that a thread acquires and never releases. They are mutexes, spin locks, read-write
// locks, and semaphores that are used like locks.
//
// Threading: pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/explore/forest/forest.h"

namespace heddle {

/// True if the node is the operation `verb` of this kind of object ("semaphore", "read-write lock", …),
/// whose state is a cell.
inline bool isRule(const Node& n, std::string_view object, std::string_view verb) {
  return n.rule && n.rule->object == object && n.rule->verb == verb;
}

bool acquires(const Node& n);
bool releases(const Node& n);

/// The acquisition of `lock` that a thread had not released when it ended, in an execution with these events;
/// kNone: there is none.
NodeId keptLock(const Forest& forest, const std::vector<NodeId>& order, LocationId lock);

}  // namespace heddle

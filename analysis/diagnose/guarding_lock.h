// GuardingLock: which mutex already guards some data, so that a repair can use it rather than a new one.
//
// Threading: pure function of the forest.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "analysis/diagnose/source_access.h"
#include "analysis/explore/forest/precedence.h"

namespace heddle {

/// Executed accesses of one thread's path, in program order, that are to lie in one critical section.
using Region = std::vector<NodeId>;

/// Another thread can access the same data before and after it, and one of them writes. `accesses`: of all
/// threads.
bool meetsOthers(const Forest& forest, const Precedence& precedence, const std::vector<NodeId>& accesses,
                 NodeId node);
/// The executed reads and writes of a forest.
std::vector<NodeId> executedAccesses(const Forest& forest);

struct GuardingLock {
  LocationId mutex = kNone;
  NodeId acquisition = kNone;   // one of its Lock nodes
  std::vector<Region> regions;  // what is not yet guarded by it
};

/// The one mutex that is held at most places that access `objects` and may meet other threads there, provided
/// that every region either lies in one critical section of it already or has nothing to do with it (a region
/// that is partly guarded would wait for itself), and that some region needs it. nullopt: no mutex serves.
std::optional<GuardingLock> findGuardingLock(Runner& runner, const std::set<ObjectId>& objects,
                                             const Precedence& precedence,
                                             const std::vector<Region>& regions);

}  // namespace heddle

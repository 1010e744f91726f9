// GuardingLock: the mutex that already guards some data, so that a repair can use it instead of a new one.
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

/// True if another thread can access the same data both before and after the access `node`, and one of the
/// two writes. `accesses`: the accesses of all threads.
bool meetsOthers(const Forest& forest, const Precedence& precedence, const std::vector<NodeId>& accesses,
                 NodeId node);
/// The executed reads and writes of a forest.
std::vector<NodeId> executedAccesses(const Forest& forest);

struct GuardingLock {
  LocationId mutex = kNone;
  NodeId acquisition = kNone;   // one of its Lock nodes
  std::vector<Region> regions;  // regions that it does not guard yet
};

/// The mutex that is held at most of the places that access `objects` and may meet other threads there.
/// Every region must either lie in one critical section of it already, or not use it at all: a partly
/// guarded region would wait for itself. Some region must need it. nullopt: no mutex serves.
std::optional<GuardingLock> findGuardingLock(Runner& runner, const std::set<ObjectId>& objects,
                                             const Precedence& precedence,
                                             const std::vector<Region>& regions);

}  // namespace heddle

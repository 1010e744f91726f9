// Pattern: the known kind of concurrency bug that a core shows.
//
// Threading: pure function.
#pragma once

#include <optional>
#include <vector>

#include "analysis/diagnose/cores.h"

namespace heddle {

/// Two events of one thread with one of another thread between them.
struct Interruption {
  NodeId first = kNone, remote = kNone, last = kNone;
  bool oneVariable = false;  // all three access the same location
};

/// The interruption that the core describes: all three events are in the core, and in its execution the
/// remote one happens between the other two. Unserializable interruptions over one variable are preferred,
/// then the ones whose events are closest.
std::optional<Interruption> findInterruption(const Forest& forest, const SourceEvents& events,
                                             const Core& core);

/// For a core that names fewer events: an unserializable interruption over one variable in the core's
/// execution. The core must name at least one of its events.
std::optional<Interruption> findWiderInterruption(const Forest& forest, const SourceEvents& events,
                                                  const Core& core);

/// "read-write-read"
std::string tripleName(const Forest& forest, const Interruption& interruption);

/// All orderings lead from some threads to others, and none back.
bool isOrderViolation(const SourceEvents& events, const Core& core);

}  // namespace heddle

// Pattern: which of the known kinds of concurrency bug a core is.
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

/// The interruption that the core describes: all three events are in it, and in its execution the remote one
/// happens between the others. One over one variable that cannot be serialized comes first, then the closest.
std::optional<Interruption> findInterruption(const Forest& forest, const SourceEvents& events,
                                             const Core& core);

/// For a core that names fewer of them: an interruption over one variable that cannot be serialized, in the
/// core's execution, of which the core names at least one event.
std::optional<Interruption> findWiderInterruption(const Forest& forest, const SourceEvents& events,
                                                  const Core& core);

/// "read-write-read"
std::string tripleName(const Forest& forest, const Interruption& interruption);

/// All orderings lead from some threads to others, and none back.
bool isOrderViolation(const SourceEvents& events, const Core& core);

}  // namespace heddle

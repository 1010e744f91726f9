// LocalStates: the local state of a thread as a key (local_states.cpp).
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/execution_part.h"

namespace heddle {

class LocalStates : public ExecutionPart {
 public:
  explicit LocalStates(Execution& run) : ExecutionPart(run) {}

  /// What decides how the thread goes on, apart from what it will read from others. Nothing when the state is
  /// too large, or inside a modelled call.
  /// `counters`: the numbers of rounds of the enclosing loops belong to the state, too.
  std::optional<StateKey> of(const Thread& t, bool counters) const;
  /// A private object was written by the thread.
  void noteWritten(Thread& t, MemoryObject& object);
};

}  // namespace heddle

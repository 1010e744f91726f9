// Scheduler: decides which thread executes its pending event next. The machine executes and reports; the
// scheduler decides and knows nothing of the machine.
#pragma once

#include <optional>
#include <span>

#include "analysis/model/event.h"

namespace heddle {

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  /// Picks one of `enabled` (never empty; the pending events of the threads that can go on, in order of
  /// thread creation). nullopt ends the run early.
  virtual std::optional<ThreadId> next(std::span<const Event* const> enabled) = 0;
};

}  // namespace heddle

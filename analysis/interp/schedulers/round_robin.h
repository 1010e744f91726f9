// RoundRobinScheduler: runs a thread until it blocks or ends, then the next one in order of creation.
#pragma once

#include "analysis/interp/core/scheduler.h"

namespace heddle {

class RoundRobinScheduler : public Scheduler {
 public:
  std::optional<ThreadId> next(std::span<const Event* const> enabled) override;

 private:
  ThreadId last_ = kNone;
};

}  // namespace heddle

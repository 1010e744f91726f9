// AlternatingScheduler: threads take turns, and a turn ends with something that others can see.
//
// Main goes on only to create threads, or when nobody else can. So two loops that feed each other go forward
// in step, as far as they can. A random schedule does so with ever smaller probability.
#pragma once

#include "analysis/interp/core/scheduler.h"

namespace heddle {

class AlternatingScheduler : public Scheduler {
 public:
  std::optional<ThreadId> next(std::span<const Event* const> enabled) override;

 private:
  ThreadId current_ = kNone;
  bool turnOver_ = false;
};

}  // namespace heddle

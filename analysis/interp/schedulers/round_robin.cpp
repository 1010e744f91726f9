#include "analysis/interp/schedulers/round_robin.h"

namespace heddle {

std::optional<ThreadId> RoundRobinScheduler::next(std::span<const Event* const> enabled) {
  ThreadId later = kNone;
  for (const Event* event : enabled) {
    if (event->thread == last_) return last_;
    if (later == kNone && last_ != kNone && event->thread > last_) later = event->thread;
  }
  return last_ = later != kNone ? later : enabled.front()->thread;
}

}  // namespace heddle

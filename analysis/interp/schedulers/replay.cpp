#include "analysis/interp/schedulers/replay.h"

namespace heddle {

std::optional<ThreadId> ReplayScheduler::next(std::span<const Event* const> enabled) {
  for (const Event* event : enabled) {
    const std::string label = names_.label(event->thread);
    seen_.insert(label);
    const auto left = left_.find(label);
    if (left != left_.end() && event->operation <= left->second.first && divergence_.empty())
      divergence_ = left->second.second + ": " + label + " cannot go on";
  }
  while (segment_ < schedule_.segments.size()) {
    const ScheduleSegment& segment = schedule_.segments[segment_];
    uint64_t& covered = covered_[segment.thread];
    if (!entered_) covered += segment.operations;
    entered_ = true;
    bool found = false;
    for (const Event* event : enabled) {
      if (names_.label(event->thread) != segment.thread) continue;
      found = true;
      if (event->operation <= covered) return last_ = event->thread;
    }
    if (!found) {
      const std::string text = "segment " + std::to_string(segment_ + 1) + " (" + segment.thread + "*" +
                               std::to_string(segment.operations) + ")";
      left_.try_emplace(segment.thread, covered, text);
      if (!seen_.count(segment.thread) && divergence_.empty()) divergence_ = text + ": no such thread";
    }
    ++segment_;
    entered_ = false;
  }
  if (thenStop_) return std::nullopt;
  return afterSchedule(enabled);
}

std::optional<ThreadId> ReplayScheduler::afterSchedule(std::span<const Event* const> enabled) {
  for (const Event* event : enabled)
    if (event->thread == last_) return last_;
  return last_ = enabled.front()->thread;
}

}  // namespace heddle

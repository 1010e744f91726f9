#include "analysis/interp/schedulers/replay.h"

namespace heddle {

std::optional<ThreadId> ReplayScheduler::next(std::span<const Event* const> enabled) {
  const Event* const only = enabled.size() == 1 ? enabled.front() : nullptr;
  const bool inSection = only && only->section != 0 && only->thread == last_ && only->section == section_;
  const std::optional<ThreadId> chosen = follow(enabled, inSection);
  for (const Event* event : enabled)
    if (chosen && event->thread == *chosen) section_ = event->section;
  return chosen;
}

size_t ReplayScheduler::choose(const Event& event, std::span<const WriteChoice> writes) {
  const OperationName operation{names_.label(event.thread), event.operation};
  const auto chosen = schedule_.writes.find(operation);
  if (chosen == schedule_.writes.end()) return 0;
  for (size_t i = 0; i < writes.size(); ++i) {
    const OperationName write{writes[i].thread == kNone ? "" : names_.label(writes[i].thread),
                              writes[i].operation};
    if (write == chosen->second) return i;
  }
  if (divergence_.empty())
    divergence_ = operation.thread + "@" + std::to_string(operation.operation) +
                  " cannot read or follow what " +
                  (chosen->second.thread.empty() ? "memory held at first" : chosen->second.thread + " wrote");
  return 0;
}

std::optional<ThreadId> ReplayScheduler::follow(std::span<const Event* const> enabled, bool inSection) {
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
    // The rest of an atomic section had no events for the recorder, so the others went on.
    if (!found && inSection) return last_;
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

#include "analysis/explore/run/guided_scheduler.h"

namespace heddle {

namespace {
bool contains(std::span<const Event* const> enabled, ThreadId thread) {
  return std::any_of(enabled.begin(), enabled.end(), [&](const Event* e) { return e->thread == thread; });
}
}  // namespace

std::optional<ThreadId> GuidedScheduler::next(std::span<const Event* const> enabled) {
  ++events_;
  if (divergence_.empty() && at_ > 0 && tailAt_ == 0 && current_ == kNone &&
      builder_.lastExecuted() != plan_[at_ - 1])
    divergence_ = "planned event " + std::to_string(at_ - 1) + " came out as another event";
  if (divergence_.empty() && at_ < plan_.size()) {
    const ThreadId thread = forest_[plan_[at_]].thread;
    if (contains(enabled, thread)) {
      ++at_;
      return thread;
    }
    divergence_ = "planned event " + std::to_string(at_) + " (" + toString(forest_[plan_[at_]].event) +
                  ") is not enabled";
  }
  if (tailAt_ < tail_.size() && divergence_.empty()) {
    if (contains(enabled, tail_[tailAt_])) {
      if (++tailAt_ == tail_.size()) tailEnd_ = events_;
      return tail_[tailAt_ - 1];
    }
    // In the middle of an atomic section, of which the rest comes first.
    if (tailAt_ > 0 && enabled.front()->section != 0 && contains(enabled, tail_[tailAt_ - 1]))
      return tail_[tailAt_ - 1];
    divergence_ = "a thread that was to go on is not enabled";
  }
  return random_ ? random_->next(enabled) : free(enabled);
}

std::optional<ThreadId> GuidedScheduler::free(std::span<const Event* const> enabled) {
  while (!first_.empty()) {
    if (contains(enabled, first_.front()) && used_ < kQuantum) {
      current_ = first_.front();
      ++used_;
      return current_;
    }
    first_.erase(first_.begin());
    used_ = 0;
  }
  if (current_ != kNone && used_ < kQuantum && contains(enabled, current_)) {
    ++used_;
    return current_;
  }
  // The next thread after the current one, cyclically.
  const Event* chosen = enabled.front();
  for (const Event* e : enabled)
    if (current_ != kNone && e->thread > current_) {
      chosen = e;
      break;
    }
  current_ = chosen->thread;
  used_ = 1;
  return current_;
}

}  // namespace heddle

#include "analysis/solver/team/lockstep.h"

#include <algorithm>

namespace heddle {

void Lockstep::begin() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return free_ > 0; });
  --free_;
}

bool Lockstep::pause() {
  std::unique_lock lock(mutex_);
  ++free_;
  ++arrived_;
  const uint64_t mine = slice_;
  if (arrived_ == active_) endSlice();
  changed_.notify_all();
  changed_.wait(lock, [&] { return slice_ != mine; });
  // All parties wait for the end of a slice, so nobody moves the limit meanwhile.
  const bool goOn = slice_ < limit_;
  changed_.wait(lock, [&] { return free_ > 0; });
  --free_;
  return goOn;
}

void Lockstep::finish(bool found) {
  const std::lock_guard lock(mutex_);
  ++free_;
  --active_;
  if (found) limit_ = std::min(limit_, 2 * (slice_ + 1));
  if (active_ > 0 && arrived_ == active_) endSlice();
  changed_.notify_all();
}

void Lockstep::endSlice() {
  arrived_ = 0;
  ++slice_;
}

}  // namespace heddle

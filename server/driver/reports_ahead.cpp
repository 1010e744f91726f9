#include "server/driver/reports_ahead.h"

#include <algorithm>
#include <system_error>

namespace heddle {

ReportsAhead::ReportsAhead(unsigned workers, size_t count, Explore explore)
    : explore_(std::move(explore)), reports_(count) {
  if (workers <= 1 || count <= 1) return;
  try {
    for (size_t i = 0; i < std::min<size_t>(workers, count); ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // Fewer do the work, or take() itself.
  }
}

ReportsAhead::~ReportsAhead() {
  const std::lock_guard lock(mutex_);
  next_ = reports_.size();
}

void ReportsAhead::work() {
  std::unique_lock lock(mutex_);
  while (next_ < reports_.size()) {
    const size_t i = next_++;
    lock.unlock();
    Report report = explore_(i);
    lock.lock();
    reports_[i] = std::move(report);
    changed_.notify_all();
  }
}

Report ReportsAhead::take(size_t i) {
  if (threads_.empty()) return explore_(i);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return reports_[i].has_value(); });
  Report report = std::move(*reports_[i]);
  return report;
}

}  // namespace heddle

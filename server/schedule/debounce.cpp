#include "server/schedule/debounce.h"

#include <algorithm>

namespace heddle {

void Debounce::record(std::chrono::microseconds duration) {
  recent_[count_++ % kKept] = duration;
}

std::chrono::milliseconds Debounce::delay() const {
  if (count_ == 0) return limits_.least;
  std::array<std::chrono::microseconds, kKept> sorted = recent_;
  const size_t size = std::min(count_, kKept);
  std::sort(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(size));
  const auto half = std::chrono::duration_cast<std::chrono::milliseconds>(sorted[size / 2] / 2);
  return std::clamp(half, limits_.least, std::max(limits_.least, limits_.most));
}

}  // namespace heddle

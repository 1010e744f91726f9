#include "server/schedule/debounce.h"

#include <algorithm>

namespace heddle {

void Debounce::record(std::chrono::microseconds duration) {
  recent_[count_++ % kKept] = duration;
}

void Debounce::overtaken(TimePoint now, std::chrono::steady_clock::duration ran) {
  restUntil_ = now + std::min<std::chrono::steady_clock::duration>(ran, limits_.mostRest);
}

std::chrono::milliseconds Debounce::delay(TimePoint now) const {
  return std::max(usual(), std::chrono::ceil<std::chrono::milliseconds>(restUntil_ - now));
}

std::chrono::milliseconds Debounce::usual() const {
  if (count_ == 0) return limits_.least;
  std::array<std::chrono::microseconds, kKept> sorted = recent_;
  const size_t size = std::min(count_, kKept);
  std::sort(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(size));
  const auto half = std::chrono::duration_cast<std::chrono::milliseconds>(sorted[size / 2] / 2);
  return std::clamp(half, limits_.least, std::max(limits_.least, limits_.most));
}

}  // namespace heddle

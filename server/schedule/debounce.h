// Debounce: how long to wait after a keystroke before a run begins. Waiting costs the user latency, not
// waiting costs a run that the next keystroke throws away; so wait about as long as runs have taken lately,
// within narrow limits.
//
// Threading: belongs to the main loop. Holds no timer, so tests need no clock.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

namespace heddle {

struct DebounceLimits {
  std::chrono::milliseconds least{20};
  std::chrono::milliseconds most{50};
};

class Debounce {
 public:
  explicit Debounce(DebounceLimits limits = {}) : limits_(limits) {}

  /// A run that was not superseded, from its start to its first answer.
  void record(std::chrono::microseconds duration);

  /// Half of the median of the last runs, within the limits; the least before the first.
  std::chrono::milliseconds delay() const;

 private:
  static constexpr size_t kKept = 5;

  DebounceLimits limits_;
  std::array<std::chrono::microseconds, kKept> recent_{};
  size_t count_ = 0;  // ever recorded
};

}  // namespace heddle

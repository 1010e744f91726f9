// Debounce: how long to wait after a keystroke before a run begins. Waiting costs the user latency, and not
// waiting costs a run that the next keystroke throws away. So the wait is about half as long as the first
// answer has taken lately, within narrow limits. After a run that was thrown away, the wait is also a rest as
// long as that run. So runs that typing overtakes take at most half of the time, on the one worker that they
// have.
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
  std::chrono::milliseconds mostRest{500};  // a longer pause between two keys is not typing
};

class Debounce {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit Debounce(DebounceLimits limits = {}) : limits_(limits) {}

  /// A run, from its start to its first answer.
  void record(std::chrono::microseconds duration);
  /// A run was overtaken by an edit after it had run that long.
  void overtaken(TimePoint now, std::chrono::steady_clock::duration ran);

  /// Half of the median of the last runs, within the limits; the least before the first. More, while a rest
  /// is due.
  std::chrono::milliseconds delay(TimePoint now) const;

 private:
  static constexpr size_t kKept = 5;

  std::chrono::milliseconds usual() const;

  DebounceLimits limits_;
  std::array<std::chrono::microseconds, kKept> recent_{};
  size_t count_ = 0;  // ever recorded
  TimePoint restUntil_{};
};

}  // namespace heddle

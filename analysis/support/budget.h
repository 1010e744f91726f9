// Budget: the one object that answers "stop now?" for an analysis.
//
// A budget combines a wall-clock deadline, a number of steps and a stop token. Steps make runs
// reproducible (a report is a function of text, options and step budget); the clock and the token only end
// a run early. Every loop whose length the input decides asks `check()`; the solver gets `deadline()` and
// `stopToken()` and obeys them within 50 ms.
//
// What is spent of a part of a budget counts for the whole at once, so nothing has to be carried over by
// hand.
//
// Threading: `check()` and `spend()` may be called from any thread. Copies share the step counter.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>

#include "analysis/support/tuning.h"

namespace heddle {

enum class StopReason : uint8_t { None, Deadline, Steps, Cancelled, Memory };

class Budget {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr uint64_t kUnlimitedSteps = std::numeric_limits<uint64_t>::max();

  Budget() : spent_(std::make_shared<Counter>()) {}

  /// A budget that ends `box` from now; a box of zero means no deadline.
  static Budget forDuration(std::chrono::milliseconds box) {
    Budget budget;
    if (box.count() > 0) budget.deadline_ = Clock::now() + box;
    return budget;
  }

  Budget& withSteps(uint64_t steps) { return steps_ = steps, *this; }
  Budget& withStop(std::stop_token token) { return stop_ = std::move(token), *this; }
  /// Upper bound in bytes for what the solver may hold; 0 = none.
  Budget& withMemory(uint64_t bytes) { return memory_ = bytes, *this; }

  /// Ends when the flag is up (see memory_watch.h).
  Budget& withMemoryFlag(std::shared_ptr<const std::atomic<bool>> full) {
    full_ = std::move(full);
    return *this;
  }

  /// Sets the numbers for this budget and its parts. Without it the table's own numbers hold.
  Budget& withTuning(std::shared_ptr<const Tuning> tuning) { return tuning_ = std::move(tuning), *this; }
  const Tuning& tuning() const { return tuning_ ? *tuning_ : Tuning::standard(); }

  /// The part for a phase of the table.
  Budget part(double Tuning::*share) const { return part(tuning().*share); }
  /// A budget that ends with this one, or earlier: after `share` (0 to 1) of the time and of the steps that
  /// this one has left.
  Budget part(double share) const {
    Budget part = *this;
    part.spent_ = std::make_shared<Counter>();
    part.spent_->whole = spent_;
    if (deadline_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now());
      const auto milliseconds = static_cast<int64_t>(static_cast<double>(left.count()) * share);
      part.deadline_ = Clock::now() + std::chrono::milliseconds(std::max<int64_t>(1, milliseconds));
    }
    if (steps_ != kUnlimitedSteps) {
      const uint64_t left = steps_ - std::min(steps_, spent());
      part.steps_ = static_cast<uint64_t>(static_cast<double>(left) * share) + 1;
    }
    return part;
  }

  /// Counts `steps` executed interpreter events or solver queries against the step budget.
  void spend(uint64_t steps = 1) const {
    for (Counter* counter = spent_.get(); counter; counter = counter->whole.get())
      counter->steps.fetch_add(steps, std::memory_order_relaxed);
  }
  uint64_t spent() const { return spent_->steps.load(std::memory_order_relaxed); }

  /// Why to stop now, or None. Reads the clock; cheap enough for once per event.
  StopReason check() const {
    if (stop_.stop_requested()) return StopReason::Cancelled;
    if (memoryFull()) return StopReason::Memory;
    if (spent() >= steps_) return StopReason::Steps;
    if (deadline_ && Clock::now() >= *deadline_) return StopReason::Deadline;
    return StopReason::None;
  }

  const std::optional<Clock::time_point>& deadline() const { return deadline_; }
  const std::stop_token& stopToken() const { return stop_; }
  uint64_t stepLimit() const { return steps_; }
  uint64_t memoryLimit() const { return memory_; }
  bool hasMemoryFlag() const { return full_ != nullptr; }
  bool memoryFull() const { return full_ && full_->load(std::memory_order_relaxed); }

 private:
  struct Counter {
    std::atomic<uint64_t> steps{0};
    std::shared_ptr<Counter> whole;  // of which this is a part; null: of none
  };

  std::optional<Clock::time_point> deadline_;
  uint64_t steps_ = kUnlimitedSteps;
  uint64_t memory_ = 0;
  std::stop_token stop_;
  std::shared_ptr<Counter> spent_;
  std::shared_ptr<const std::atomic<bool>> full_;
  std::shared_ptr<const Tuning> tuning_;  // null: the table's own
};

}  // namespace heddle

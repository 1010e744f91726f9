// RandomScheduler: any enabled thread with equal probability, from an explicit seed.
#pragma once

#include <random>

#include "analysis/interp/core/scheduler.h"

namespace heddle {

class RandomScheduler : public Scheduler {
 public:
  explicit RandomScheduler(uint64_t seed) : random_(seed) {}
  std::optional<ThreadId> next(std::span<const Event* const> enabled) override {
    // Not uniform_int_distribution: its results differ between libraries.
    return enabled[random_() % enabled.size()]->thread;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace heddle

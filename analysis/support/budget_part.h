// A part of what is left of a budget.
#pragma once

#include <algorithm>
#include <cstdint>

#include "analysis/support/budget.h"

namespace heddle {

/// Ends with the whole, and at `part` (0 to 1) of what it has left. What is spent of it has to be told to the
/// whole.
inline Budget partOf(const Budget& whole, double part) {
  Budget budget;
  if (whole.deadline()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(*whole.deadline() - Budget::Clock::now());
    const auto milliseconds = static_cast<int64_t>(static_cast<double>(left.count()) * part);
    budget = Budget::forDuration(std::chrono::milliseconds(std::max<int64_t>(1, milliseconds)));
  }
  if (whole.stepLimit() != Budget::kUnlimitedSteps) {
    const uint64_t left = whole.stepLimit() - std::min(whole.stepLimit(), whole.spent());
    budget.withSteps(static_cast<uint64_t>(static_cast<double>(left) * part) + 1);
  }
  return budget.withStop(whole.stopToken())
      .withMemory(whole.memoryLimit())
      .withMemoryFlag(whole.memoryFlag());
}

}  // namespace heddle

// UpdateBudget: whether the current update of the formula must stop. Once it has stopped, the formula stays
// incomplete.
//
// Threading: as the encoder that owns it.
#pragma once

#include <cstdint>

#include "analysis/support/budget.h"

namespace heddle {

class UpdateBudget {
 public:
  /// `budget` must outlive all that is encoded before the next call.
  void begin(const Budget& budget) { budget_ = &budget; }
  /// Must be called in every loop whose length depends on the forest.
  bool stopped() {
    constexpr uint64_t kBetweenLooks = 512;
    if (!stopped_ && ++work_ % kBetweenLooks == 0) stopped_ = budget_->check() != StopReason::None;
    return stopped_;
  }
  /// The result of the last call of `stopped`.
  bool hasStopped() const { return stopped_; }

 private:
  const Budget* budget_ = nullptr;
  uint64_t work_ = 0;
  bool stopped_ = false;
};

}  // namespace heddle

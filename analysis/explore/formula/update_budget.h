// UpdateBudget: whether the update of the formula that is under way must stop. Once it has stopped the
// formula is incomplete for good.
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
  /// Asked in every loop whose length the forest decides.
  bool stopped() {
    constexpr uint64_t kBetweenLooks = 512;
    if (!stopped_ && ++work_ % kBetweenLooks == 0) stopped_ = budget_->check() != StopReason::None;
    return stopped_;
  }
  /// What the last `stopped` said.
  bool hasStopped() const { return stopped_; }

 private:
  const Budget* budget_ = nullptr;
  uint64_t work_ = 0;
  bool stopped_ = false;
};

}  // namespace heddle

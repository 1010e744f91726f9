#include "server/driver/harness_times.h"

#include "server/driver/check.h"

namespace heddle {

Budget HarnessTimes::of(const ExplorationInput& input) {
  constexpr size_t kManyOutOfTime = 2;
  CommonOptions options = input.options;
  const std::lock_guard<std::mutex> guard(mutex_);
  if (input.generated != 0 && outOfTime_[input.files.first] >= kManyOutOfTime) options.budget /= 2;
  return budgetOf(options, stop_);
}

void HarnessTimes::note(const ExplorationInput& input, const Budget& budget) {
  const std::lock_guard<std::mutex> guard(mutex_);
  if (budget.check() == StopReason::Deadline) ++outOfTime_[input.files.first];
}

}  // namespace heddle

#include "analysis/explore/strategies/random_strategy.h"

#include "analysis/interp/schedulers/random.h"

namespace heddle {

void exploreRandomly(Runner& runner, const Budget& budget) {
  ExploreResult& result = runner.result();
  for (uint64_t seed = runner.options().seed;; ++seed) {
    RandomScheduler scheduler(seed);
    RandomInputs random(seed);
    const std::map<std::string, std::vector<int64_t>> none;
    const auto* values = runner.options().fixedInputs;
    FixedInputs fixed(runner.names(), values ? *values : none);
    InputSource& inputs = values ? static_cast<InputSource&>(fixed) : random;
    if (runner.run(scheduler, inputs, budget) == Runner::Outcome::Ended) return;
    if (!runner.lastRun().unsupported.empty()) return;
    if (result.stop = budget.check(); result.stop != StopReason::None) return;
    runner.progress();
  }
}

}  // namespace heddle

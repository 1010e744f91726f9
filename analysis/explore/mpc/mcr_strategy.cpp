#include "analysis/explore/mpc/mcr_strategy.h"

#include <cassert>

#include "analysis/explore/mpc/mpc_complete.h"

namespace heddle {

void exploreByValues(Runner& runner, const Budget& budget) {
  assert(runner.options().fixedInputs && !runner.options().mergePaths);
  runner.builder().setValueForks(true);
  MpcCompleteStrategy(runner).explore(budget);
}

}  // namespace heddle

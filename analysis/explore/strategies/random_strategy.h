// Random: executes runs until the budget ends, from an explicit seed. Each step takes any enabled thread
// with equal probability, and inputs are random. The strategy finds shallow bugs and proves nothing.
#pragma once

#include "analysis/explore/run/exploration.h"

namespace heddle {

void exploreRandomly(Runner& runner, const Budget& budget);

}  // namespace heddle
